import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { finishWelcome, type Welcome, welcomeOptions } from '../../api/links.ts'
import { faultAt } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { enterHome, OpenedLink, tokenInUrl } from '../sign-in/opened-link.tsx'
import { newPasswordHint, PasswordInput } from '../sign-in/password-input.tsx'

/** Sets up a new service, opened with the link that its first start prints. */
export function WelcomePage() {
  useTitle('Welcome')
  const [token] = useState(tokenInUrl)
  const link = useQuery(welcomeOptions(token))
  return <OpenedLink query={link}>{(welcome) => <WelcomeForm token={token} welcome={welcome} />}</OpenedLink>
}

const fields = ['/organizationName', '/name', '/email', '/password']

function WelcomeForm({ token, welcome }: { token: string; welcome: Welcome }) {
  const saving = useMutation({ mutationFn: finishWelcome, onSuccess: enterHome })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => form.get(name) as string
    saving.mutate({
      token,
      organizationName: text('organizationName'),
      name: text('name'),
      email: text('email'),
      password: text('password'),
    })
  }
  const fault = (path: string) => faultAt(saving.error, path)
  // The default address is only a placeholder.
  const email = welcome.email.endsWith('@localhost') ? '' : welcome.email
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <div className="grid gap-1">
        <h1>Welcome to Querypost</h1>
        <p className="text-soft">Create the first admin account and name your organization.</p>
      </div>
      <Field label="Your name" fault={fault('/name')}>
        <TextInput name="name" autoComplete="name" required maxLength={100} autoFocus />
      </Field>
      <Field label="E-mail" hint="You’ll sign in with this address." fault={fault('/email')}>
        <TextInput name="email" type="email" autoComplete="username" defaultValue={email} required />
      </Field>
      <Field label="Password" hint={newPasswordHint} fault={fault('/password')}>
        <PasswordInput name="password" autoComplete="new-password" required />
      </Field>
      <Field
        label="Organization"
        hint="Your company or team. Its members share queries."
        fault={fault('/organizationName')}
      >
        <TextInput
          name="organizationName"
          autoComplete="organization"
          placeholder={welcome.organizationName}
          required
          maxLength={100}
        />
      </Field>
      <FormProblem error={saving.error} fields={fields} />
      <Button type="submit" kind="primary" isBusy={saving.isPending || saving.isSuccess}>Create account</Button>
    </form>
  )
}
