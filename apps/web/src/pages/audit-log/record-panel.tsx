import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { auditActionsOptions, type AuditRecord, auditRecordOptions } from '../../api/audit-log.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { RecordDetails } from './record-details.tsx'
import { actionLabel, describeActor, nameLabel, subjectPath } from './labels.ts'

/** One record in a side panel, with its own URL. */
export function RecordPanel({ id, onClose }: { id: string | null; onClose(): void }) {
  return (
    <Dialog
      isSheet
      title="Record"
      isOpen={id !== null}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      {id !== null && <LoadedRecord key={id} id={id} />}
    </Dialog>
  )
}

function LoadedRecord({ id }: { id: string }) {
  const query = useQuery(auditRecordOptions(id))
  return (
    <Loaded query={query}>
      {(record) =>
        record ? (
          <div className="grid grid-cols-1 gap-5">
            <Facts record={record} />
            <RecordDetails details={record.details} />
          </div>
        ) : (
          <p className="text-soft">Record not found. It may be older than the log.</p>
        )
      }
    </Loaded>
  )
}

function Facts({ record }: { record: AuditRecord }) {
  const { action, actor, subject } = record
  const { data: actions } = useQuery(auditActionsOptions)
  const { who, means } = describeActor(actor)
  const path = subjectPath(subject)
  const name = subject.name ?? subject.id ?? nameLabel(subject.type)
  return (
    <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-1.5 [&_dt]:text-soft">
      <Fact name="Action">
        <strong className="font-medium">{actionLabel(action)}</strong> <code className="text-xs text-soft">{action}</code>
        <span className="block text-soft">{actions?.find((each) => each.action === action)?.meaning}</span>
      </Fact>
      <Fact name="Target">
        {path === undefined ? name : <TextLink href={path}>{name}</TextLink>}{' '}
        <span className="text-xs text-soft">{nameLabel(subject.type)}</span>
        {subject.id !== null && (
          <span className="block text-xs">
            <code>{subject.id}</code> · <TextLink href={logOf({ subject: subject.id })}>View all actions on it</TextLink>
          </span>
        )}
      </Fact>
      <Fact name="Who">
        {who} {actor.user && <span className="text-xs text-soft">{actor.user.email}</span>}
        {means !== null && <span className="block text-soft">{means}</span>}
        {actor.id !== null && (
          <span className="block text-xs">
            <code>{actor.id}</code> ·{' '}
            <TextLink href={logOf({ actor: actor.id })}>
              {actor.kind === 'user' ? 'View all their actions' : 'View all its actions'}
            </TextLink>
          </span>
        )}
      </Fact>
      <Fact name="Time"><Time at={record.occurredAt} /></Fact>
      <Fact name="IP address">{record.address === null ? 'No request' : <code className="text-xs">{record.address}</code>}</Fact>
      {record.requestId !== null && (
        <Fact name="Request ID">
          <code className="text-xs">{record.requestId}</code>{' '}
          <TextLink className="text-xs" href={logOf({ search: record.requestId })}>View all</TextLink>
        </Fact>
      )}
      <Fact name="Record ID"><code className="text-xs">{record.id}</code></Fact>
    </dl>
  )
}

const logOf = (filter: Record<string, string>) => `${paths.auditLog}?${new URLSearchParams(filter)}`

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}
