import { type RawBuilder, sql } from 'kysely'
import type { ItemKey } from '../../model/page.ts'
import type { LogFilter, LoggedDelivery, LogSearch } from '../../model/delivery-log.ts'
import type { Attempt, DeliveryState } from '../../model/delivery.ts'
import type { EndpointState } from '../../model/endpoint.ts'
import type { Db, Tx } from '../db.ts'
import { exactText } from '../snapshot.ts'

export interface LogRead {
  endpointId: string
  filter: LogFilter
  after?: ItemKey
  count: number
  now: Date
}

export interface LogRows {
  /** Newest first, at most `count` of them. */
  rows: { item: LoggedDelivery; key: ItemKey }[]
  /** Where the scan stopped before the end of the log. The next page continues from here. */
  lookedUpTo: ItemKey | null
}

/** How many deliveries a page with filters scans at most, so that a filter without matches takes bounded time. */
const scanMax = 5000
/** How many it scans first, per item of the page. If that is enough, the others are not read. */
const firstScanPerItem = 4

interface Row extends LoggedDelivery {
  createdAtText: string
  scannedCount: number
  lastCreatedAt: string | null
  lastId: string | null
}

/** Reads one page of an endpoint's log. Attempts omit the response text, which would be most of the page. */
export async function readDeliveriesLog(db: Db, read: LogRead): Promise<LogRows> {
  const { filter } = read
  if (filter.found !== undefined) return scanLog(db, read, scanMax)
  if (filter.state === 'pending' && (await hasFewPending(db, read.endpointId))) return scanLog(db, read, scanMax, pendingOf(read.endpointId))
  if (filter.eventType === undefined && (filter.state === undefined || isIndexed(filter.state))) return scanLog(db, read, read.count)
  const first = await scanLog(db, read, Math.min(scanMax, firstScanPerItem * read.count))
  return first.rows.length >= read.count || first.lookedUpTo === null ? first : scanLog(db, read, scanMax)
}

/** Only these two have their own index. Any other state requires scanning the log. */
const isIndexed = (state: DeliveryState) => state === 'exhausted' || state === 'held'

/** An endpoint rarely has more pending deliveries. They are then all read, by the index of its lane. */
const fewPending = 1000

const pendingOf = (endpointId: string) => sql`(
  select * from webhook_deliveries where endpoint_id = ${endpointId} and state = 'pending' offset 0) as webhook_deliveries`

async function hasFewPending(db: Db, endpointId: string): Promise<boolean> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from (
      select from webhook_deliveries where endpoint_id = ${endpointId} and state = 'pending' limit ${fewPending + 1}) as counted`.execute(db)
  return rows[0]!.count <= fewPending
}

/** Scans the next `scanCount` deliveries of the log, at most, or of a part of it. */
async function scanLog(db: Db, read: LogRead, scanCount: number, part?: RawBuilder<unknown>): Promise<LogRows> {
  const { filter, after } = read
  const isStateIndexed = filter.state !== undefined && isIndexed(filter.state)
  const { rows } = await sql<Row>`
    with scanned as materialized (
      select id, event_id, state, created_at
      from ${filter.found ? searched(read.endpointId, filter.found) : (part ?? sql`webhook_deliveries`)}
      where endpoint_id = ${read.endpointId}
        ${after ? sql`and (created_at, id) < (${after.createdAt}::timestamptz, ${after.id})` : sql``}
        ${filter.from ? sql`and created_at >= ${filter.from}` : sql``}
        ${filter.to ? sql`and created_at < ${filter.to}` : sql``}
        ${isStateIndexed ? sql`and state = ${sql.lit(filter.state)}` : sql``}
      order by created_at desc, id desc
      limit ${scanCount}),
    found as (
      select scanned.id
      from scanned ${filter.eventType ? sql`join webhook_events as event on event.id = scanned.event_id` : sql``}
      where true
        ${filter.state && !isStateIndexed ? sql`and scanned.state = ${filter.state}` : sql``}
        ${filter.eventType ? sql`and event.type = ${filter.eventType}` : sql``}
      order by scanned.created_at desc, scanned.id desc
      limit ${read.count}),
    last as (
      select ${exactText(sql`created_at`)} as "lastCreatedAt", id as "lastId"
      from scanned order by created_at, id limit 1)
    select (select count(*)::integer from scanned) as "scannedCount", last.*, item.*
    from (values (1)) as always
    left join last on true
    left join (
      select ${fields(read.now)}, ${exactText(sql`delivery.created_at`)} as "createdAtText",
        (select coalesce(jsonb_agg(attempt - 'response' - 'signed' order by number), '[]')
         from jsonb_array_elements(delivery.attempts) with ordinality as made (attempt, number)) as attempts
      from found
      join webhook_deliveries as delivery on delivery.id = found.id
      join webhook_events as event on event.id = delivery.event_id
    ) as item on true
    order by item."createdAt" desc, item.id desc`.execute(db)
  const { scannedCount, lastCreatedAt, lastId } = rows[0]!
  const isCut = scannedCount === scanCount && lastCreatedAt !== null && lastId !== null
  return {
    rows: rows
      .filter((row) => row.id !== null)
      .map(({ createdAtText, scannedCount: _, lastCreatedAt: __, lastId: ___, ...item }) => ({
        item,
        key: { createdAt: createdAtText, id: item.id },
      })),
    lookedUpTo: isCut ? { createdAt: lastCreatedAt, id: lastId } : null,
  }
}

/**
 * The few deliveries of one event are found without scanning the log: its original deliveries have the event's creation time, and
 * deliveries requested later have their own index.
 */
function searched(endpointId: string, found: LogSearch): RawBuilder<unknown> {
  if (found === 'nothing') return sql`(select * from webhook_deliveries where false) as webhook_deliveries`
  if ('deliveryId' in found) {
    return sql`(select * from webhook_deliveries where id = ${found.deliveryId}) as webhook_deliveries`
  }
  const { eventId, createdAt } = found
  return sql`(
    select * from webhook_deliveries
    where endpoint_id = ${endpointId} and created_at = ${createdAt} and event_id = ${eventId} and requested_by is null
    union all
    select * from webhook_deliveries where event_id = ${eventId} and requested_by is not null) as webhook_deliveries`
}

/** A stored delivery with the relevant fields of its endpoint and event. */
export interface FoundDelivery extends Omit<LoggedDelivery, 'attempts'> {
  attempts: StoredAttempt[]
  url: string
  body: string
  endpointState: EndpointState
  eventCreatedAt: Date
}

/** Attempts recorded before signatures were stored have none. */
type StoredAttempt = Omit<Attempt, 'signed'> & Partial<Pick<Attempt, 'signed'>>

/** Undefined if it belongs to another organization or its endpoint was deleted. */
export async function findDelivery(
  db: Db | Tx,
  key: { organizationId: string; deliveryId: string; now: Date },
): Promise<FoundDelivery | undefined> {
  const { rows } = await sql<FoundDelivery>`
    select ${fields(key.now)}, delivery.attempts, endpoint.url, event.body, endpoint.state as "endpointState",
      event.created_at as "eventCreatedAt"
    from webhook_deliveries as delivery
    join webhook_events as event on event.id = delivery.event_id
    join webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id
    where delivery.id = ${key.deliveryId} and endpoint.organization_id = ${key.organizationId}
      and endpoint.deleted_at is null`.execute(db)
  return rows[0]
}

/** All fields except the attempts. */
function fields(now: Date): RawBuilder<unknown> {
  return sql`delivery.id, delivery.event_id as "eventId", event.type as "eventType", delivery.endpoint_id as "endpointId",
    delivery.state, delivery.is_test as "isTest", delivery.requested_by as "requestedBy",
    (select name from users where users.id = delivery.requested_by) as "requestedByName",
    delivery.created_at as "createdAt", nullif(delivery.next_attempt_at, 'infinity') as "nextAttemptAt",
    coalesce(delivery.next_attempt_at = 'infinity', false) as "isWaiting", delivery.ended_at as "endedAt",
    delivery.held_at as "heldAt", delivery.attempt_count as "attemptCount",
    (delivery.state = 'pending' and coalesce(delivery.lease_expires_at > ${now}, false)) as "isBeingSent"`
}
