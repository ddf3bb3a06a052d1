import { sql } from 'kysely'
import type { DeliveryState } from '../../model/delivery.ts'
import type { WebhookEvent } from '../../model/event.ts'
import { currentTraceparent } from '../../ports/telemetry/spans.ts'
import type { Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'
import { subscribedEndpoints } from './subscribers.ts'

export interface NewDelivery {
  id: string
  endpointId: string
  state: Extract<DeliveryState, 'pending' | 'held'>
  isTest: boolean
  /** For endpoints that receive events in order; otherwise null. */
  orderKey: string | null
}

/** Inserts an event and its deliveries in one statement, so that they never exist without each other. */
export async function insertEvent(tx: Tx, event: WebhookEvent, deliveries: NewDelivery[]): Promise<void> {
  await sql`${prepared} ${wakes('deliveries')}
    with event as (
      insert into webhook_events (id, organization_id, type, created_at, body, is_test, traceparent)
      values (${event.id}, ${event.organizationId}, ${event.type}, ${event.createdAt}, ${event.body},
        ${event.isTest}, ${currentTraceparent()}::text)
      returning id, created_at),
    written as (
      insert into webhook_deliveries
        (id, event_id, endpoint_id, state, is_test, created_at, next_attempt_at, held_at, order_key, order_number)
      select new.id, event.id, new.endpoint_id, new.state, new.is_test, event.created_at,
        case new.state when 'pending' then ${storeNow} end,
        case new.state when 'held' then event.created_at end,
        new.order_key, case when new.order_key is not null then nextval('webhook_delivery_order') end
      from event cross join unnest(
        ${deliveries.map(({ id }) => id)}::text[],
        ${deliveries.map(({ endpointId }) => endpointId)}::text[],
        ${deliveries.map(({ state }) => state)}::text[],
        ${deliveries.map(({ isTest }) => isTest)}::boolean[],
        ${deliveries.map(({ orderKey }) => orderKey)}::text[]
      ) as new (id, endpoint_id, state, is_test, order_key))
    select id from event`.execute(tx)
}

/**
 * Inserts an event and a delivery for each subscriber in one statement, which is all that most events need, and returns the ids of the
 * deliveries. It inserts nothing and returns undefined if a subscriber receives events in order, because publishers of one key have to
 * take turns, and if there is no subscriber, unless the event `isAlwaysWanted`.
 *
 * The ids of the deliveries are made here, from an id and the endpoint's: they begin with the same time, and 56 bits differ. With an
 * array of ids, numbered subscribers and a count of them, the statement takes a quarter longer (240 µs instead of 192).
 */
export async function insertEventForSubscribers(
  tx: Tx,
  event: WebhookEvent,
  { deliveryId, isAlwaysWanted }: { deliveryId: string; isAlwaysWanted: boolean },
): Promise<string[] | undefined> {
  const { rows } = await sql<{ id: string | null }>`${prepared} ${wakes('deliveries')}
    with subscriber as materialized (
      select endpoint.id as endpoint_id, endpoint.state, endpoint.is_ordered,
        left(${deliveryId}::text, ${timeEnd})
          || right(lpad(to_hex(hashtextextended(${deliveryId}::text || endpoint.id, 0)), 16, '0'), ${randomLength}) as id
      from ${subscribedEndpoints(event)}),
    event as (
      insert into webhook_events (id, organization_id, type, created_at, body, is_test, traceparent)
      select ${event.id}, ${event.organizationId}, ${event.type}, ${event.createdAt}::timestamptz, ${event.body}, ${event.isTest}::boolean,
        ${currentTraceparent()}::text
      where not exists (select from subscriber where is_ordered) and (${isAlwaysWanted}::boolean or exists (select from subscriber))
      returning id, created_at),
    written as (
      insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, next_attempt_at, held_at)
      select subscriber.id, event.id, subscriber.endpoint_id,
        case subscriber.state when 'enabled' then 'pending' else 'held' end, false, event.created_at,
        case subscriber.state when 'enabled' then ${storeNow} end,
        case when subscriber.state <> 'enabled' then event.created_at end
      from event cross join subscriber)
    select subscriber.id from event left join subscriber on true`.execute(tx)
  return rows.length === 0 ? undefined : rows.flatMap(({ id }) => id ?? [])
}

/** Where the time ends in an id like `dlv_…`, and how many characters follow. */
const timeEnd = 12
const randomLength = 14
