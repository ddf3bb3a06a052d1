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
  useTitle('Reset password')
  const options = useQuery(signInOptionsOptions)
  return (
    <Card className="grid gap-4 p-6">
      <h1>Reset your password</h1>
      <Loaded query={options} skeleton={<Skeleton rows={2} />}>
        {({ canResetPassword }) => (canResetPassword ? <ByEmail /> : <ByAdministrator />)}
      </Loaded>
      <TextLink className="justify-self-start" href={paths.signIn()}>Back to sign-in</TextLink>
    </Card>
  )
}

function ByEmail() {
  const requesting = useMutation({ mutationFn: requestPasswordReset })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    requesting.mutate(new FormData(event.currentTarget).get('email') as string)
  }
  if (requesting.isSuccess) {
    return (
      <p role="status">
        If <strong className="[overflow-wrap:anywhere]">{requesting.variables}</strong> has an account, we sent a reset link. It
        works for one hour.
      </p>
    )
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <p className="text-soft">Enter your e-mail address. We’ll send you a link to choose a new password.</p>
      <Field label="E-mail">
        <TextInput name="email" inputMode="email" autoComplete="username" autoCapitalize="none" required autoFocus />
      </Field>
      {requesting.isError && <Problem message={messageOf(requesting.error)} />}
      <Button type="submit" kind="primary" isBusy={requesting.isPending}>Send reset link</Button>
    </form>
  )
}

const command = 'npx querypost reset-password you@example.com'

function ByAdministrator() {
  return (
    <>
      <p>E-mail isn’t set up. Ask your administrator for a reset link.</p>
      <div className="grid gap-1 text-soft">
        <p>Administrators can create one on the server:</p>
        <CodeBlock label="Command for administrators" text={command} isWrapped />
      </div>
    </>
  )
}
