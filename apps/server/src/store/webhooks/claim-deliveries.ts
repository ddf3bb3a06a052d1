import { type RawBuilder, sql } from 'kysely'
import type { Claim, ClaimedDelivery, ClaimOptions } from '../../model/claimed-delivery.ts'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'
import { lanesAtOnce } from './lane-turns.ts'

interface Row extends ClaimedDelivery {
  tourLaneCount: number
  lastLane: string
  earliestDueAt: Date | null
  claimedAt: Date
  blockedLanes: string[]
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
}

export interface VisitOptions extends ClaimOptions {
  dueFrom: Date
  /** Lanes that are visited in any case, before the tour (lane-turns.ts). */
  known?: readonly string[]
  /** How many lanes are visited from `afterLane` on. */
  tourLaneMax?: number
}

/**
 * Claims due deliveries, lane by lane.
 *
 * Lanes are found by skipping through their index: one lookup per endpoint with pending deliveries, however many there are. From each
 * lane come as many deliveries as the endpoint has room for, so neither a backlog nor a hanging receiver costs the others more than
 * that one lookup. `skip locked` lets many workers claim at the same time.
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
  const { dueFrom, known = [], tourLaneMax = lanesAtOnce } = options
  const rooms = roomsAsJson(options.rooms, tourLaneMax > 0 ? options.rooms.keys() : known)
  const gone = options.goneWorkers
  const { rows } = await sql<Row>`${prepared}
    with recursive tour (endpoint_id, due_at, number) as (
      (select endpoint_id, next_attempt_at, 1
       from webhook_deliveries
       where state = 'pending' and endpoint_id > ${options.afterLane} and next_attempt_at >= ${dueFrom}
       order by endpoint_id, next_attempt_at
       limit least(1, ${tourLaneMax}::integer))
      union all
      select next.endpoint_id, next.next_attempt_at, tour.number + 1
      from tour cross join lateral (
        select endpoint_id, next_attempt_at
        from webhook_deliveries
        where state = 'pending' and endpoint_id > tour.endpoint_id and next_attempt_at >= ${dueFrom}
        order by endpoint_id, next_attempt_at
        limit 1) as next
      where tour.number < ${tourLaneMax}::integer
    ),
    ${known.length > 0 ? knownLanesAndTour(known, dueFrom) : sql`lane as (select endpoint_id, due_at from tour)`},
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
          and (lease_expires_at is null or lease_expires_at <= ${storeNow}
            or (lease_owner = any (${gone}::text[]) and order_key is null))
        order by next_attempt_at
        limit coalesce((${rooms}::jsonb ->> served.endpoint_id)::integer, ${options.roomOfOthers}::integer)
        for update skip locked) as delivery
      limit ${options.count}
    ),
    -- A disabled endpoint only gets tests. They have their own index, because it may have very many others that are not held yet.
    due_test as (
      select delivery.ctid, delivery.event_id, served.organization_id, served.url, served.secret, served.endpoint_id, false as is_blocked
      from served
      cross join lateral (
        select ctid, event_id
        from webhook_deliveries
        where served.state = 'disabled' and endpoint_id = served.endpoint_id and state = 'pending' and is_test
          and next_attempt_at >= served.due_at and next_attempt_at <= ${storeNow}
          and (lease_expires_at is null or lease_expires_at <= ${storeNow}
            or (lease_owner = any (${gone}::text[]) and order_key is null))
        order by next_attempt_at
        limit coalesce((${rooms}::jsonb ->> served.endpoint_id)::integer, ${options.roomOfOthers}::integer)
        for update skip locked) as delivery
      limit ${options.count} - (select count(*) from due)
    ),
    claimed as (
      update webhook_deliveries as delivery
      set lease_number = delivery.lease_number + 1, lease_owner = ${options.workerId},
        lease_expires_at = ${storeNowPlus(options.leaseMs)}
      -- The planner can't know how few deliveries are due. The array keeps it from reading all of them, and the limit from reading all events.
      from (select * from due union all select * from due_test) as due
      cross join lateral (select id, body, traceparent from webhook_events where id = due.event_id limit 1) as event
      where delivery.ctid = any (array(select ctid from due union all select ctid from due_test))
        and delivery.ctid = due.ctid and not due.is_blocked
      returning delivery.id, delivery.lease_number as "leaseNumber", delivery.attempt_count + 1 as "attemptNumber",
        event.id as "eventId", event.body,
        delivery.endpoint_id as "endpointId", due.organization_id as "organizationId", due.url, due.secret,
        delivery.order_key as "orderKey", event.traceparent
    )
    select claimed.*, "tourLaneCount", "lastLane", "earliestDueAt", "claimedAt", "blockedLanes"
    from (
      select count(*)::integer as "tourLaneCount", coalesce(max(endpoint_id), '') as "lastLane",
        (select min(due_at) from served where state = 'enabled') as "earliestDueAt", ${storeNow} as "claimedAt",
        array(select distinct endpoint_id from due where is_blocked) as "blockedLanes",
        set_config('synchronous_commit', 'off', true)
      from tour) as scanned
    left join claimed on true`.execute(db)
  const { tourLaneCount, lastLane, earliestDueAt, claimedAt, blockedLanes } = rows[0]!
  const deliveries = rows
    .filter((row) => row.id !== null)
    .map(({ tourLaneCount: _, lastLane: __, earliestDueAt: ___, claimedAt: ____, blockedLanes: _____, ...delivery }): ClaimedDelivery => delivery)
  const found = { deliveries, earliestDueAt, claimedAt, blockedLanes, tourLaneCount }
  if (deliveries.length >= options.count) return { ...found, nextAfterLane: lastOfTour(deliveries, options) }
  const isTourOver = tourLaneCount < tourLaneMax || tourLaneMax === 0
  return { ...found, nextAfterLane: isTourOver ? '' : lastLane }
}

/** Without a tour, the statement needs only the rooms of the known lanes, however many lanes there are. */
function roomsAsJson(rooms: ReadonlyMap<string, number>, endpointIds: Iterable<string>): string {
  let json = ''
  for (const endpointId of endpointIds) {
    const room = rooms.get(endpointId)
    if (room !== undefined) json += `${json === '' ? '{' : ','}${JSON.stringify(endpointId)}:${room}`
  }
  return json === '' ? '{}' : `${json}}`
}

/** The last lane of the tour that was served. Lanes after it may have got nothing. */
function lastOfTour(deliveries: ClaimedDelivery[], { known = [], afterLane }: VisitOptions): string {
  const isKnown = new Set(known)
  const served = deliveries.map(({ endpointId }) => endpointId).filter((endpointId) => !isKnown.has(endpointId))
  return served.reduce((last, endpointId) => (endpointId > last ? endpointId : last), afterLane)
}

/** The known lanes first; those of them that the tour reaches are not visited twice. */
const knownLanesAndTour = (known: readonly string[], dueFrom: Date): RawBuilder<unknown> => sql`
    known as materialized (select endpoint_id from unnest(${known}::text[]) as known (endpoint_id)),
    lane as (
      select first.endpoint_id, first.next_attempt_at as due_at
      from known cross join lateral (
        select endpoint_id, next_attempt_at
        from webhook_deliveries
        where state = 'pending' and endpoint_id = known.endpoint_id and next_attempt_at >= ${dueFrom}
        order by endpoint_id, next_attempt_at
        limit 1) as first
      union all
      select endpoint_id, due_at from tour where not exists (select from known where known.endpoint_id = tour.endpoint_id))`
