import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow } from '../store-now.ts'
import { dueRetriesAtOnce, type TourOf } from './lane-turns.ts'

/** Which lanes a part of a tour visits: this many, starting after `afterLane`. */
export interface TourPart {
  afterLane: string
  laneMax: number
  tourOf: TourOf
  dueFrom: Date
}

export interface TourFindings {
  /** How many lanes it has visited. */
  tourLaneCount: number
  lastLane: string
  /** The earliest due time of enabled endpoints' deliveries in these lanes; null if there is none. */
  earliestDueAt: Date | null
  /** The store's time. */
  claimedAt: Date
  /** So many retries are due that a tour of due lanes visits none. */
  areManyRetriesDue: boolean
}

/**
 * The part as recursive queries: `tour`, and the same lanes as `lane`.
 *
 * Lanes are found by skipping through an index: one lookup per endpoint with pending deliveries, however many there are.
 *
 * A tour of `due` lanes leaves out endpoints whose deliveries all wait for a retry. Retries are read by due time: if so many are
 * due that reading them would cost more than visiting all lanes, another statement does that.
 */
export const tourOfLanes = (part: TourPart): RawBuilder<unknown> => sql`
    ${part.tourOf === 'all' ? tourOfAll(part) : tourOfDue(part)},
    lane as (select endpoint_id, due_at from tour)`

/** The lanes of `lane` in which something is due, as a query named `served`, with what a claim needs of their endpoints. */
export const servedLanes = sql`
    served as materialized (
      select lane.endpoint_id, lane.due_at, endpoint.*
      from lane
      -- The limit keeps the planner from reordering the lanes, which must be served in order.
      cross join lateral (
        select endpoint.organization_id, endpoint.url, endpoint.secret, endpoint.state
        from webhook_endpoints as endpoint join organizations on organizations.id = endpoint.organization_id
        where endpoint.id = lane.endpoint_id and endpoint.deleted_at is null and organizations.webhooks_enabled
        limit 1) as endpoint
      where lane.due_at <= ${storeNow}
    )`

/** The columns of `TourFindings`, for a query of `tour`. */
export const tourFindings = ({ tourOf }: TourPart): RawBuilder<unknown> => sql`
        count(*)::integer as "tourLaneCount", coalesce(max(endpoint_id), '') as "lastLane",
        (select min(due_at) from served where state = 'enabled') as "earliestDueAt", ${storeNow} as "claimedAt",
        ${tourOf === 'due' ? isRetryLimitReached : sql`false`} as "areManyRetriesDue"`

/** Reads the lanes in which something is due, in order. */
export async function readTour(db: Db, part: TourPart): Promise<TourFindings & { lanes: string[] }> {
  const { rows } = await sql<TourFindings & { lanes: string[] }>`${prepared}
    with recursive ${tourOfLanes(part)}, ${servedLanes}
    select ${tourFindings(part)}, array(select endpoint_id from served) as lanes
    from tour`.execute(db)
  const found = rows[0]!
  return found.areManyRetriesDue ? { ...(await readTour(db, { ...part, tourOf: 'all' })), areManyRetriesDue: true } : found
}

/** Visits all lanes with pending deliveries, also those in which none is due. */
const tourOfAll = (part: TourPart): RawBuilder<unknown> => skipThroughLanes('tour', sql`state = 'pending'`, part)

/**
 * Visits lanes in which something may be due: those with deliveries that have not been attempted yet, which are due unless they wait for
 * an earlier one of their key, and those of due retries. The lanes in which all deliveries wait for a retry cost nothing.
 */
const tourOfDue = (part: TourPart): RawBuilder<unknown> => sql`
    due_retry as materialized (
      select endpoint_id, next_attempt_at
      from webhook_deliveries
      where state = 'pending' and attempt_count > 0 and next_attempt_at >= ${part.dueFrom} and next_attempt_at <= ${storeNow}
      order by next_attempt_at
      limit ${sql.lit(dueRetriesAtOnce)}
    ),
    ${skipThroughLanes('first_attempts', sql`state = 'pending' and attempt_count = 0 and next_attempt_at < 'infinity'`, part)},
    tour as materialized (
      select endpoint_id, min(due_at) as due_at
      from (
        select endpoint_id, due_at from first_attempts
        union all
        select endpoint_id, next_attempt_at from due_retry where endpoint_id > ${part.afterLane}) as found
      where not ${isRetryLimitReached}
      group by endpoint_id
      order by endpoint_id
      limit ${part.laneMax}::integer
    )`

const isRetryLimitReached = sql`((select count(*) from due_retry) >= ${sql.lit(dueRetriesAtOnce)})`

/** Lanes with such deliveries, by one lookup in the index for each. */
const skipThroughLanes = (name: string, such: RawBuilder<unknown>, { afterLane, dueFrom, laneMax }: TourPart): RawBuilder<unknown> => sql`
    ${sql.raw(name)} (endpoint_id, due_at, number) as (
      (select endpoint_id, next_attempt_at, 1
       from webhook_deliveries
       where ${such} and endpoint_id > ${afterLane} and next_attempt_at >= ${dueFrom}
       order by endpoint_id, next_attempt_at
       limit least(1, ${laneMax}::integer))
      union all
      select next.endpoint_id, next.next_attempt_at, lane.number + 1
      from ${sql.raw(name)} as lane cross join lateral (
        select endpoint_id, next_attempt_at
        from webhook_deliveries
        where ${such} and endpoint_id > lane.endpoint_id and next_attempt_at >= ${dueFrom}
        order by endpoint_id, next_attempt_at
        limit 1) as next
      where lane.number < ${laneMax}::integer
    )`
