import { useMutation, useQuery } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import { requestPasswordReset } from '../../api/links.ts'
import { messageOf } from '../../api/request.ts'
import { signInOptionsOptions } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Problem } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'

export function ForgottenPasswordPage() {
  useTitle('Forgotten password')
  const options = useQuery(signInOptionsOptions)
  return (
    <Card className="grid gap-4 p-6">
      <h1>Forgotten password</h1>
      <Loaded query={options} skeleton={<Skeleton rows={2} />}>
        {({ canResetPassword }) => (canResetPassword ? <ByMail /> : <ByOperator />)}
      </Loaded>
      <TextLink className="justify-self-start" href={paths.signIn()}>Back to sign-in</TextLink>
    </Card>
  )
}

function ByMail() {
  const asking = useMutation({ mutationFn: requestPasswordReset })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    asking.mutate(new FormData(event.currentTarget).get('email') as string)
  }
  if (asking.isSuccess) {
    return (
      <p role="status">
        If <strong className="[overflow-wrap:anywhere]">{asking.variables}</strong> has an account here, a letter with a
        link is on its way. The link works for one hour.
      </p>
    )
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <p className="text-soft">Tell us your e-mail address. We send you a link by which you choose a new password.</p>
      <Field label="E-mail">
        <TextInput name="email" inputMode="email" autoComplete="username" autoCapitalize="none" required autoFocus />
      </Field>
      {asking.isError && <Problem message={messageOf(asking.error)} />}
      <Button type="submit" kind="primary" isBusy={asking.isPending}>Send the link</Button>
    </form>
  )
}

const command = 'npx querypost reset-password you@example.com'

function ByOperator() {
  return (
    <>
      <p>This service sends no e-mails. Ask whoever operates it for a link by which you choose a new password.</p>
      <div className="grid gap-1 text-soft">
        <p>For the operator:</p>
        <CodeBlock label="Command for the operator" text={command} isWrapped />
      </div>
    </>
  )
}
