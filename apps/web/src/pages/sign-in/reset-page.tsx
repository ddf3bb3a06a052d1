import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { passwordResetOptions, resetPassword } from '../../api/links.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { enterHome, OpenedLink, tokenInUrl } from './opened-link.tsx'
import { newPasswordHint, PasswordInput } from './password-input.tsx'

export function ResetPage() {
  useTitle('Choose a new password')
  const [token] = useState(tokenInUrl)
  const link = useQuery(passwordResetOptions(token))
  return <OpenedLink query={link}>{({ email }) => <ResetForm token={token} email={email} />}</OpenedLink>
}

function ResetForm({ token, email }: { token: string; email: string }) {
  const saving = useMutation({ mutationFn: resetPassword, onSuccess: enterHome })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    saving.mutate({ token, password: new FormData(event.currentTarget).get('password') as string })
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <div className="grid gap-1">
        <h1>Choose a new password</h1>
        <p className="text-soft">
          For <strong className="text-ink [overflow-wrap:anywhere]">{email}</strong>. You’ll be signed out everywhere else.
        </p>
      </div>
      {/* Tells password managers which account this is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <Field label="New password" hint={newPasswordHint} fault={faultAt(saving.error, '/password')}>
        <PasswordInput name="password" autoComplete="new-password" required autoFocus />
      </Field>
      <FormProblem error={saving.error} fields={['/password']} />
      <Button type="submit" kind="primary" isBusy={saving.isPending || saving.isSuccess}>Save and sign in</Button>
    </form>
  )
}
