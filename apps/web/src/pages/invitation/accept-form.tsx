import type { UseMutationResult } from '@tanstack/react-query'
import type { SubmitEvent } from 'react'
import type { OpenedInvitation } from '../../api/invitations.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { OidcButton } from '../sign-in/oidc-button.tsx'
import { newPasswordHint, PasswordInput } from '../sign-in/password-input.tsx'

const invitationPath = '/invitation'

type Given = { name?: string; password?: string }

/** Asks a signed-in person for nothing, the owner of an account for the password, and a new person for name and password. */
export function AcceptForm(props: {
  who: 'signed-in' | 'account' | 'new'
  onChangeWho(who: 'account' | 'new'): void
  invitation: OpenedInvitation
  accepting: UseMutationResult<unknown, Error, Given>
}) {
  const { who, invitation, accepting } = props
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => form.get(name) as string
    if (who === 'new') accepting.mutate({ name: text('name'), password: text('password') })
    else accepting.mutate(who === 'account' ? { password: text('password') } : {})
  }
  const fault = (path: string) => faultAt(accepting.error, path)
  return (
    <form className="grid gap-4" onSubmit={submit}>
      {who === 'new' && (
        <Field label="Your name" fault={fault('/name')}>
          <TextInput name="name" autoComplete="name" required maxLength={100} autoFocus />
        </Field>
      )}
      {who !== 'signed-in' && (
        <>
          <input type="hidden" name="username" autoComplete="username" value={invitation.email} />
          <Field
            label="Password"
            hint={who === 'new' ? newPasswordHint : 'The password of your Querypost account.'}
            fault={fault('/password')}
          >
            <PasswordInput
              name="password"
              autoComplete={who === 'new' ? 'new-password' : 'current-password'}
              required
              autoFocus={who === 'account'}
            />
          </Field>
        </>
      )}
      <FormProblem error={accepting.error} fields={who === 'signed-in' ? [] : ['/name', '/password']} />
      <Button type="submit" kind="primary" isBusy={accepting.isPending || accepting.isSuccess}>
        Join {invitation.organizationName}
      </Button>
      {who !== 'signed-in' && (
        <Button kind="ghost" onClick={() => props.onChangeWho(who === 'new' ? 'account' : 'new')}>
          {who === 'new' ? 'I already have an account' : 'I’m new here'}
        </Button>
      )}
      {who !== 'signed-in' && <OidcButton returnTo={invitationPath} />}
    </form>
  )
}
