import { useQuery } from '@tanstack/react-query'
import type { ChannelKind } from '../../api/channels.ts'
import { faultAt } from '../../api/request.ts'
import { endpointsOptions } from '../../api/webhook-endpoints.ts'
import { paths } from '../../paths.ts'
import { Field } from '../../ui/field.tsx'
import { Select, TextInput } from '../../ui/inputs.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { aboutKinds } from './channel-kinds.ts'

export interface ChannelDraft {
  name: string
  secret: string
  /** Of a Slack app. */
  signingSecret: string
  endpointId: string
}

interface FieldsProps {
  kind: ChannelKind
  draft: ChannelDraft
  error: unknown
  /** For a channel that has its secret already. */
  isSecretKept?: boolean
  onChange(changes: Partial<ChannelDraft>): void
}

export const channelFields = ['/name', '/secret', '/settings/signingSecret', '/settings/endpointId']

/** The name of a channel, and what gives access to it. */
export function ChannelFields({ kind, draft, error, isSecretKept = false, onChange }: FieldsProps) {
  const { secret } = aboutKinds[kind]
  return (
    <>
      <Field label="Name" fault={faultAt(error, '/name')}>
        <TextInput value={draft.name} onChange={({ target }) => onChange({ name: target.value })} placeholder="#sales" autoComplete="off" />
      </Field>
      {secret && (
        <Field
          label={secret.label}
          hint={isSecretKept ? 'Leave blank to keep the saved one.' : `${secret.hint} Stored encrypted, and never shown again.`}
          fault={faultAt(error, '/secret')}
        >
          <TextInput
            type="password"
            value={draft.secret}
            onChange={({ target }) => onChange({ secret: target.value })}
            placeholder={secret.placeholder}
            autoComplete="new-password"
            spellCheck={false}
          />
        </Field>
      )}
      {kind === 'slack_bot' && (
        <Field
          label="Signing secret"
          hint={
            isSecretKept
              ? 'Leave blank to keep the saved one.'
              : 'Optional: lets people ask questions by mentioning the bot. In Slack: your app, Basic Information.'
          }
          fault={faultAt(error, '/settings/signingSecret')}
        >
          <TextInput
            type="password"
            value={draft.signingSecret}
            onChange={({ target }) => onChange({ signingSecret: target.value })}
            autoComplete="new-password"
            spellCheck={false}
          />
        </Field>
      )}
      {kind === 'webhook' && <EndpointField draft={draft} error={error} onChange={onChange} />}
    </>
  )
}

function EndpointField({ draft, error, onChange }: Pick<FieldsProps, 'draft' | 'error' | 'onChange'>) {
  const { data: endpoints } = useQuery(endpointsOptions)
  return (
    <Field
      label="Endpoint"
      fault={faultAt(error, '/settings/endpointId')}
      hint={<>It verifies report.sent events like any other. <TextLink href={paths.newWebhookEndpoint}>Add an endpoint</TextLink></>}
    >
      <Select value={draft.endpointId} onChange={({ target }) => onChange({ endpointId: target.value })}>
        <option value="">{endpoints?.length === 0 ? 'No endpoints yet' : 'Choose…'}</option>
        {endpoints?.map(({ id, url, description }) => <option key={id} value={id}>{description ?? url}</option>)}
      </Select>
    </Field>
  )
}
