import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { type Channel, editChannel } from '../../api/channels.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { type ChannelDraft, ChannelFields, channelFields } from './channel-fields.tsx'
import { aboutKinds } from './channel-kinds.ts'

const formId = 'edit-channel'

/** Renames a channel, or replaces what gives access to it, which should be tested then. */
export function EditChannelDialog({ channel, onNewAccess, onClose }: { channel: Channel; onNewAccess(): void; onClose(): void }) {
  const { id, kind, name, settings } = channel
  const storedEndpointId = settings['endpointId'] ?? ''
  const [draft, setDraft] = useState<ChannelDraft>({ name, secret: '', signingSecret: '', endpointId: storedEndpointId })
  const saving = useAction()
  const client = useQueryClient()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    saving.run(async () => {
      const access = {
        ...(draft.secret.trim() !== '' && { secret: draft.secret.trim() }),
        ...(draft.endpointId !== storedEndpointId && { settings: { endpointId: draft.endpointId } }),
        ...(draft.signingSecret.trim() !== '' && { settings: { signingSecret: draft.signingSecret.trim() } }),
      }
      await editChannel(id, { name: draft.name.trim(), ...access })
      await client.invalidateQueries({ queryKey: ['channels'] })
      if (Object.keys(access).length > 0) onNewAccess()
      else onClose()
    })
  }
  return (
    <Dialog
      title={`Edit “${name}”`}
      description={aboutKinds[kind].label}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={saving.isBusy}>Save changes</Button>
        </>
      }
    >
      <form id={formId} className="grid gap-5" onSubmit={submit} noValidate>
        <ChannelFields
          kind={kind}
          draft={draft}
          error={saving.error}
          isSecretKept
          onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))}
        />
        <FormProblem error={saving.error} fields={channelFields} />
      </form>
    </Dialog>
  )
}
