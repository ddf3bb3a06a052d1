import { expect } from 'vitest'
import type { Attempt, DeliveryState } from '../../src/model/delivery.ts'
import type { EndpointInFull } from '../../src/model/endpoint.ts'
import type { AutomationRunEvent } from '../../src/model/event.ts'
import type { EventType } from '../../src/model/event-type.ts'
import { type Published, publishEvent } from '../../src/domain/webhooks/events/publish-event.ts'
import type { TestOrganization, TestPerson, TestService } from '../test-service.ts'

/** Helpers for tests of the webhook routes. */
export const endpointsUrl = '/app/api/webhook-endpoints'
export const unknownEndpointId = 'we_nothing'

export type CreatedEndpoint = EndpointInFull & { secret: string }

export async function createEndpoint(
  organization: TestOrganization,
  content: { url?: string; description?: string; eventTypes?: EventType[]; isOrdered?: boolean } = {},
): Promise<CreatedEndpoint> {
  const answer = await organization.admin.page('POST', endpointsUrl, {
    url: 'https://hooks.example/querypost',
    eventTypes: ['automation.run.completed', 'automation.run.failed'],
    ...content,
  })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}

export const getEndpoint = async (person: TestPerson, id: string): Promise<EndpointInFull> => {
  const answer = await person.page('GET', `${endpointsUrl}/${id}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

/** Publishes an event as the end of an automation's run does. */
export async function publish(
  service: TestService,
  organization: TestOrganization,
  type: AutomationRunEvent['type'] = 'automation.run.completed',
): Promise<Published> {
  const { clock, random, db } = service.services
  const { organizationId } = organization.admin.caller
  const run = { automationId: 'a_1', automationName: 'Revenue', runId: 'r_1', chatUrl: 'https://querypost.test/chats/c' }
  const content: AutomationRunEvent =
    type === 'automation.run.failed'
      ? { type, data: { ...run, reason: 'The query failed.' } }
      : { type, data: { ...run, summary: 'Revenue rose.', imageUrl: null } }
  return db.transaction().execute((tx) => publishEvent({ tx, clock, random }, { organizationId, content }))
}

export const attemptOf = (change: Partial<Attempt> = {}): Attempt => ({
  number: 1,
  at: '2026-01-05T09:00:00.000Z',
  durationMs: 12.5,
  phases: { dnsMs: 1, connectMs: 2, tlsMs: 3, responseMs: 4, bodyMs: 0.5 },
  signed: { timestamp: '1767603600', signature: `v1=${'5'.repeat(64)}` },
  address: '93.184.216.34',
  status: 200,
  response: 'thank you',
  failure: null,
  ...change,
})

/** Sets a delivery to the state that a worker would have recorded. */
export async function settle(
  service: TestService,
  deliveryId: string,
  state: Exclude<DeliveryState, 'pending'>,
  attempts: Attempt[] = [],
): Promise<void> {
  const now = service.clock.now()
  await service.services.db
    .updateTable('webhook_deliveries')
    .set({
      state,
      next_attempt_at: null,
      held_at: state === 'held' ? now : null,
      ended_at: state === 'held' ? null : now,
      attempt_count: attempts.length,
      attempts: JSON.stringify(attempts),
    })
    .where('id', '=', deliveryId)
    .execute()
}

/** Leases a delivery to a worker for half a minute. */
export async function lease(service: TestService, deliveryId: string): Promise<void> {
  await service.services.db
    .updateTable('webhook_deliveries')
    .set({ lease_owner: 'worker_1', lease_expires_at: new Date(service.clock.now().getTime() + 30_000), lease_number: 1 })
    .where('id', '=', deliveryId)
    .execute()
}

/** The states of an endpoint's deliveries, by delivery id. */
export async function statesOf(service: TestService, endpointId: string): Promise<Record<string, DeliveryState>> {
  const rows = await service.services.db
    .selectFrom('webhook_deliveries')
    .select(['id', 'state'])
    .where('endpoint_id', '=', endpointId)
    .execute()
  return Object.fromEntries(rows.map(({ id, state }) => [id, state]))
}

/** Backdates a delivery or an event. */
export async function age(
  { services: { db }, clock }: TestService,
  table: 'webhook_deliveries' | 'webhook_events',
  options: { id: string; days: number; heldDays?: number },
): Promise<void> {
  const ago = (days: number) => new Date(clock.now().getTime() - days * 24 * 3600_000)
  await db.updateTable(table).set({ created_at: ago(options.days) }).where('id', '=', options.id).execute()
  if (options.heldDays === undefined) return
  await db.updateTable('webhook_deliveries').set({ held_at: ago(options.heldDays) }).where('id', '=', options.id).execute()
}

/** Removes all webhook data of all organizations. */
export async function clearWebhooks({ services: { db } }: TestService): Promise<void> {
  await db.deleteFrom('webhook_deliveries').execute()
  await db.deleteFrom('webhook_events').execute()
  await db.deleteFrom('webhook_endpoints').execute()
}
