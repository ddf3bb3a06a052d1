import { withoutFormula } from '../../results/downloads/formulas.ts'
import type { AuditRecord } from '../../model/audit-record.ts'

export const exportFormats = ['csv', 'jsonl'] as const
export type ExportFormat = (typeof exportFormats)[number]

const columns: Record<string, (record: AuditRecord) => string | null> = {
  id: ({ id }) => id,
  occurredAt: ({ occurredAt }) => occurredAt.toISOString(),
  action: ({ action }) => action,
  actorKind: ({ actor }) => actor.kind,
  actorId: ({ actor }) => actor.id,
  actorName: ({ actor }) => actor.name,
  userId: ({ actor }) => actor.user?.id ?? null,
  userName: ({ actor }) => actor.user?.name ?? null,
  userEmail: ({ actor }) => actor.user?.email ?? null,
  subjectType: ({ subject }) => subject.type,
  subjectId: ({ subject }) => subject.id,
  subjectName: ({ subject }) => subject.name,
  details: ({ details }) => JSON.stringify(details),
  address: ({ address }) => address,
  requestId: ({ requestId }) => requestId,
}

/**
 * Records as text, in batches. CSV follows RFC 4180, with cells escaped so that spreadsheets do not run them as formulas; null is
 * empty.
 */
export async function* toExport(portions: AsyncIterable<AuditRecord[]>, format: ExportFormat): AsyncGenerator<string> {
  if (format === 'csv') yield line(Object.keys(columns))
  for await (const records of portions) {
    yield records.map((record) => (format === 'csv' ? csvOf(record) : `${JSON.stringify(record)}\n`)).join('')
  }
}

const csvOf = (record: AuditRecord) => line(Object.values(columns).map((read) => read(record)))

const line = (cells: (string | null)[]) => `${cells.map(cellOf).join(',')}\r\n`

const cellOf = (text: string | null) => (text === null ? '' : quoted(withoutFormula(text)))

const quoted = (text: string) => (text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
