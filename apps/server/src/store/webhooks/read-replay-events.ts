import { type RawBuilder, sql } from 'kysely'
import type { ReplayChoice } from '../../model/delivery-log.ts'
import type { Db, Tx } from '../db.ts'
import { locksOfOne } from '../locks.ts'

export interface ReplayRead extends ReplayChoice {
  endpointId: string
  /** Older events are not sent again. */
  eventsAfter: Date
  /** How many matching deliveries are looked at, at most. */
  lookMax: number
}

/** Replays of one endpoint take turns here, each until its transaction ends: the second sees what the first sends. */
export async function takeReplayLock(tx: Tx, endpointId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(locksOfOne.replay)}, hashtext(${endpointId}))`.execute(tx)
}

/**
 * The events among the deliveries that a replay chooses, each once; 'too_many' when there are more deliveries than may
 * be looked at. Tests are no part of it, and neither is an event that is on its way to the endpoint already: a replay
 * that is asked for twice sends once.
 */
export async function readReplayEvents(tx: Tx, read: ReplayRead): Promise<string[] | 'too_many'> {
  const { rows } = await sql<{ id: string | null; lookedAt: number }>`
    with ${matching(read)}, event as (${events(read)})
    select event.id, looked."lookedAt"
    from (select count(*)::integer as "lookedAt" from matching) as looked left join event on true`.execute(tx)
  if (rows[0]!.lookedAt > read.lookMax) return 'too_many'
  return rows.flatMap(({ id }) => id ?? [])
}

export async function countReplayEvents(db: Db, read: ReplayRead): Promise<number | 'too_many'> {
  const { rows } = await sql<{ count: number; lookedAt: number }>`
    with ${matching(read)}, event as (${events(read)})
    select (select count(*)::integer from event) as count,
      (select count(*)::integer from matching) as "lookedAt"`.execute(db)
  const { count, lookedAt } = rows[0]!
  return lookedAt > read.lookMax ? 'too_many' : count
}

/** States stand as literals, so that the planner can tell that the index of what did not arrive will do. */
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

/** A set operation and not a join with what is pending: its cost stays linear whatever the planner believes. */
function events(read: ReplayRead): RawBuilder<unknown> {
  return sql`
    select event.id
    from matching join webhook_events as event on event.id = matching.event_id
    where event.created_at > ${read.eventsAfter} and event.type = any (${read.eventTypes}::text[])
    except
    select event_id from webhook_deliveries where endpoint_id = ${read.endpointId} and state = 'pending'`
}
