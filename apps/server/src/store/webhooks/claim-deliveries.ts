import { type RawBuilder, sql } from 'kysely'
import type { Claim, ClaimedDelivery, ClaimOptions } from '../../model/claimed-delivery.ts'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'
import { readTour, servedLanes, type TourFindings, tourFindings, tourOfLanes, type TourPart } from './lane-tour.ts'
import { lanesAtOnce, type TourOf } from './lane-turns.ts'

export interface VisitOptions extends ClaimOptions {
  dueFrom: Date
  /** How many lanes of a tour are visited, from `afterLane` on. */
  tourLaneMax?: number
  /** Default: `due`. */
  tourOf?: TourOf
}

export interface TourClaim extends Claim, TourFindings {
  /** Endpoints with due deliveries that have to wait for an earlier one of their key. */
  blockedLanes: string[]
}

/**
 * Claims due deliveries, lane by lane.
 *
 * From each lane come as many deliveries as the endpoint has room for, so neither a backlog nor a hanging receiver costs the others more
 * than the lookup of that lane. `skip locked` lets many workers claim at the same time.
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
export async function claimDeliveries(db: Db, options: VisitOptions): Promise<TourClaim> {
  const part = partOf(options)
  const { findings: row, ...claim } = await claimFrom(db, options, {
    lanes: tourOfLanes(part),
    findings: sql<TourFindings>`select ${tourFindings(part)} from tour`,
    mayDiffer: options.rooms.keys(),
  })
  const { tourLaneCount, lastLane, earliestDueAt, claimedAt, areManyRetriesDue } = row
  const findings = { tourLaneCount, lastLane, earliestDueAt, claimedAt, areManyRetriesDue }
  if (findings.areManyRetriesDue) return { ...(await claimDeliveries(db, { ...options, tourOf: 'all' })), areManyRetriesDue: true }
  return { ...findings, ...claim, nextAfterLane: nextAfterLane(options, findings, claim) }
}

/**
 * The same beside many lanes: visits the `likely` ones, then a part of a tour (lane-turns.ts). The tour is read first, because most of its lanes
 * have no room, which PostgreSQL would have to read for each of them, at some 2 µs.
 */
export async function claimBesideMany(db: Db, { likely, ...options }: VisitOptions & { likely: readonly string[] }): Promise<TourClaim> {
  const { lanes, ...findings } = await readTour(db, partOf(options))
  const hasRoom = (endpointId: string) => (options.rooms.get(endpointId) ?? options.roomOfOthers) > 0
  const isLikely = new Set(likely)
  const others = lanes.filter((endpointId) => !isLikely.has(endpointId) && hasRoom(endpointId))
  const claim = await claimFromLanes(db, options, [...likely, ...others])
  return { ...findings, ...claim, nextAfterLane: nextAfterLane(options, findings, claim, isLikely) }
}

const partOf = ({ afterLane, dueFrom, tourLaneMax = lanesAtOnce, tourOf = 'due' }: VisitOptions): TourPart => ({
  afterLane,
  dueFrom,
  laneMax: tourLaneMax,
  tourOf,
})

/** After the last lane of the tour that was served, if the claim is full: the following ones may have got nothing. */
function nextAfterLane(
  { afterLane, count, tourLaneMax = lanesAtOnce }: VisitOptions,
  { lastLane, tourLaneCount }: TourFindings,
  { deliveries }: LanesClaim,
  besideTour: ReadonlySet<string> = new Set(),
): string {
  if (deliveries.length < count) return tourLaneCount < tourLaneMax ? '' : lastLane
  const served = deliveries.map(({ endpointId }) => endpointId).filter((endpointId) => !besideTour.has(endpointId))
  return served.reduce((last, endpointId) => (endpointId > last ? endpointId : last), afterLane)
}

interface LanesClaim {
  deliveries: ClaimedDelivery[]
  /** Endpoints with due deliveries that have to wait for an earlier one of their key. */
  blockedLanes: string[]
}

/** Visits these lanes. */
export async function claimFromLanes(db: Db, options: ClaimFrom, endpointIds: readonly string[]): Promise<LanesClaim> {
  if (endpointIds.length === 0) return { deliveries: [], blockedLanes: [] }
  const { deliveries, blockedLanes } = await claimFrom(db, options, {
    lanes: sql`
    lane as (
      select first.endpoint_id, first.next_attempt_at as due_at
      from unnest(${endpointIds}::text[]) as named (endpoint_id) cross join lateral (
        select endpoint_id, next_attempt_at
        from webhook_deliveries
        where state = 'pending' and endpoint_id = named.endpoint_id and next_attempt_at >= ${options.dueFrom}
        order by endpoint_id, next_attempt_at
        limit 1) as first)`,
    findings: sql`select`,
    mayDiffer: endpointIds,
  })
  return { deliveries, blockedLanes }
}

type ClaimFrom = ClaimOptions & { dueFrom: Date }

interface Lanes<Findings> {
  /** Queries, one of which is named `lane`: the endpoints in their order, and since when something may be due to each. */
  lanes: RawBuilder<unknown>
  /** A query of one row, whose columns are returned with the claim. */
  findings: RawBuilder<Findings>
  /** Endpoints whose room may not be that of the others. */
  mayDiffer: Iterable<string>
}

/** What each row of a claim has, also the only one of a claim that found nothing. */
interface Looked {
  blockedLanes: string[]
  /** Endpoints with due deliveries that get only tests, because they are disabled. */
  disabledLanes: string[]
}

async function claimFrom<Findings>(db: Db, options: ClaimFrom, { lanes, findings, mayDiffer }: Lanes<Findings>): Promise<LanesClaim & { findings: Findings }> {
  const { rows } = await sql<ClaimedDelivery & Looked & Findings>`${prepared}
    with recursive ${lanes},
    ${servedLanes},
    due as (
      select delivery.ctid, served.organization_id, served.url, served.secret, served.endpoint_id,
        -- Ordered and limited, so that the planner looks up the head in its index even if one key has almost all deliveries.
        delivery.order_key is not null and delivery.order_number > (
          select head.order_number
          from webhook_deliveries as head
          where head.endpoint_id = served.endpoint_id and head.order_key = delivery.order_key and head.state = 'pending'
          order by head.order_number
          limit 1) as is_blocked
      from served
      cross join lateral (
        select ctid, order_key, order_number
        from webhook_deliveries
        where served.state = 'enabled' and endpoint_id = served.endpoint_id and state = 'pending'
          and next_attempt_at >= served.due_at and next_attempt_at <= ${storeNow}
          and ${isFree(options)}
        order by next_attempt_at
        limit ${roomOf(options, mayDiffer)}
        for update skip locked) as delivery
      limit ${options.count}
    ),
    ${claimed(options)}
    select claimed.*, event.body, event.traceparent, looked.*
    from (
      select findings.*,
        array(select distinct endpoint_id from due where is_blocked) as "blockedLanes",
        array(select endpoint_id from served where state = 'disabled') as "disabledLanes",
        set_config('synchronous_commit', 'off', true)
      from (${findings}) as findings) as looked
    left join (claimed cross join ${eventOfClaimed}) on true`.execute(db)
  const { blockedLanes, disabledLanes } = rows[0]!
  const deliveries = rows.filter((row) => row.id !== null).map(deliveryOf)
  const room = options.count - deliveries.length
  const tests = disabledLanes.length > 0 && room > 0 ? await claimTests(db, { ...options, count: room, endpointIds: disabledLanes }) : []
  return { findings: rows[0]!, deliveries: [...deliveries, ...tests], blockedLanes }
}

/**
 * A disabled endpoint only gets tests. They have their own index, because it may have very many others that are not held yet. They are a statement of
 * their own, because PostgreSQL prepares all steps of a statement each time, needed or not, which is a third of the time of a claim.
 */
async function claimTests(db: Db, options: ClaimFrom & { endpointIds: string[] }): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`${prepared}
    with due as (
      select delivery.ctid, served.*, false as is_blocked
      from unnest(${options.endpointIds}::text[]) as lane (endpoint_id)
      cross join lateral (
        select id as endpoint_id, organization_id, url, secret from webhook_endpoints where id = lane.endpoint_id limit 1) as served
      cross join lateral (
        select ctid
        from webhook_deliveries
        where endpoint_id = served.endpoint_id and state = 'pending' and is_test
          and next_attempt_at >= ${options.dueFrom} and next_attempt_at <= ${storeNow} and ${isFree(options)}
        order by next_attempt_at
        limit ${roomOf(options, options.endpointIds)}
        for update skip locked) as delivery
      limit ${options.count}
    ),
    ${claimed(options)}
    select claimed.*, event.body, event.traceparent
    from (select set_config('synchronous_commit', 'off', true)) as setting, claimed cross join ${eventOfClaimed}`.execute(db)
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
      from due
      -- The planner can't know how few deliveries are due. The array keeps it from reading all of them.
      where delivery.ctid = any (array(select ctid from due)) and delivery.ctid = due.ctid and not due.is_blocked
      returning delivery.id, delivery.lease_number as "leaseNumber", delivery.attempt_count + 1 as "attemptNumber",
        delivery.event_id as "eventId", delivery.endpoint_id as "endpointId",
        due.organization_id as "organizationId", due.url, due.secret, delivery.order_key as "orderKey"
    )`

/** The event of each row of `claimed`. Must be read in the statement's last step (partitioned-tables.ts). */
const eventOfClaimed = sql`lateral (
      -- The limit keeps the planner from reading all events.
      select body, traceparent from webhook_events where id = claimed."eventId" limit 1) as event`

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
