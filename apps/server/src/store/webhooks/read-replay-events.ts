import { type RawBuilder, sql } from 'kysely'
import type { ReplayChoice } from '../../model/delivery-log.ts'
import type { Db, Tx } from '../db.ts'
import { locksOfOne } from '../locks.ts'

export interface ReplayRead extends ReplayChoice {
  endpointId: string
  /** Older events are not replayed. */
  eventsAfter: Date
  /** How many matching deliveries are read at most. */
  lookMax: number
}

/** Serializes replays of one endpoint until the transaction ends, so that the second sees what the first has queued. */
export async function takeReplayLock(tx: Tx, endpointId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(locksOfOne.replay)}, hashtext(${endpointId}))`.execute(tx)
}

/**
 * The distinct events of the deliveries that a replay selects; 'too_many' if there are more deliveries than may be read. Tests are
 * excluded, and so are events already pending for the endpoint, so that requesting a replay twice sends each event once.
 */
export async function readReplayEvents(tx: Tx, read: ReplayRead): Promise<string[] | 'too_many'> {
  const { rows } = await sql<{ id: string | null; readCount: number }>`
    with ${matching(read)}, event as (${events(read)})
    select event.id, counted."readCount"
    from (select count(*)::integer as "readCount" from matching) as counted left join event on true`.execute(tx)
  if (rows[0]!.readCount > read.lookMax) return 'too_many'
  return rows.flatMap(({ id }) => id ?? [])
}

export async function countReplayEvents(db: Db, read: ReplayRead): Promise<number | 'too_many'> {
  const { rows } = await sql<{ count: number; readCount: number }>`
    with ${matching(read)}, event as (${events(read)})
    select (select count(*)::integer from event) as count,
      (select count(*)::integer from matching) as "readCount"`.execute(db)
  const { count, readCount } = rows[0]!
  return readCount > read.lookMax ? 'too_many' : count
}

/** States are literals, so that the planner can use the index of undelivered ones. */
function matching(read: ReplayRead): RawBuilder<unknown> {
  return sql`matching as materialized (
    select event_id
    from webhook_deliveries
    where endpoint_id = ${read.endpointId} and not is_test
      and state in (${sql.join(read.states.map((state) => sql.lit(state)))})
      and created_at > ${read.eventsAfter}
      ${read.from ? sql`and created_at >= ${read.from}` : sql``}
      ${read.to ? sql`and created_at < ${read.to}` : sql``}
    limit ${read.lookMax + 1})`
}

/** Uses a set operation instead of a join with pending deliveries, so that the cost stays linear whatever the planner estimates. */
function events(read: ReplayRead): RawBuilder<unknown> {
  return sql`
    select event.id
    from matching join webhook_events as event on event.id = matching.event_id
    where event.created_at > ${read.eventsAfter} and event.type = any (${read.eventTypes}::text[])
    except
    select event_id from webhook_deliveries where endpoint_id = ${read.endpointId} and state = 'pending'`
}
