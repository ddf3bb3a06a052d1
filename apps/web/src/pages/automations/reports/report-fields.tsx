import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { boardsOptions } from '../../../api/boards.ts'
import type { Condition, Severity } from '../../../api/automations.ts'
import { channelsOptions } from '../../../api/channels.ts'
import type { AddressState, AttachmentKind, ReportWhen } from '../../../api/reports.ts'
import { faultAt, messageOf } from '../../../api/request.ts'
import { paths } from '../../../paths.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import { FormProblem } from '../../../ui/form-problem.tsx'
import { Choice, Select } from '../../../ui/inputs.tsx'
import { Hint, Problem } from '../../../ui/notice.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import { aboutKinds } from '../../channels/channel-kinds.ts'
import { ConversationField } from '../../channels/conversation-field.tsx'
import { attachmentLabels, whenLabels } from './describe-report.ts'
import { RecipientPicker } from './recipient-picker.tsx'
import { isOfBoard, type ReportDraft } from './report-draft.ts'
import { ValuesFields } from './values-fields.tsx'

interface PartProps {
  draft: ReportDraft
  error: unknown
  onChange(changes: Partial<ReportDraft>): void
}

const fieldPaths = ['/content', '/target', '/when', '/minimumSeverity', '/attachments', '/values']

export function ReportFields(
  props: PartProps & { condition: Condition | null; addresses: { email: string; state: AddressState }[] },
) {
  const { draft, error, condition, addresses, onChange } = props
  const whens = (Object.keys(whenLabels) as ReportWhen[]).filter(
    (when) => (when !== 'condition' || condition !== null) && (when !== 'alert' || condition?.kind === 'alert'),
  )
  const isAlert = draft.when === 'alert'
  return (
    <>
      {!isAlert && <ContentFields draft={draft} error={error} onChange={onChange} />}
      <TargetFields draft={draft} error={error} addresses={addresses} onChange={onChange} />
      {!isAlert && <ValuesFields draft={draft} error={error} onChange={onChange} />}
      <Field label="When" fault={faultAt(error, '/when')}>
        <Select value={draft.when} onChange={({ target }) => onChange({ when: target.value as ReportWhen })}>
          {whens.map((when) => <option key={when} value={when}>{whenLabels[when]}</option>)}
        </Select>
      </Field>
      {isAlert && (
        <Field label="Severity" fault={faultAt(error, '/minimumSeverity')}>
          <Select
            value={draft.minimumSeverity ?? 'info'}
            onChange={({ target }) => onChange({ minimumSeverity: target.value === 'info' ? null : (target.value as Severity) })}
          >
            <option value="info">All messages</option>
            <option value="warning">Warnings and critical</option>
            <option value="critical">Critical only</option>
          </Select>
        </Field>
      )}
      {!isAlert && <AttachmentFields draft={draft} error={error} onChange={onChange} />}
      <FormProblem error={error} fields={fieldPaths} />
    </>
  )
}

function ContentFields({ draft, error, onChange }: PartProps) {
  const boards = useInfiniteQuery(boardsOptions)
  return (
    <div className="grid gap-3">
      <div role="radiogroup" aria-label="What to send" className="grid gap-2">
        <span className="text-xs font-medium" aria-hidden="true">What to send</span>
        <Choice type="radio" name="content" label="The summary of the run" checked={draft.content === 'summary'} onChange={() => onChange({ content: 'summary' })} />
        <Choice
          type="radio"
          name="content"
          label="A board"
          hint="Its tiles run again for the report, with charts as images."
          checked={draft.content === 'board'}
          onChange={() => onChange({ content: 'board' })}
        />
      </div>
      {draft.content === 'board' && (
        <>
          <Field label="Board" fault={faultAt(error, '/content')}>
            <Select value={draft.boardShortId} onChange={({ target }) => onChange({ boardShortId: target.value, ownValues: {} })}>
              <option value="">{boards.data?.length === 0 ? 'No boards yet' : 'Choose…'}</option>
              {boards.data?.map(({ shortId, title }) => <option key={shortId} value={shortId}>{title}</option>)}
            </Select>
          </Field>
          {boards.hasNextPage && (
            <Button size="small" className="justify-self-start" isBusy={boards.isFetchingNextPage} onClick={() => void boards.fetchNextPage()}>Load more boards</Button>
          )}
        </>
      )}
    </div>
  )
}

function TargetFields({ draft, error, addresses, onChange }: PartProps & { addresses: { email: string; state: AddressState }[] }) {
  const { data: channels, error: loadError } = useQuery(channelsOptions)
  const isEmail = draft.target === 'email'
  const channel = channels?.items.find(({ id }) => id === draft.target)
  return (
    <div className="grid gap-3">
      <Field
        label="Send to"
        fault={faultAtTarget(error)}
        hint={channels?.items.length === 0 && <>For Slack or Teams, <TextLink href={paths.channels}>add a channel</TextLink> first.</>}
      >
        <Select value={draft.target} onChange={({ target }) => onChange({ target: target.value, conversation: '' })}>
          <option value="email">E-mail</option>
          {channels?.items.map(({ id, name, kind, state }) => (
            <option key={id} value={id}>{name} ({aboutKinds[kind].label}{state === 'disabled' && ', disabled'})</option>
          ))}
        </Select>
      </Field>
      {loadError && <Problem message={messageOf(loadError)} />}
      {isEmail && channels?.isEmailEnabled === false && <Hint kind="warning">This service has no mail server. Ask the operator to set one up.</Hint>}
      {isEmail && (
        <RecipientPicker
          chosen={draft.recipients}
          addresses={addresses}
          fault={faultAt(error, '/target/recipients')}
          onChange={(recipients) => onChange({ recipients })}
        />
      )}
      {channel?.kind === 'slack_bot' && (
        <ConversationField
          channelId={channel.id}
          value={draft.conversation}
          fault={faultAt(error, '/target/conversation')}
          onChange={(conversation) => onChange({ conversation })}
        />
      )}
    </div>
  )
}

/** The faults of the recipients and the conversation are shown there. */
const faultAtTarget = (error: unknown) =>
  faultAt(error, '/target/recipients') === undefined && faultAt(error, '/target/conversation') === undefined ? faultAt(error, '/target') : undefined

function AttachmentFields({ draft, error, onChange }: PartProps) {
  const kinds = (Object.keys(attachmentLabels) as AttachmentKind[]).filter((kind) => draft.content === 'board' || !isOfBoard(kind))
  const fault = faultAt(error, '/attachments')
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-xs font-medium">Attach</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {kinds.map((kind) => (
          <Choice
            key={kind}
            label={attachmentLabels[kind]}
            checked={draft.attachments.includes(kind)}
            onChange={({ target }) =>
              onChange({ attachments: target.checked ? [...draft.attachments, kind] : draft.attachments.filter((other) => other !== kind) })
            }
          />
        ))}
      </div>
      {fault !== undefined && <p className="text-xs text-danger" role="alert">{fault}</p>}
    </fieldset>
  )
}
