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
  /** Where looking ended before the end of the log was reached; later pages go on from here. */
  lookedUpTo: ItemKey | null
}

/** How many records a page with several filters looks through, so that filters which find nothing cost a bounded time. */
const lookMax = 5000

type Row = { lookedCount: number; lastAt: Date | null; lastId: string | null } & (Columns | { id: null })

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
  /** Where the record stands for several actions. */
  tallyCount: number | null
  tallyLastAt: Date | null
}

/**
 * One page. What the narrowest filter leaves is read in order from an index of its own; further filters sift that, up to
 * `lookMax` records a page.
 */
export async function readAuditLog(db: Db, read: AuditLogRead): Promise<AuditLogRows> {
  const { filter } = read
  const sifting = siftingOf(filter)
  const lookCount = sifting.length > 0 ? lookMax : read.count
  const { rows } = await sql<Row>`
    with looked as materialized (
      select * from (${sourceOf(read, lookCount)}) as source
      order by occurred_at desc, id desc
      limit ${lookCount}),
    last as (
      select occurred_at as "lastAt", id as "lastId" from looked order by occurred_at, id limit 1)
    select (select count(*)::integer from looked) as "lookedCount", last.*, item.*
    from (values (1)) as always
    left join last on true
    left join (
      select id, occurred_at as "occurredAt", action, actor_kind as "actorKind", actor_id as "actorId",
        actor_name as "actorName", user_id as "userId", user_name as "userName", user_email as "userEmail",
        subject_type as "subjectType", subject_id as "subjectId", subject_name as "subjectName", details, address,
        request_id as "requestId",
        case when action = 'query.created' then
          (select action_count from audit_tallies where record_id = looked.id) end as "tallyCount",
        case when action = 'query.created' then
          (select last_at from audit_tallies where record_id = looked.id) end as "tallyLastAt"
      from looked
      ${sifting.length > 0 ? sql`where ${sql.join(sifting, sql` and `)}` : sql``}
      order by occurred_at desc, id desc
      limit ${read.count}) as item on true
    order by item."occurredAt" desc, item.id desc`.execute(db)
  const { lookedCount, lastAt, lastId } = rows[0]!
  const isCut = lookedCount === lookCount && lastAt !== null && lastId !== null
  return {
    rows: rows.filter((row): row is Row & Columns => row.id !== null).map(present),
    lookedUpTo: isCut ? { createdAt: lastAt.toISOString(), id: lastId } : null,
  }
}

/** Newest first, each branch with a limit of its own: what it costs does not grow with the log. */
function sourceOf({ organizationId, filter, after }: AuditLogRead, count: number): RawBuilder<unknown> {
  const where = (condition: RawBuilder<unknown>) => sql`
    (select * from audit_log
    where organization_id = ${organizationId} ${condition}
      ${after ? sql`and (occurred_at, id) < (${after.createdAt}::timestamptz, ${after.id})` : sql``}
      ${filter.from ? sql`and occurred_at >= ${filter.from}` : sql``}
      ${filter.to ? sql`and occurred_at < ${filter.to}` : sql``}
    order by occurred_at desc, id desc
    limit ${count})`
  const { found, subjectId, actorId, actions } = filter
  if (found !== undefined) {
    // Whatever it names: the record, the request, who acted, or what was acted upon.
    const columns = ['id', 'request_id', 'subject_id', 'actor_id', 'user_id']
    return sql.join(
      columns.map((column) => where(sql`and ${sql.ref(column)} = ${found}`)),
      sql` union `,
    )
  }
  if (subjectId !== undefined) return where(sql`and subject_id = ${subjectId}`)
  if (actorId !== undefined) return where(isActor(actorId))
  if (actions) {
    return sql.join(
      actions.map((action) => where(sql`and action = ${action}`)),
      sql` union all `,
    )
  }
  return where(sql``)
}

/** A person has also done what their keys and agents did for them. */
const isActor = (actorId: string) =>
  actorId.startsWith('user_') ? sql`and user_id = ${actorId}` : sql`and actor_id = ${actorId}`

/** What is left of the filters beside the one that `sourceOf` reads by. */
function siftingOf({ found, subjectId, actorId, actions }: AuditFilter): RawBuilder<unknown>[] {
  const readBy = found !== undefined ? 'found' : subjectId !== undefined ? 'subject' : actorId !== undefined ? 'actor' : 'action'
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
