import { sql } from 'kysely'
import type { PublishedEvent, Stretch } from '../../model/event-position.ts'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'

/**
 * The next events of a stretch, at most `count`, in transaction order. A stretch contains everything that committed between its two
 * snapshots, even if its transaction began long before.
 *
 * The inner select has the order of an index, so each partition is read only as far as needed. With the id in its order, PostgreSQL would
 * sort all events of the stretch where it has no statistics.
 */
export async function readPublishedEvents(
  db: Db,
  read: { organizationId: string; stretch: Stretch; count: number },
): Promise<PublishedEvent[]> {
  const { seen, upTo, after, notBefore } = read.stretch
  const { rows } = await sql<PublishedEvent>`${prepared}
    select id, type, created_at as "createdAt", body, is_test as "isTest", published_xid::text as xid
    from (
      select * from webhook_events
      where organization_id = ${read.organizationId}
        and published_xid >= pg_snapshot_xmin(${seen}::pg_snapshot)
        and published_xid < pg_snapshot_xmax(${upTo}::pg_snapshot)
        and published_xid >= ${after.xid}::xid8
        and (published_xid > ${after.xid}::xid8 or id > ${after.id})
        and created_at >= ${notBefore}::timestamptz
        and not pg_visible_in_snapshot(published_xid, ${seen}::pg_snapshot)
        and pg_visible_in_snapshot(published_xid, ${upTo}::pg_snapshot)
      order by published_xid
      fetch first (${read.count}) rows with ties) as event
    order by published_xid, id
    limit ${read.count}`.execute(db)
  return rows
}
