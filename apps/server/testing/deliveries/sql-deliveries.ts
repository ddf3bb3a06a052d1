import { sql } from 'kysely'
import { type Published, publishEvent, publishTestEvent } from '../../src/domain/webhooks/events/publish-event.ts'
import { eventTypes } from '../../src/model/event-type.ts'
import { recordExhausted } from '../../src/domain/webhooks/sending/record-exhausted.ts'
import { makeSqlDeliveryStore } from '../../src/store/webhooks/sql-delivery-store.ts'
import { type Clock, systemClock } from '../../src/ports/clock.ts'
import type { Random } from '../../src/ports/random.ts'
import type { Db } from '../../src/store/db.ts'
import { setWebhooksEnabled } from '../../src/store/people/organizations-table.ts'
import { markEndpointDeleted, setEndpointState, setReleasing } from '../../src/store/webhooks/endpoints-table.ts'
import { holdPending } from '../../src/store/webhooks/hold-deliveries.ts'
import { setHeldAside } from '../../src/store/webhooks/order-deliveries.ts'
import { releaseHeld } from '../../src/store/webhooks/release-held.ts'
import { seededRandom } from '../seeded-random.ts'
import type { TestStore } from '../store/test-store.ts'
import type { DeliveriesUnderTest, DeliveryRow, EndpointRow, NotificationRow } from './deliveries-under-test.ts'

class RolledBack extends Error {}

/** A clock that shows the time it was last set to, used as the store's time. */
export function settableClock(): Clock & { set(now: Date): void } {
  let current = new Date('2026-01-05T09:00:00.000Z')
  return {
    ...systemClock,
    now: () => current,
    set(now) {
      current = now
    },
  }
}

/** What the conformance suite opens: an SQL store that is emptied before each test. */
export async function sqlDeliveriesOn(open: (options: { clock: Clock }) => Promise<Pick<TestStore, 'db' | 'close'>>) {
  const clock = settableClock()
  const { db, close } = await open({ clock })
  async function begin(): Promise<DeliveriesUnderTest> {
    const ofWebhooks = ['notifications', 'webhook_deliveries', 'webhook_events', 'webhook_endpoints']
    for (const table of [...ofWebhooks, 'audit_log', 'users', 'organizations']) {
      await sql`delete from ${sql.table(table)}`.execute(db)
    }
    return sqlDeliveries({ db, clock, random: seededRandom('deliveries'), close })
  }
  return { begin, close }
}

/** The SQL store with the service's own statements. `clock` is the store's time. */
export function sqlDeliveries(deps: {
  db: Db
  clock: ReturnType<typeof settableClock>
  random: Random
  close(): Promise<void>
}): DeliveriesUnderTest {
  const { db, clock, random } = deps
  const wallClockAt = (now: Date): Clock => ({ ...clock, now: () => now })

  return {
    store: makeSqlDeliveryStore({
      db,
      clock,
      recordExhausted: (tx, record) => recordExhausted({ tx, clock, random }, record),
    }),
    setTime: clock.set,
    async addOrganization(organizationId) {
      const now = clock.now()
      await db.insertInto('organizations').values({ id: organizationId, name: organizationId, created_at: now }).execute()
    },
    switchWebhooks: (organizationId, isOn) => setWebhooksEnabled(db, organizationId, isOn),
    async addEndpoint({ id, organizationId, url, secret, createdBy, isOrdered = false, now }) {
      await db
        .insertInto('users')
        .values({ id: createdBy, email: `${createdBy}@example.com`, name: createdBy, password_hash: 'none', created_at: now })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
      await db
        .insertInto('webhook_endpoints')
        .values({
          id,
          organization_id: organizationId,
          url,
          event_types: [...eventTypes],
          is_ordered: isOrdered,
          state: 'enabled',
          secret,
          created_by: createdBy,
          created_at: now,
          updated_at: now,
        })
        .execute()
    },
    async disableEndpoint(endpointId, now) {
      const change = { state: 'disabled', reason: 'Disabled by a test.', now } as const
      await db.transaction().execute((tx) => setEndpointState(tx, endpointId, change))
      await holdPending(db, { endpointId })
    },
    async enableEndpoint(endpointId, { now, sendHeld }) {
      if (!sendHeld) await setHeldAside(db, endpointId)
      await db.transaction().execute(async (tx) => {
        await setEndpointState(tx, endpointId, { state: 'enabled', now })
        await setReleasing(tx, endpointId, sendHeld)
      })
      if (!sendHeld) return
      await releaseHeld(db, { endpointId, createdAfter: new Date(0) })
      await db.transaction().execute((tx) => setReleasing(tx, endpointId, false))
    },
    async deleteEndpoint(endpointId, now) {
      const { organization_id: organizationId } = await db
        .selectFrom('webhook_endpoints')
        .select('organization_id')
        .where('id', '=', endpointId)
        .executeTakeFirstOrThrow()
      await markEndpointDeleted(db, { organizationId, endpointId }, now)
    },
    async changeSecret(endpointId, sealed) {
      await db.updateTable('webhook_endpoints').set({ secret: sealed }).where('id', '=', endpointId).execute()
    },
    async publish({ organizationId, content, now, testOf, isRolledBack }) {
      let published: Published = { eventId: '', createdAt: now, deliveryIds: [] }
      const publishing = db.transaction().execute(async (tx) => {
        const publishDeps = { tx, clock: wallClockAt(now), random }
        published = testOf
          ? await publishTestEvent(publishDeps, { organizationId, endpointId: testOf, content })
          : ((await publishEvent(publishDeps, { organizationId, content })) ?? published)
        if (isRolledBack) throw new RolledBack()
      })
      await publishing.catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error
      })
      return published
    },
    async deliveries() {
      const { rows } = await sql<DeliveryRow>`
        select id, event_id as "eventId", endpoint_id as "endpointId", is_test as "isTest", state,
          attempt_count as "attemptCount", jsonb_array_length(attempts) as "attemptsLogged",
          nullif(next_attempt_at, 'infinity') as "nextAttemptAt", order_key as "orderKey", order_number::integer as "orderNumber", lease_number as "leaseNumber", lease_owner as "leaseOwner",
          lease_expires_at as "leaseExpiresAt"
        from webhook_deliveries`.execute(db)
      return rows
    },
    async endpoints() {
      const { rows } = await sql<EndpointRow>`
        select id, organization_id as "organizationId", state, consecutive_failures as "consecutiveFailures",
          deleted_at is not null as "isDeleted"
        from webhook_endpoints`.execute(db)
      return rows
    },
    async notifications() {
      const { rows } = await sql<NotificationRow>`
        select id, kind, user_id as "userId", split_part(link, '/', 4) as "endpointId"
        from notifications order by created_at, id`.execute(db)
      return rows
    },
    close: deps.close,
  }
}
