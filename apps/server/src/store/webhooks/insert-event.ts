import { sql } from 'kysely'
import type { DeliveryState } from '../../model/delivery.ts'
import type { WebhookEvent } from '../../model/event.ts'
import { currentTraceparent } from '../../ports/telemetry/spans.ts'
import type { Tx } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'
import { type Subscriber, subscribedEndpoints, subscriberColumns } from './subscribers.ts'

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
 * Inserts an event and a delivery for each subscriber in one statement, which is all that most events need. It inserts nothing
 *
 * - if a subscriber receives events in order, because publishers of one key have to take turns,
 * - if there are more subscribers than ids, or
 * - if there are none, unless the event `isAlwaysWanted`.
 */
export async function insertEventForSubscribers(
  tx: Tx,
  event: WebhookEvent,
  { deliveryIds, isAlwaysWanted }: { deliveryIds: string[]; isAlwaysWanted: boolean },
): Promise<{ isInserted: boolean; subscribers: Subscriber[] }> {
  const { rows } = await sql<{ eventId: string | null } & (Subscriber | { endpointId: null })>`${prepared} ${wakes('deliveries')}
    with subscriber as materialized (
      select ${subscriberColumns}, row_number() over (order by endpoint.created_at, endpoint.id) as number
      from ${subscribedEndpoints(event)}),
    event as (
      insert into webhook_events (id, organization_id, type, created_at, body, is_test, traceparent)
      select ${event.id}, ${event.organizationId}, ${event.type}, ${event.createdAt}::timestamptz, ${event.body}, ${event.isTest}::boolean,
        ${currentTraceparent()}::text
      from (select count(*) as count, coalesce(bool_or("isOrdered"), false) as has_ordered from subscriber) as found
      where not has_ordered and count <= cardinality(${deliveryIds}::text[]) and (count > 0 or ${isAlwaysWanted}::boolean)
      returning id, created_at),
    written as (
      insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, next_attempt_at, held_at)
      select (${deliveryIds}::text[])[subscriber.number], event.id, "endpointId",
        case subscriber.state when 'enabled' then 'pending' else 'held' end, false, event.created_at,
        case subscriber.state when 'enabled' then ${storeNow} end,
        case when subscriber.state <> 'enabled' then event.created_at end
      from event cross join subscriber)
    select event.id as "eventId", "endpointId", state, "isOrdered", "isReleasing"
    from event left join subscriber on true
    union all
    select null, "endpointId", state, "isOrdered", "isReleasing"
    from subscriber
    where not exists (select from event)`.execute(tx)
  return {
    isInserted: rows.some(({ eventId }) => eventId !== null),
    subscribers: rows.filter((row) => row.endpointId !== null),
  }
}
