import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import type { DeliveryStore } from '@querypost/server/background-work'
import { systemClock } from '@querypost/server/ports'
import { type Db, migrate, openEmbedded } from '@querypost/server/store'
import { settableClock, sqlDeliveries, storeTimeOf } from '@querypost/server/testing'
import { makeChance } from '../chance.ts'
import { worldBeganAt } from '../world/machine.ts'
import type { DeliveriesInWorld } from './deliveries-in-world.ts'

/** The service's delivery store on an embedded PostgreSQL in memory. It is reused: each run begins with empty tables. */
export interface SqlPlace {
  /** Empties the tables for a run. */
  begin(seed: number): Promise<DeliveriesInWorld>
  close(): Promise<void>
}

export async function openSqlPlace(): Promise<SqlPlace> {
  const clock = settableClock()
  const store = await openEmbedded({ pglite: await PGlite.create(), beforeStatement: storeTimeOf(clock) })
  await migrate({ db: store.db, clock: systemClock })
  return makeSqlPlace({ ...store, clock })
}

/** A claim does not promise the order of its deliveries, so they are sorted. */
function inOrder(store: DeliveryStore): DeliveryStore {
  return {
    ...store,
    async claim(options) {
      const claim = await store.claim(options)
      return { ...claim, deliveries: claim.deliveries.toSorted((a, b) => (a.id < b.id ? -1 : 1)) }
    },
  }
}

/** `clock`: the store's time. */
export function makeSqlPlace(options: { db: Db; clock: ReturnType<typeof settableClock>; close(): Promise<void> }): SqlPlace {
  const { db, clock, close } = options
  const tables = ['notifications', 'webhook_deliveries', 'webhook_events', 'webhook_endpoints', 'users', 'organizations']
  return {
    async begin(seed) {
      // Not `delete`: the order of equal rows depends on their position, and a seed must always give the same run.
      await sql`truncate ${sql.join(tables.map((table) => sql.table(table)))} cascade`.execute(db)
      // Notifications are ordered by time, so each gets its own second.
      let seconds = 0
      const now = () => new Date(worldBeganAt + 1000 * seconds++)
      const random = makeChance(`store ${seed}`)
      // Use the world's time, not the duration of the statement on this machine.
      const ofWorld = { ...clock, now, monotonicMs: () => clock.now().getTime() }
      const deliveries = sqlDeliveries({ db, clock: ofWorld, random, close: async () => {} })
      return { ...deliveries, store: inOrder(deliveries.store) }
    },
    close,
  }
}
