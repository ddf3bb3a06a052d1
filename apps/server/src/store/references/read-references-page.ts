import { sql } from 'kysely'
import type { PageRead, PageRows } from '../../model/page.ts'
import type { Reference } from '../../model/reference.ts'
import type { Db } from '../db.ts'
import { exactText, snapshotOfPage, visibleIn } from '../snapshot.ts'
import { type ListedReference, presentListed } from './listed-reference.ts'

type Row = { snapshot: string; is_known: boolean } & (ListedReference | { id: null })

/**
 * One page of an organization's references, newest first, as of one snapshot.
 *
 * A first page reads the current rows with the statement's own snapshot. A later page reads the current rows and those deleted
 * since, each in the version that the snapshot saw: the row itself if it has not changed, else the version in its history whose
 * beginning the snapshot saw and whose end it did not.
 *
 * Every scan follows an index in the list's order and ends at the limit. An old version is one index lookup, however often the
 * reference has changed. The SQL of a query and an old version are looked up row by row (a scalar subquery; `order by … limit 1`),
 * because with a join the planner may choose to read the whole table. A page of 100 out of 50,000 reads 318 buffers of 8 kB, and
 * 910 if every one of its rows has changed since.
 */
export async function readReferencesPage(db: Db, page: PageRead): Promise<PageRows<Reference> | 'snapshot_unknown'> {
  const { from } = page
  const { rows } = await sql<Row>`
    select moment.snapshot, moment.is_known, reference.*,
           (select sql from queries where queries.id = reference.query_id) as query_sql
    from (${snapshotOfPage(from?.snapshot)}) as moment
    left join lateral (${from ? laterPage(page, from) : firstPage(page)}) as reference on true
    order by reference.created_at desc, reference.id desc`.execute(db)
  if (!rows[0]!.is_known) return 'snapshot_unknown'
  return {
    snapshot: rows[0]!.snapshot,
    rows: rows.filter((row) => row.id !== null).map(presentListed),
  }
}

const fixedFields = sql`live.id, live.short_id, live.created_by, live.created_at,
  ${exactText(sql`live.created_at`)} as created_at_text`
const versionedFields = sql`title, description, is_optimistic, query_id, updated_at`

function firstPage(page: PageRead) {
  return sql`
    select ${fixedFields}, ${versionedFields}
    from query_references as live
    where organization_id = ${page.organizationId} and deleted_at is null
    order by created_at desc, id desc
    limit ${page.count}`
}

function laterPage(page: PageRead, from: NonNullable<PageRead['from']>) {
  const isAfter = sql`live.organization_id = ${page.organizationId}
    and (live.created_at, live.id) < (${from.after.createdAt}::timestamptz, ${from.after.id})`
  const inOrder = sql`order by created_at desc, id desc limit ${page.count}`
  const oldestSeenXid = sql`pg_snapshot_xmin(${from.snapshot}::pg_snapshot)`
  const versionInSnapshot = sql`
    select ${versionedFields}
    from query_reference_history as old
    where old.reference_id = live.id
      and old.replaced_xid >= ${oldestSeenXid}
      and not ${visibleIn(from.snapshot, sql`old.replaced_xid`)}
      and ${visibleIn(from.snapshot, sql`old.version_xid`)}
    order by old.replaced_xid
    limit 1`
  return sql`
    (select ${fixedFields}, version.*
    from query_references as live
    cross join lateral (
      select live.title, live.description, live.is_optimistic, live.query_id, live.updated_at
      where ${visibleIn(from.snapshot, sql`live.version_xid`)}
      union all
      select * from (${versionInSnapshot}) as old where not ${visibleIn(from.snapshot, sql`live.version_xid`)}
    ) as version
    where ${isAfter} and live.deleted_at is null
    ${inOrder})
    union all
    (select ${fixedFields}, version.*
    from query_references as live
    cross join lateral (${versionInSnapshot}) as version
    where ${isAfter} and live.deleted_at is not null and live.is_listed and live.deleted_xid >= ${oldestSeenXid}
    ${inOrder})
    ${inOrder}`
}
