import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { Tx } from '../../../store/db.ts'
import { insertEvent, insertEventForSubscribers, type NewDelivery } from '../../../store/webhooks/insert-event.ts'
import { findSubscribers, hasListenerFor, type Subscriber } from '../../../store/webhooks/subscribers.ts'
import { newOrderedId } from '../../ids.ts'
import type { EventContent, WebhookEvent } from '../../../model/event.ts'
import { type DefaultEventType, definedEvents } from '../../../model/event-type.ts'
import { lockOrderKey } from '../../../store/webhooks/order-deliveries.ts'
import { isDefaultEvent } from './default-events.ts'

/**
 * Publishing is part of a larger transaction: the one that makes the change the event reports. When it commits, the event and one
 * delivery per subscribed endpoint exist; otherwise neither does.
 */
interface PublishDeps {
  tx: Tx
  clock: Clock
  random: Random
}

export interface Published {
  eventId: string
  createdAt: Date
  deliveryIds: string[]
}

/**
 * Publishes to every endpoint of the organization that is subscribed to events of this type. An opt-in event that neither an endpoint
 * nor a listener has chosen is not published; the result is undefined then.
 */
export function publishEvent(
  deps: PublishDeps,
  input: { organizationId: string; content: Extract<EventContent, { type: DefaultEventType }> },
): Promise<Published>
export function publishEvent(
  deps: PublishDeps,
  input: { organizationId: string; content: EventContent },
): Promise<Published | undefined>
export async function publishEvent(
  deps: PublishDeps,
  input: { organizationId: string; content: EventContent },
): Promise<Published | undefined> {
  const event = newEvent(deps, { ...input, isTest: false })
  const isAlwaysWanted = isDefaultEvent(event.type)
  const deliveryId = newOrderedId(deps, 'dlv')
  const deliveryIds = await insertEventForSubscribers(deps.tx, event, { deliveryId, isAlwaysWanted })
  if (deliveryIds) return publishedOf(event, deliveryIds)
  const { orderKey, subscribers } = await findInTurn(deps.tx, input)
  if (subscribers.length === 0 && !isAlwaysWanted && !(await hasListenerFor(deps.tx, event))) return undefined
  const deliveries = subscribers.map((subscriber) => deliveryFor(deps, subscriber, orderKey))
  return write(deps, newEvent(deps, { ...input, isTest: false }), deliveries)
}

/** Publishes to one endpoint, subscribed or not, enabled or not; or to none, for listeners only. */
export async function publishTestEvent(
  deps: PublishDeps,
  input: { organizationId: string; endpointId?: string | undefined; content: EventContent },
): Promise<Published> {
  const { endpointId, ...event } = input
  const delivery = endpointId !== undefined && {
    id: newOrderedId(deps, 'dlv'),
    endpointId,
    state: 'pending' as const,
    isTest: true,
    orderKey: null,
  }
  return write(deps, newEvent(deps, { ...event, isTest: true }), delivery ? [delivery] : [])
}

/** Publishers of one key take turns if an endpoint receives its events in order. */
async function findInTurn(
  tx: Tx,
  { organizationId, content: { type, data } }: { organizationId: string; content: EventContent },
): Promise<{ orderKey: string; subscribers: Subscriber[] }> {
  const orderKey = String((data as Record<string, unknown>)[definedEvents[type].orderedBy])
  const subscribers = await findSubscribers(tx, { organizationId, type })
  if (!subscribers.some(({ isOrdered }) => isOrdered)) return { orderKey, subscribers }
  await lockOrderKey(tx, { organizationId, orderKey })
  // Read again: an endpoint may have been disabled or enabled during the wait.
  return { orderKey, subscribers: await findSubscribers(tx, { organizationId, type }) }
}

/** Deliveries for a disabled endpoint are held, and so are those that follow held ones in order. */
const deliveryFor = (
  deps: PublishDeps,
  { endpointId, state, isOrdered, isReleasing }: Subscriber,
  orderKey: string,
): NewDelivery => ({
  id: newOrderedId(deps, 'dlv'),
  endpointId,
  state: state === 'enabled' && !(isOrdered && isReleasing) ? 'pending' : 'held',
  isTest: false,
  orderKey: isOrdered ? orderKey : null,
})

function newEvent(
  deps: PublishDeps,
  { organizationId, content: { type, data }, isTest }: { organizationId: string; content: EventContent; isTest: boolean },
): WebhookEvent {
  const id = newOrderedId(deps, 'evt')
  const createdAt = deps.clock.now()
  const body = JSON.stringify({ id, type, createdAt: createdAt.toISOString(), data })
  return { id, organizationId, type, createdAt, body, isTest }
}

async function write(deps: PublishDeps, event: WebhookEvent, deliveries: NewDelivery[]): Promise<Published> {
  await insertEvent(deps.tx, event, deliveries)
  return publishedOf(event, deliveries.map(({ id }) => id))
}

const publishedOf = ({ id, createdAt }: WebhookEvent, deliveryIds: string[]): Published => ({ eventId: id, createdAt, deliveryIds })
