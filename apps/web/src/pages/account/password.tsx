import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { accountOptions, changePassword } from '../../api/account.ts'
import { faultAt } from '../../api/request.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useToast } from '../../ui/toast.tsx'
import { newPasswordHint, PasswordInput } from '../sign-in/password-input.tsx'

export function Password() {
  const account = useQuery(accountOptions)
  return (
    <Card title="Password">
      <Loaded query={account} skeleton={<Skeleton rows={3} />}>
        {({ hasPassword, email }) => (hasPassword ? <PasswordForm email={email} /> : <NoPassword />)}
      </Loaded>
    </Card>
  )
}

const empty = { currentPassword: '', newPassword: '' }
const fields = ['/currentPassword', '/newPassword']

function PasswordForm({ email }: { email: string }) {
  const [given, setGiven] = useState(empty)
  const toast = useToast()
  const queryClient = useQueryClient()
  const saving = useMutation({
    mutationFn: changePassword,
    onSuccess: async () => {
      setGiven(empty)
      toast.show({ message: 'Password changed. You’re signed out everywhere else.' })
      await queryClient.invalidateQueries({ queryKey: ['account', 'sessions'] })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saving.mutate(given)
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      {/* Tells password managers which account this is. */}
      <input type="hidden" name="username" autoComplete="username" value={email} />
      <Field label="Current password" fault={faultAt(saving.error, '/currentPassword')}>
        <PasswordInput
          value={given.currentPassword}
          onChange={(event) => setGiven({ ...given, currentPassword: event.target.value })}
          autoComplete="current-password"
          required
        />
      </Field>
      <Field label="New password" hint={newPasswordHint} fault={faultAt(saving.error, '/newPassword')}>
        <PasswordInput
          value={given.newPassword}
          onChange={(event) => setGiven({ ...given, newPassword: event.target.value })}
          autoComplete="new-password"
          required
        />
      </Field>
      <FormProblem error={saving.error} fields={fields} />
      <Button type="submit" className="justify-self-start" isBusy={saving.isPending}>Change password</Button>
    </form>
  )
}

function NoPassword() {
  return (
    <p className="text-soft">
      You sign in with your organization’s provider and have no password here. To set one, sign out and choose{' '}
      <TextLink href={paths.forgottenPassword}>Forgot your password?</TextLink>
    </p>
  )
}
