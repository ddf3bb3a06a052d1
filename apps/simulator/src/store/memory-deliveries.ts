import { newId } from '@querypost/server/background-work'
import { definedEvents, type EventContent } from '@querypost/server/model'
import type { Random } from '@querypost/server/ports'
import type { PublishOptions } from '@querypost/server/testing'
import type { DeliveriesInWorld, OpenPublication } from './deliveries-in-world.ts'
import { makeMemoryRows, type MemoryDelivery, type MemoryRows, presentDelivery } from './memory-rows.ts'
import { disable, makeMemoryStore, type MemoryRules, soundRules } from './memory-store.ts'

/** The memory store with operations for people and publishers. */
export function memoryDeliveries(options: { random: Random; rules?: MemoryRules; rows?: MemoryRows }): DeliveriesInWorld {
  const { random, rules = soundRules, rows = makeMemoryRows() } = options
  const endpointOf = (id: string) => rows.endpoints.get(id)!

  const begin = beginPublication(rows, random)

  return {
    store: makeMemoryStore({ rows, rules, random }),
    setTime(now) {
      rows.now = now
    },
    async addOrganization() {},
    async switchWebhooks(organizationId, isOn) {
      if (isOn) rows.switchedOff.delete(organizationId)
      else rows.switchedOff.add(organizationId)
    },
    async addEndpoint(endpoint) {
      rows.endpoints.set(endpoint.id, { ...endpoint, state: 'enabled', consecutiveFailures: 0, isDeleted: false })
    },
    async disableEndpoint(endpointId) {
      disable(rows, endpointOf(endpointId), rules)
    },
    async enableEndpoint(endpointId, { now, sendHeld }) {
      Object.assign(endpointOf(endpointId), { state: 'enabled', consecutiveFailures: 0 })
      for (const delivery of sendHeld ? [] : rows.deliveries.values()) {
        if (delivery.endpointId === endpointId && delivery.state === 'held') rows.write(delivery, { orderKey: null, orderNumber: null })
      }
      for (const delivery of sendHeld ? rows.deliveries.values() : []) {
        if (delivery.endpointId === endpointId && delivery.state === 'held') {
          rows.write(delivery, { state: 'pending', nextAttemptAt: now })
        }
      }
    },
    async deleteEndpoint(endpointId) {
      endpointOf(endpointId).isDeleted = true
    },
    async changeSecret(endpointId, sealed) {
      endpointOf(endpointId).secret = sealed
    },
    async publish(publication) {
      const { published, commit } = begin(publication)
      if (!publication.isRolledBack) await commit()
      return published
    },
    beginPublishing: begin,
    deliveries: async () => [...rows.deliveries.values()].map(presentDelivery),
    writtenDeliveries() {
      const written = [...rows.written].map((id) => {
        const delivery = rows.deliveries.get(id)
        return { id, row: delivery && presentDelivery(delivery) }
      })
      rows.written.clear()
      return written
    },
    async endpoints() {
      return [...rows.endpoints.values()].map(({ id, organizationId, state, consecutiveFailures, isDeleted }) => ({
        id,
        organizationId,
        state,
        consecutiveFailures,
        isDeleted,
      }))
    },
    notifications: async () => [...rows.notifications],
    async close() {},
  }
}

/** Reads the subscriptions now. Others see the written rows after the commit. */
const beginPublication =
  (rows: MemoryRows, random: Random) =>
  ({ organizationId, content, now, testOf }: PublishOptions): OpenPublication & { body: string } => {
    const eventId = newId(random, 'evt')
    const body = JSON.stringify({ id: eventId, type: content.type, createdAt: now.toISOString(), data: content.data })
    const isOn = !rows.switchedOff.has(organizationId)
    const subscribed = [...rows.endpoints.values()].filter(
      (endpoint) => isOn && endpoint.organizationId === organizationId && !endpoint.isDeleted,
    )
    const deliveries = (testOf ? [rows.endpoints.get(testOf)!] : subscribed).map((endpoint): MemoryDelivery => {
      const state = endpoint.state === 'enabled' || testOf ? 'pending' : 'held'
      return {
        id: newId(random, 'dlv'),
        eventId,
        endpointId: endpoint.id,
        isTest: testOf !== undefined,
        state,
        attemptCount: 0,
        attempts: [],
        nextAttemptAt: state === 'pending' ? now : null,
        leaseNumber: 0,
        leaseOwner: null,
        leaseExpiresAt: null,
        orderKey: endpoint.isOrdered && !testOf ? orderKeyOf(content) : null,
        orderNumber: null,
        body,
      }
    })
    return {
      body,
      published: { eventId, createdAt: now, deliveryIds: deliveries.map(({ id }) => id) },
      // Publishers of one key take turns, so numbers follow the order of commits.
      commit: async () => {
        for (const delivery of deliveries) {
          if (delivery.orderKey !== null) delivery.orderNumber = ++rows.orderNumber
          rows.insert(delivery)
        }
      },
    }
  }

const orderKeyOf = ({ type, data }: EventContent) => String((data as Record<string, unknown>)[definedEvents[type].orderedBy])

/** Publishes as part of another transaction, which commits at once. */
export const publishInto = (rows: MemoryRows, random: Random) => (event: Omit<PublishOptions, 'testOf' | 'isRolledBack'>) => {
  const { published, body, commit } = beginPublication(rows, random)(event)
  void commit()
  return { id: published.eventId, body }
}
