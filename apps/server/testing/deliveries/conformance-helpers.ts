import { expect } from 'vitest'
import type { DeliveriesUnderTest, DeliveryRow, EndpointRow } from './deliveries-under-test.ts'
import type { EventContent } from '../../src/model/event.ts'
import type { Attempt } from '../../src/model/delivery.ts'
import type { AttemptRecord, Claim, ClaimedDelivery, ClaimOptions, DeliveryDecision } from '../../src/model/claimed-delivery.ts'
import { deliveryLeaseMs, deliveryWaitsMs } from '../../src/domain/webhooks/sending/delivery-policy.ts'

/** Helpers for the conformance tests: short functions for repeated steps. */
export type DeliveryHelpers = Awaited<ReturnType<typeof makeHelpers>>

const start = Date.parse('2026-03-01T12:00:00.000Z')
export const at = (ms: number) => new Date(start + ms)
export const organizationId = 'org_1'
export const creator = 'user_1'

export async function makeHelpers(deliveries: DeliveriesUnderTest) {
  const { store } = deliveries
  deliveries.setTime(at(0))
  await deliveries.addOrganization(organizationId)
  await deliveries.addOrganization('org_2')

  async function addEndpoint(id: string, options: { organizationId?: string; isOrdered?: boolean } = {}) {
    const url = `https://${id.replace('_', '-')}.example/hook`
    const secret = Buffer.from(`sealed ${id}`)
    await deliveries.addEndpoint({ organizationId, ...options, id, url, secret, createdBy: creator, now: at(0) })
  }

  /** Claims with unlimited capacity by default. */
  function claim(ms: number, options: Partial<ClaimOptions> = {}): Promise<Claim> {
    deliveries.setTime(at(ms))
    return store.claim({
      workerId: 'worker_1',
      leaseMs: deliveryLeaseMs,
      count: 1000,
      afterLane: '',
      unfinished: [],
      goneWorkers: [],
      rooms: new Map(),
      roomOfOthers: 1000,
      ...options,
    })
  }

  async function row(id: string): Promise<DeliveryRow> {
    return (await deliveries.deliveries()).find((delivery) => delivery.id === id)!
  }

  async function endpoint(id: string): Promise<EndpointRow> {
    return (await deliveries.endpoints()).find((endpoint) => endpoint.id === id)!
  }

  async function recordOne(claimed: ClaimedDelivery, decision: DeliveryDecision, ms: number): Promise<boolean> {
    deliveries.setTime(at(ms))
    return (await store.record([recordOf(claimed, decision, ms)])).recorded.has(claimed.id)
  }

  function holdLeftovers(ms: number): Promise<void> {
    deliveries.setTime(at(ms))
    return store.holdLeftovers()
  }

  /** Claims everything due at that moment and records the same decision for each. */
  async function claimAndRecord(ms: number, decision: DeliveryDecision) {
    const { deliveries: claimed } = await claim(ms)
    const records = claimed.map((delivery) => recordOf(delivery, decision, ms))
    expect((await store.record(records)).recorded.size).toBe(records.length)
    return claimed
  }

  function publish(ms: number, options: { testOf?: string; organizationId?: string; content?: EventContent } = {}) {
    deliveries.setTime(at(ms))
    return deliveries.publish({ organizationId, content: content(`at ${ms}`), ...options, now: at(ms) })
  }

  /** Publishes one event that exhausts at every endpoint, skipping the attempts before the last. */
  async function exhaust(ms: number) {
    await publish(ms)
    return claimAndRecord(ms, { state: 'exhausted' })
  }

  return { deliveries, store, addEndpoint, claim, row, endpoint, recordOne, holdLeftovers, claimAndRecord, publish, exhaust }
}

export const retry: DeliveryDecision = { state: 'pending', waitMs: deliveryWaitsMs[0] }
export const delivered: DeliveryDecision = { state: 'delivered' }
export const exhausted: DeliveryDecision = { state: 'exhausted' }

export function content(reason: string, automationId = 'aut_1'): EventContent {
  const data = { automationId, automationName: 'Umsätze', runId: 'run_1', chatUrl: 'https://q.example/chats/1', reason }
  return { type: 'automation.run.failed', data }
}

export function recordOf(claimed: ClaimedDelivery, decision: DeliveryDecision, ms: number): AttemptRecord {
  const isSuccess = decision.state === 'delivered'
  const attempt: Attempt = {
    number: claimed.attemptNumber,
    at: at(ms).toISOString(),
    durationMs: 12.5,
    phases: { dnsMs: 1, connectMs: 2, tlsMs: 3, responseMs: 4, bodyMs: 2.5 },
    signed: { timestamp: '1767603600', signature: `v1=${'5'.repeat(64)}` },
    address: '93.184.216.34',
    status: isSuccess ? 200 : 500,
    response: 'antwortet „so“',
    failure: isSuccess ? null : { kind: 'status_not_2xx', message: 'The endpoint responded with 500.' },
  }
  const { id: deliveryId, leaseNumber, endpointId, orderKey } = claimed
  return { deliveryId, leaseNumber, endpointId, orderKey, attempt, decision, endedAgoMs: 0 }
}

/** The number of deliveries per lane, in lane order. */
export function perLane(claimed: Pick<ClaimedDelivery, 'endpointId'>[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { endpointId } of claimed.toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1))) {
    counts[endpointId] = (counts[endpointId] ?? 0) + 1
  }
  return counts
}
