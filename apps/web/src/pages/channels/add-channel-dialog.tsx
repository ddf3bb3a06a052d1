import { useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { addChannel, type Channel, type ChannelKind, channelsOptions } from '../../api/channels.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Choice } from '../../ui/inputs.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useAction } from '../../ui/use-action.ts'
import { type ChannelDraft, ChannelFields, channelFields } from './channel-fields.tsx'
import { aboutKinds } from './channel-kinds.ts'

const formId = 'new-channel'

export function AddChannelDialog({ kinds, onAdded, onClose }: { kinds: ChannelKind[]; onAdded(channel: Channel): void; onClose(): void }) {
  const [kind, setKind] = useState<ChannelKind>(kinds[0] ?? 'slack_webhook')
  const [draft, setDraft] = useState<ChannelDraft>({ name: '', secret: '', signingSecret: '', endpointId: '' })
  const adding = useAction()
  const client = useQueryClient()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    adding.run(async () => {
      const signingSecret = draft.signingSecret.trim()
      const channel = await addChannel({
        kind,
        name: draft.name.trim(),
        ...(kind === 'webhook' && { settings: { endpointId: draft.endpointId } }),
        ...(kind === 'slack_bot' && signingSecret !== '' && { settings: { signingSecret } }),
        ...(kind !== 'webhook' && draft.secret.trim() !== '' && { secret: draft.secret.trim() }),
      })
      await client.invalidateQueries({ queryKey: channelsOptions.queryKey })
      onAdded(channel)
    })
  }
  return (
    <Dialog
      title="Add channel"
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={adding.isBusy}>Add channel</Button>
        </>
      }
    >
      <form id={formId} className="grid gap-5" onSubmit={submit} noValidate>
        <div role="radiogroup" aria-label="Kind" className="grid gap-3">
          {kinds.map((each) => (
            <Choice
              key={each}
              type="radio"
              name="kind"
              label={aboutKinds[each].label}
              hint={aboutKinds[each].description}
              checked={kind === each}
              onChange={() => setKind(each)}
            />
          ))}
        </div>
        <ChannelFields kind={kind} draft={draft} error={adding.error} onChange={(changes) => setDraft((before) => ({ ...before, ...changes }))} />
        <p className="text-xs"><TextLink href={aboutKinds[kind].help}>How to set this up</TextLink></p>
        <FormProblem error={adding.error} fields={channelFields} />
      </form>
    </Dialog>
  )
}
