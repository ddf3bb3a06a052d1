import { type RawBuilder, sql } from 'kysely'
import type { AuditFilter, AuditRecord } from '../../model/audit-record.ts'
import type { ItemKey } from '../../model/page.ts'
import type { Db } from '../db.ts'

export interface AuditLogRead {
  organizationId: string
  filter: AuditFilter
  after?: ItemKey
  count: number
}

export interface AuditLogRows {
  /** Newest first, at most `count` of them. */
  rows: AuditRecord[]
  /** Where the scan stopped before the end of the log. The next page continues from here. */
  lookedUpTo: ItemKey | null
}

/** How many records a page with several filters scans at most, so that filters without matches take bounded time. */
const scanMax = 5000

type Row = { scannedCount: number; lastAt: Date | null; lastId: string | null } & (Columns | { id: null })

interface Columns extends Pick<AuditRecord, 'id' | 'occurredAt' | 'action' | 'details' | 'address' | 'requestId'> {
  actorKind: AuditRecord['actor']['kind']
  actorId: string | null
  actorName: string | null
  userId: string | null
  userName: string | null
  userEmail: string | null
  subjectType: AuditRecord['subject']['type']
  subjectId: string | null
  subjectName: string | null
  /** Set if the record represents several actions. */
  tallyCount: number | null
  tallyLastAt: Date | null
}

/** Actions with so few records are read completely, rather than everything that a person did. */
const fewRecords = 500

/**
 * Reads one page. The narrowest filter has its own index and is read in order; the remaining filters are applied to that, for up to
 * `scanMax` records per page.
 */
export async function readAuditLog(db: Db, read: AuditLogRead): Promise<AuditLogRows> {
  const readBy = await chooseIndex(db, read)
  const filters = remainingFilters(read.filter, readBy)
  const scanCount = filters.length > 0 ? scanMax : read.count
  const { rows } = await sql<Row>`
    with scanned as materialized (
      select * from (${sourceOf(read, readBy, scanCount)}) as source
      order by occurred_at desc, id desc
      limit ${scanCount}),
    last as (
      select occurred_at as "lastAt", id as "lastId" from scanned order by occurred_at, id limit 1)
    select (select count(*)::integer from scanned) as "scannedCount", last.*, item.*
    from (values (1)) as always
    left join last on true
    left join (
      select id, occurred_at as "occurredAt", action, actor_kind as "actorKind", actor_id as "actorId",
        actor_name as "actorName", user_id as "userId", user_name as "userName", user_email as "userEmail",
        subject_type as "subjectType", subject_id as "subjectId", subject_name as "subjectName", details, address,
        request_id as "requestId",
        case when action = 'query.created' then
          (select action_count from audit_tallies where record_id = scanned.id) end as "tallyCount",
        case when action = 'query.created' then
          (select last_at from audit_tallies where record_id = scanned.id) end as "tallyLastAt"
      from scanned
      ${filters.length > 0 ? sql`where ${sql.join(filters, sql` and `)}` : sql``}
      order by occurred_at desc, id desc
      limit ${read.count}) as item on true
    order by item."occurredAt" desc, item.id desc`.execute(db)
  const { scannedCount, lastAt, lastId } = rows[0]!
  const isCut = scannedCount === scanCount && lastAt !== null && lastId !== null
  return {
    rows: rows.filter((row): row is Row & Columns => row.id !== null).map(present),
    lookedUpTo: isCut ? { createdAt: lastAt.toISOString(), id: lastId } : null,
  }
}

type ReadBy = 'found' | 'subject' | 'actor' | 'action' | 'time'

async function chooseIndex(db: Db, { organizationId, filter }: AuditLogRead): Promise<ReadBy> {
  const { found, subjectId, actorId, actions } = filter
  if (found !== undefined) return 'found'
  if (subjectId !== undefined) return 'subject'
  if (actorId === undefined) return actions ? 'action' : 'time'
  return actions && (await hasFewRecords(db, { organizationId, actions })) ? 'action' : 'actor'
}

async function hasFewRecords(db: Db, { organizationId, actions }: { organizationId: string; actions: string[] }): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from unnest(${actions}::text[]) as wanted (action)
    cross join lateral (
      select from audit_log where organization_id = ${organizationId} and action = wanted.action limit ${fewRecords + 1}) as counted`.execute(db)
  return rows[0]!.count <= fewRecords
}

/** Newest first. Each branch has its own limit, so the cost does not grow with the log. */
function sourceOf({ organizationId, filter, after }: AuditLogRead, readBy: ReadBy, count: number): RawBuilder<unknown> {
  const where = (condition: RawBuilder<unknown>) => sql`
    (select * from audit_log
    where organization_id = ${organizationId} ${condition}
      ${after ? sql`and (occurred_at, id) < (${after.createdAt}::timestamptz, ${after.id})` : sql``}
      ${filter.from ? sql`and occurred_at >= ${filter.from}` : sql``}
      ${filter.to ? sql`and occurred_at < ${filter.to}` : sql``}
    order by occurred_at desc, id desc
    limit ${count})`
  const { found, subjectId, actorId, actions } = filter
  if (readBy === 'found') {
    const columns = columnsWith(found!)
    return sql.join(
      columns.map((column) => where(sql`and ${sql.ref(column)} = ${found}`)),
      sql` union `,
    )
  }
  if (readBy === 'subject') return where(sql`and subject_id = ${subjectId}`)
  if (readBy === 'actor') return where(isActor(actorId!))
  if (readBy === 'action') {
    return sql.join(
      actions!.map((action) => where(sql`and action = ${action}`)),
      sql` union all `,
    )
  }
  return where(sql``)
}

/**
 * The columns that may contain an id: of the record, the request, the actor or the subject. Each is looked up in every partition, so those
 * whose values have another prefix are left out. Clients choose ids of requests, which may look like any other.
 */
function columnsWith(id: string): string[] {
  if (/^req_[0-9A-Za-z]+$/.test(id)) return ['request_id']
  const columns = ['request_id', 'subject_id', 'actor_id']
  if (id.startsWith('audit_')) columns.push('id')
  if (id.startsWith('user_')) columns.push('user_id')
  return columns
}

/** Actions of a person's keys and agents count as the person's own. */
const isActor = (actorId: string) =>
  actorId.startsWith('user_') ? sql`and user_id = ${actorId}` : sql`and actor_id = ${actorId}`

/** The filters other than the one that `sourceOf` reads by. */
function remainingFilters({ subjectId, actorId, actions }: AuditFilter, readBy: ReadBy): RawBuilder<unknown>[] {
  return [
    ...(subjectId !== undefined && readBy !== 'subject' ? [sql`subject_id = ${subjectId}`] : []),
    ...(actorId !== undefined && readBy !== 'actor' ? [sql`true ${isActor(actorId)}`] : []),
    ...(actions && readBy !== 'action' ? [sql`action = any(${actions}::text[])`] : []),
  ]
}

const present = (row: Columns): AuditRecord => ({
  id: row.id,
  occurredAt: row.occurredAt,
  action: row.action,
  actor: {
    kind: row.actorKind,
    id: row.actorId,
    name: row.actorName,
    user: row.userId === null ? null : { id: row.userId, name: row.userName ?? '', email: row.userEmail ?? '' },
  },
  subject: { type: row.subjectType, id: row.subjectId, name: row.subjectName },
  details: row.tallyCount === null ? row.details : { ...row.details, count: row.tallyCount, lastAt: row.tallyLastAt!.toISOString() },
  address: row.address,
  requestId: row.requestId,
})
