import { useQuery } from '@tanstack/react-query'
import { conversationsOptions } from '../../api/channels.ts'
import { messageOf } from '../../api/request.ts'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/inputs.tsx'
import { Problem } from '../../ui/notice.tsx'

/** Chooses one of the Slack channels that a bot can post to. */
export function ConversationField(props: { channelId: string; value: string; fault: string | undefined; onChange(conversation: string): void }) {
  const { value, fault, onChange } = props
  const conversations = useQuery(conversationsOptions(props.channelId))
  const isKnown = conversations.data?.some(({ id }) => id === value)
  return (
    <>
      <Field label="Slack channel" fault={fault} hint="Channels that the bot can post to. Invite it to a private channel to see it here.">
        <Select value={value} disabled={conversations.isPending} onChange={({ target }) => onChange(target.value)}>
          <option value="">{conversations.isPending ? 'Loading…' : 'Choose…'}</option>
          {value !== '' && !isKnown && <option value={value}>{value}</option>}
          {conversations.data?.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
        </Select>
      </Field>
      {conversations.isError && <Problem message={messageOf(conversations.error)} onRetry={() => void conversations.refetch()} />}
    </>
  )
}
