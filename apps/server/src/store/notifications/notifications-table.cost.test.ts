import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testMembers } from '../../../testing/people/members.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import type { Store } from '../db.ts'
import { countUnread, type NotificationOwner, readNotificationsPage, unreadCountMax } from './notifications-table.ts'

const size = 4000

describe('the cost of many notifications', () => {
  let store: Store & { url?: string }
  let costs: StatementCosts
  /** Has read all but the oldest 10. */
  let mostlyRead: NotificationOwner
  /** Has read none. */
  let allUnread: NotificationOwner

  beforeAll(async () => {
    store = await openTestStore('postgres', { isNew: true })
    const clock = manualClock()
    const people = testMembers({ db: store.db, clock, random: seededRandom('notifications') })
    mostlyRead = await people.member(await people.organization())
    allUnread = await people.member(await people.organization())
    for (const { organizationId, userId } of [mostlyRead, allUnread]) {
      await sql`
        insert into notifications (id, organization_id, user_id, kind, message, link, created_at, read_at)
        select 'ntf_' || ${userId} || i, ${organizationId}, ${userId}, 'run_failed', 'A run failed.', '/', at,
          case when ${userId === mostlyRead.userId} and i > 10 then at end
        from generate_series(1, ${size}::integer) as i,
          lateral (select ${clock.now()}::timestamptz + i * interval '1 second' as at) as made`.execute(store.db)
    }
    costs = openStatementCosts(store.url!)
  })
  afterAll(async () => {
    await costs.close()
    await store.close()
  })

  describe.each([false, true])('with statistics: %s', (isAnalyzed) => {
    beforeAll(async () => {
      if (isAnalyzed) await sql`analyze`.execute(store.db)
    })

    test.each([false, true])('a page reads only its own items (unread only: %s)', async (isUnreadOnly) => {
      const { answer, cost } = await costs.measure((db) => readNotificationsPage(db, mostlyRead, { count: 21, isUnreadOnly }))
      expect(answer).toHaveLength(isUnreadOnly ? 10 : 21)
      expect(cost.scannedTables).toEqual([])
      expect(cost.rowsInOneStep).toBeLessThanOrEqual(21)
      expect(cost.buffers).toBeLessThan(50)
    })

    test('a later page of unread notifications does not read earlier ones again', async () => {
      const { key } = (await readNotificationsPage(store.db, allUnread, { count: 1000, isUnreadOnly: true })).at(-1)!
      const { answer, cost } = await costs.measure((db) =>
        readNotificationsPage(db, allUnread, { count: 21, isUnreadOnly: true, after: key }),
      )
      expect(answer).toHaveLength(21)
      expect(cost.rowsInOneStep).toBeLessThanOrEqual(21)
    })

    test('counting reads only unread notifications, up to the maximum count', async () => {
      const few = await costs.measure((db) => countUnread(db, [mostlyRead]))
      expect(few.answer).toEqual([10])
      expect(few.cost.scannedTables).toEqual([])
      expect(few.cost.rowsInOneStep).toBeLessThanOrEqual(10)
      const many = await costs.measure((db) => countUnread(db, [mostlyRead, allUnread]))
      expect(many.answer).toEqual([10, unreadCountMax])
      expect(many.cost.scannedTables).toEqual([])
      expect(many.cost.rowsInOneStep).toBeLessThanOrEqual(unreadCountMax + 10)
    })
  })
})
