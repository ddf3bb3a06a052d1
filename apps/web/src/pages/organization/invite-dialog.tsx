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

/** Creates an invitation, then shows its link, which can't be shown again. */
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
      title="Invite member"
      isOpen
      onOpenChange={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={inviting.isPending}>Create invitation</Button>
        </>
      }
    >
      <form id={formId} className="grid gap-4" onSubmit={submit}>
        <Field label="E-mail" hint="Only this address can accept the invitation." fault={faultAt(inviting.error, '/email')}>
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
        <Field label="Role" hint="Admins also manage databases, webhooks, members and settings.">
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
      title={`Invited ${invited.email}`}
      isOpen
      onOpenChange={onClose}
      footer={<Button kind="primary" onClick={onClose}>Done</Button>}
    >
      <div className="grid gap-3">
        {invited.isMailed && <Hint kind="good">Sent the link to {invited.email}.</Hint>}
        {invited.mailFault !== null && (
          <Hint kind="warning">Couldn’t send the e-mail: {invited.mailFault} Share the link yourself.</Hint>
        )}
        <p>
          {invited.isMailed ? 'You can also share the link yourself.' : 'Share this link.'} It works once, within 7 days. You
          won’t see it again.
        </p>
        <CodeBlock label="Invitation link" text={invited.url} copyLabel="Copy link" isWrapped />
      </div>
    </Dialog>
  )
}
