import { sql } from 'kysely'
import { describe } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { sqlDeliveries } from '../../../testing/sql-deliveries.ts'
import { openTestStore, storeKinds } from '../../../testing/test-store.ts'
import { deliveryStoreConformance } from './conformance.ts'

describe.each(storeKinds)('%s', (kind) => {
  deliveryStoreConformance({
    name: 'the SQL store',
    async open() {
      const { db, close } = await openTestStore(kind)
      const deliveries = sqlDeliveries({ db, clock: manualClock(), random: seededRandom('deliveries'), close })
      async function clear() {
        for (const table of ['notifications', 'webhook_deliveries', 'webhook_events', 'webhook_endpoints', 'users', 'organizations']) {
          await sql`delete from ${sql.table(table)}`.execute(db)
        }
      }
      return { deliveries, clear }
    },
  })
})
