import { type RawBuilder, sql } from 'kysely'
import type { Claim, ClaimedDelivery, ClaimOptions } from '../../model/claimed-delivery.ts'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'
import { dueRetriesAtOnce, lanesAtOnce, type TourOf } from './lane-turns.ts'

interface Row extends ClaimedDelivery {
  tourLaneCount: number
  lastLane: string
  earliestDueAt: Date | null
  claimedAt: Date
  blockedLanes: string[]
  disabledLanes: string[]
  areManyRetriesDue: boolean
}

export interface ClaimWithFloor extends Claim {
  /** The earliest due time of enabled endpoints' deliveries in the scanned lanes; null if there is none. */
  earliestDueAt: Date | null
  /** The store's time of the claim. */
  claimedAt: Date
  /** Endpoints with due deliveries that have to wait for an earlier one of their key. */
  blockedLanes: string[]
  /** How many lanes of the tour it has visited. */
  tourLaneCount: number
  /** So many retries were due that it has visited all lanes. */
  areManyRetriesDue: boolean
}

export interface VisitOptions extends ClaimOptions {
  dueFrom: Date
  /** Lanes that are visited in any case, before the tour (lane-turns.ts). */
  known?: readonly string[]
  /** How many lanes are visited from `afterLane` on. */
  tourLaneMax?: number
  /** Default: `due`. */
  tourOf?: TourOf
}

/**
 * Claims due deliveries, lane by lane.
 *
 * Lanes are found by skipping through an index: one lookup per endpoint with pending deliveries, however many there are. From each
 * lane come as many deliveries as the endpoint has room for, so neither a backlog nor a hanging receiver costs the others more than
 * that one lookup. `skip locked` lets many workers claim at the same time.
 *
 * A tour of `due` lanes leaves out endpoints whose deliveries all wait for a retry. Retries are read by due time: if so many are
 * due that reading them would cost more than visiting all lanes, another statement does that.
 *
 * Deliveries due before `dueFrom` are skipped within the index. While an old snapshot is open (for example by a backup), index entries
 * of completed deliveries cannot be removed, and each lane begins with them. Checking 50,000 of them took 74 ms; with a `dueFrom` later
 * than theirs it takes 0.4 ms. claim-floor.ts explains which value is safe.
 *
 * Deliveries to ordered endpoints are claimed only if they are the first of their key; order-deliveries.ts explains the rest.
 *
 * The rows are updated by their physical location (`ctid`), which does not change while they are locked.
 *
 * A claim lost in a server crash is simply made again, so it need not wait for the disk. Attempts are still recorded once, because a
 * record names both the attempt number and the lease number. The setting ends with the statement.
 */
export async function claimDeliveries(db: Db, options: VisitOptions): Promise<ClaimWithFloor> {
  const first = await visitLanes(db, options)
  const { areManyRetriesDue } = first
  const { lastLane, disabledLanes, ...visit } = areManyRetriesDue ? await visitLanes(db, { ...options, tourOf: 'all' }) : first
  const room = options.count - visit.deliveries.length
  const tests = disabledLanes.length > 0 && room > 0 ? await claimTests(db, { ...options, count: room, endpointIds: disabledLanes }) : []
  const found = { ...visit, deliveries: [...visit.deliveries, ...tests], areManyRetriesDue }
  if (found.deliveries.length >= options.count) return { ...found, nextAfterLane: lastOfTour(found.deliveries, options) }
  const { tourLaneMax = lanesAtOnce } = options
  const isTourOver = found.tourLaneCount < tourLaneMax || tourLaneMax === 0
  return { ...found, nextAfterLane: isTourOver ? '' : lastLane }
}

interface Visit extends Omit<ClaimWithFloor, 'nextAfterLane'> {
  /** The last lane of the tour. */
  lastLane: string
  /** Endpoints with due deliveries that get only tests, because they are disabled. */
  disabledLanes: string[]
}

async function visitLanes(db: Db, options: VisitOptions): Promise<Visit> {
  const { dueFrom, known = [], tourLaneMax = lanesAtOnce, tourOf = 'due' } = options
  const part = { afterLane: options.afterLane, dueFrom, tourLaneMax }
  const room = roomOf(options, tourLaneMax > 0 ? options.rooms.keys() : known)
  const { rows } = await sql<Row>`${prepared}
    with recursive ${tourOf === 'all' ? tourOfAll(part) : tourOfDue(part)},
    ${known.length > 0 ? knownLanesAndTour(known, { dueFrom, tourOf }) : sql`lane as (select endpoint_id, due_at from tour)`},
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
    ),
    due as (
      select delivery.ctid, delivery.event_id, served.organization_id, served.url, served.secret, served.endpoint_id,
        -- Ordered and limited, so that the planner looks up the head in its index even if one key has almost all deliveries.
        delivery.order_key is not null and delivery.order_number > (
          select head.order_number
          from webhook_deliveries as head
          where head.endpoint_id = served.endpoint_id and head.order_key = delivery.order_key and head.state = 'pending'
          order by head.order_number
          limit 1) as is_blocked
      from served
      cross join lateral (
        select ctid, event_id, order_key, order_number
        from webhook_deliveries
        where served.state = 'enabled' and endpoint_id = served.endpoint_id and state = 'pending'
          and next_attempt_at >= served.due_at and next_attempt_at <= ${storeNow}
          and ${isFree(options)}
        order by next_attempt_at
        limit ${room}
        for update skip locked) as delivery
      limit ${options.count}
    ),
    ${claimed(options)}
    select claimed.*, "tourLaneCount", "lastLane", "earliestDueAt", "claimedAt", "blockedLanes", "disabledLanes", "areManyRetriesDue"
    from (
      select count(*)::integer as "tourLaneCount", coalesce(max(endpoint_id), '') as "lastLane",
        (select min(due_at) from served where state = 'enabled') as "earliestDueAt", ${storeNow} as "claimedAt",
        array(select distinct endpoint_id from due where is_blocked) as "blockedLanes",
        array(select endpoint_id from served where state = 'disabled') as "disabledLanes",
        ${tourOf === 'due' ? isRetryLimitReached : sql`false`} as "areManyRetriesDue",
        set_config('synchronous_commit', 'off', true)
      from tour) as scanned
    left join claimed on true`.execute(db)
  const { tourLaneCount, lastLane, earliestDueAt, claimedAt, blockedLanes, disabledLanes, areManyRetriesDue } = rows[0]!
  const deliveries = rows.filter((row) => row.id !== null).map(deliveryOf)
  return { deliveries, tourLaneCount, lastLane, earliestDueAt, claimedAt, blockedLanes, disabledLanes, areManyRetriesDue }
}

/**
 * A disabled endpoint only gets tests. They have their own index, because it may have very many others that are not held yet. They are a statement of
 * their own, because PostgreSQL prepares all steps of a statement each time, needed or not, which is a third of the time of a claim.
 */
async function claimTests(db: Db, options: VisitOptions & { endpointIds: string[] }): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`${prepared}
    with due as (
      select delivery.ctid, delivery.event_id, served.*, false as is_blocked
      from unnest(${options.endpointIds}::text[]) as lane (endpoint_id)
      cross join lateral (
        select id as endpoint_id, organization_id, url, secret from webhook_endpoints where id = lane.endpoint_id limit 1) as served
      cross join lateral (
        select ctid, event_id
        from webhook_deliveries
        where endpoint_id = served.endpoint_id and state = 'pending' and is_test
          and next_attempt_at >= ${options.dueFrom} and next_attempt_at <= ${storeNow} and ${isFree(options)}
        order by next_attempt_at
        limit ${roomOf(options, options.endpointIds)}
        for update skip locked) as delivery
      limit ${options.count}
    ),
    ${claimed(options)}
    select claimed.* from claimed, (select set_config('synchronous_commit', 'off', true)) as setting`.execute(db)
  return rows.map(deliveryOf)
}

/** No living worker has leased it. */
const isFree = ({ goneWorkers }: ClaimOptions): RawBuilder<unknown> => sql`
  (lease_expires_at is null or lease_expires_at <= ${storeNow} or (lease_owner = any (${goneWorkers}::text[]) and order_key is null))`

/** Leases the deliveries of `due`, which are locked. */
const claimed = (options: ClaimOptions): RawBuilder<unknown> => sql`
    claimed as (
      update webhook_deliveries as delivery
      set lease_number = delivery.lease_number + 1, lease_owner = ${options.workerId},
        lease_expires_at = ${storeNowPlus(options.leaseMs)}
      -- The planner can't know how few deliveries are due. The array keeps it from reading all of them, and the limit from reading all events.
      from due
      cross join lateral (select id, body, traceparent from webhook_events where id = due.event_id limit 1) as event
      where delivery.ctid = any (array(select ctid from due)) and delivery.ctid = due.ctid and not due.is_blocked
      returning delivery.id, delivery.lease_number as "leaseNumber", delivery.attempt_count + 1 as "attemptNumber",
        event.id as "eventId", event.body,
        delivery.endpoint_id as "endpointId", due.organization_id as "organizationId", due.url, due.secret,
        delivery.order_key as "orderKey", event.traceparent
    )`

/** Without the columns about the claim as a whole, which are the same in each row. */
const deliveryOf = (row: ClaimedDelivery): ClaimedDelivery => ({
  id: row.id,
  leaseNumber: row.leaseNumber,
  attemptNumber: row.attemptNumber,
  eventId: row.eventId,
  body: row.body,
  endpointId: row.endpointId,
  organizationId: row.organizationId,
  url: row.url,
  secret: row.secret,
  orderKey: row.orderKey,
  traceparent: row.traceparent ?? null,
})

/**
 * How many more deliveries the endpoint of `served` gets, if it is one of these. They are listed only if they differ from the others,
 * because PostgreSQL reads the list at some 2 µs a lane.
 */
function roomOf({ rooms, roomOfOthers }: ClaimOptions, endpointIds: Iterable<string>): RawBuilder<unknown> {
  let json = ''
  for (const endpointId of endpointIds) {
    const room = rooms.get(endpointId) ?? roomOfOthers
    if (room !== roomOfOthers) json += `${json === '' ? '{' : ','}${JSON.stringify(endpointId)}:${room}`
  }
  return sql`coalesce((${json === '' ? '{}' : `${json}}`}::jsonb ->> served.endpoint_id)::integer, ${roomOfOthers}::integer)`
}

/** The last lane of the tour that was served. Lanes after it may have got nothing. */
function lastOfTour(deliveries: ClaimedDelivery[], { known = [], afterLane }: VisitOptions): string {
  const isKnown = new Set(known)
  const served = deliveries.map(({ endpointId }) => endpointId).filter((endpointId) => !isKnown.has(endpointId))
  return served.reduce((last, endpointId) => (endpointId > last ? endpointId : last), afterLane)
}

type TourPart = Required<Pick<VisitOptions, 'afterLane' | 'dueFrom' | 'tourLaneMax'>>

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
      limit ${part.tourLaneMax}::integer
    )`

const isRetryLimitReached = sql`((select count(*) from due_retry) >= ${sql.lit(dueRetriesAtOnce)})`

/** Lanes with such deliveries, by one lookup in the index for each. */
const skipThroughLanes = (name: string, such: RawBuilder<unknown>, { afterLane, dueFrom, tourLaneMax }: TourPart): RawBuilder<unknown> => sql`
    ${sql.raw(name)} (endpoint_id, due_at, number) as (
      (select endpoint_id, next_attempt_at, 1
       from webhook_deliveries
       where ${such} and endpoint_id > ${afterLane} and next_attempt_at >= ${dueFrom}
       order by endpoint_id, next_attempt_at
       limit least(1, ${tourLaneMax}::integer))
      union all
      select next.endpoint_id, next.next_attempt_at, lane.number + 1
      from ${sql.raw(name)} as lane cross join lateral (
        select endpoint_id, next_attempt_at
        from webhook_deliveries
        where ${such} and endpoint_id > lane.endpoint_id and next_attempt_at >= ${dueFrom}
        order by endpoint_id, next_attempt_at
        limit 1) as next
      where lane.number < ${tourLaneMax}::integer
    )`

/** The known lanes first; those of them that the tour reaches are not visited twice. */
const knownLanesAndTour = (known: readonly string[], { dueFrom, tourOf }: Pick<Required<VisitOptions>, 'dueFrom' | 'tourOf'>): RawBuilder<unknown> => sql`
    known as materialized (
      select endpoint_id from unnest(${known}::text[]) as known (endpoint_id)${tourOf === 'due' ? sql` where not ${isRetryLimitReached}` : sql``}),
    lane as (
      select first.endpoint_id, first.next_attempt_at as due_at
      from known cross join lateral (
        select endpoint_id, next_attempt_at
        from webhook_deliveries
        where state = 'pending' and endpoint_id = known.endpoint_id and next_attempt_at >= ${dueFrom}
        order by endpoint_id, next_attempt_at
        limit 1) as first
      union all
      (select endpoint_id, due_at from tour
       where not exists (select from known where known.endpoint_id = tour.endpoint_id)
       order by endpoint_id))`
