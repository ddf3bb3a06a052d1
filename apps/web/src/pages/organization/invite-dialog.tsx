import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useId, useState } from 'react'
import { createInvitation, invitationsOptions, type NewInvitation } from '../../api/invitations.ts'
import { faultAt } from '../../api/request.ts'
import type { Role } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Hint } from '../../ui/notice.tsx'
import { RoleSelect } from './role-select.tsx'

/** Asks whom to invite, then shows the link, which can be read only here. */
export function InviteDialog(props: {
  invited: NewInvitation | undefined
  onInvited(invitation: NewInvitation): void
  onClose(): void
}) {
  const { invited } = props
  const formId = useId()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<Role>('member')
  const queryClient = useQueryClient()
  const inviting = useMutation({
    mutationFn: createInvitation,
    onSuccess: async (invitation) => {
      props.onInvited(invitation)
      await queryClient.invalidateQueries({ queryKey: invitationsOptions.queryKey, exact: true })
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    inviting.mutate({ email, role })
  }
  if (invited) return <LinkDialog invited={invited} onClose={props.onClose} />
  return (
    <Dialog
      title="Invite somebody"
      isOpen
      onOpenChange={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={inviting.isPending}>Invite</Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" onSubmit={submit}>
        <Field label="E-mail" hint="Only this address can join by the link." fault={faultAt(inviting.error, '/email')}>
          <TextInput
            type="email"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
            autoComplete="off"
            placeholder="jane@example.com"
            required
            autoFocus
          />
        </Field>
        <Field label="Role" hint="Admins also look after databases, webhooks, people and settings.">
          <RoleSelect value={role} onChange={setRole} />
        </Field>
        <FormProblem error={inviting.error} fields={['/email']} />
      </form>
    </Dialog>
  )
}

function LinkDialog({ invited, onClose }: { invited: NewInvitation; onClose(): void }) {
  return (
    <Dialog
      title={`${invited.email} is invited`}
      isOpen
      onOpenChange={onClose}
      footer={<Button kind="primary" onClick={onClose}>Done</Button>}
    >
      <div className="grid gap-3">
        {invited.isMailed && <Hint kind="good">The link was sent to {invited.email}.</Hint>}
        {invited.mailFault !== null && (
          <Hint kind="warning">The mail server did not take the letter: {invited.mailFault} Pass the link on yourself.</Hint>
        )}
        <p>
          {invited.isMailed ? 'You can also pass the link on yourself.' : 'Pass this link on.'} It works once, for 7 days,
          and is not shown again.
        </p>
        <CodeBlock label="Invitation link" text={invited.url} copyLabel="Copy link" isWrapped />
      </div>
    </Dialog>
  )
}
