import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import { messageOf } from '../../api/request.ts'
import { sessionOptions, signIn } from '../../api/session.ts'
import { navigate } from '../../location.tsx'
import { paths, returnToIn } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Problem } from '../../ui/notice.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { OidcButton } from './oidc-button.tsx'
import { oidcFaultIn } from './oidc-faults.ts'
import { useLocation } from '../../use-location.ts'

export function SignInPage() {
  useTitle('Sign in')
  const { search } = useLocation()
  const queryClient = useQueryClient()
  const returnTo = returnToIn(search, window.location.origin)
  const entering = useMutation({
    mutationFn: async (credentials: { email: string; password: string }) => {
      const step = await signIn(credentials)
      if (step === null) await queryClient.fetchQuery({ ...sessionOptions, staleTime: 0 })
      return step
    },
    onSuccess: (step) => navigate(step === null ? returnTo : paths.secondStep(returnTo), { replace: true }),
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    entering.mutate({ email: form.get('email') as string, password: form.get('password') as string })
  }
  const message = entering.isError ? messageOf(entering.error) : entering.isIdle ? oidcFaultIn(search) : undefined
  return (
    <Card className="p-6">
      <form className="grid gap-4" onSubmit={submit}>
        <h1>Sign in</h1>
        <Field label="E-mail">
          <TextInput name="email" inputMode="email" autoComplete="username" autoCapitalize="none" required autoFocus />
        </Field>
        <div className="grid gap-1">
          <Field label="Password">
            <TextInput name="password" type="password" autoComplete="current-password" required />
          </Field>
          <TextLink className="justify-self-end text-xs" href={paths.forgottenPassword}>Forgot your password?</TextLink>
        </div>
        {message !== undefined && <Problem message={message} />}
        <Button type="submit" kind="primary" isBusy={entering.isPending || entering.isSuccess}>Sign in</Button>
        <OidcButton returnTo={returnTo} />
      </form>
    </Card>
  )
}
