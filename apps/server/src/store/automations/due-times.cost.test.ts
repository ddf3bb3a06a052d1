import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeStage } from '../../../testing/lists/list-world.ts'
import { addQueries } from '../../../testing/lists/page-cost.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import type { Store } from '../db.ts'
import { readUnevaluated } from './conditions.ts'
import { lockDueAutomations, readDueWatchers } from './due-times.ts'

const now = new Date('2026-03-01T00:00:00Z')
const automationCount = 8000

/** Workers run each of these about every second, whether anything is due or not. */
describe('the cost of finding due automations', () => {
  let store: Store & { url?: string }
  let costs: StatementCosts

  beforeAll(async () => {
    store = await openTestStore('postgres', { isNew: true, clock: { now: () => now } })
    const { caller, configId } = await makeStage(store, 'due')
    await addQueries({ caller, configId, store }, 1)
    await sql`
      insert into query_references
        (id, organization_id, short_id, title, is_optimistic, query_id, created_by, created_at, updated_at)
      select 'ref_1', organization_id, 'short', 'Orders', false, id, created_by, created_at, created_at
      from queries`.execute(store.db)
    // Half of them watch a reference. In each half, 20 are due; of the watchers, 20 have a result to evaluate.
    await sql`
      insert into automations (id, organization_id, name, instructions, agent, enabled, schedule_cron, schedule_time_zone,
        next_due_at, condition, watched_reference_id, unjudged_run_id, created_by, created_at, updated_at)
      select 'aut_' || md5(i::text), ${caller.organizationId}, 'Report', '', 'digest', true, '0 * * * *', 'UTC',
        ${now}::timestamptz + case when i % 400 < 2 then -i else i end * interval '1 minute',
        case when is_watching then '{"kind": "row_count"}'::jsonb end, case when is_watching then 'ref_1' end,
        case when is_watching and i % 400 = 7 then 'run_' || i end, ${caller.userId}, ${now}, ${now}
      from generate_series(1, ${automationCount}::integer) as i, lateral (select i % 2 = 1 as is_watching) as made`.execute(store.db)
    costs = openStatementCosts(store.url!, { now })
  })
  afterAll(async () => {
    await costs.close()
    await store.close()
  })

  const first = { dueAt: new Date(0), id: '' }

  describe.each([false, true])('with statistics: %s', (isAnalyzed) => {
    beforeAll(async () => {
      if (isAnalyzed) await sql`analyze`.execute(store.db)
    })

    test('reads only due watchers', async () => {
      const { answer, cost } = await costs.measure((db) => readDueWatchers(db, { after: first, count: 50 }))
      expect(answer).toHaveLength(20)
      expect(answer.map(({ dueAt }) => dueAt)).toEqual(answer.map(({ dueAt }) => dueAt).toSorted((a, b) => +a - +b))
      expect(cost.scannedTables).not.toContain('automations')
      expect(cost.rowsInOneStep).toBeLessThanOrEqual(20)
      expect(cost.buffers).toBeLessThan(100)
    })

    test('does not read earlier watchers again in a later batch', async () => {
      const batch = await readDueWatchers(store.db, { after: first, count: 15 })
      const { answer, cost } = await costs.measure((db) => readDueWatchers(db, { after: batch.at(-1)!, count: 15 }))
      expect(answer).toHaveLength(5)
      expect(cost.rowsInOneStep).toBeLessThanOrEqual(5)
    })

    test('reads only due schedules', async () => {
      const { answer, cost } = await costs.measure((db) =>
        db.transaction().execute((tx) => lockDueAutomations(tx, { count: 50, exceptIds: [] })),
      )
      expect(answer).toHaveLength(20)
      expect(cost.rowsInOneStep).toBeLessThanOrEqual(20)
      expect(cost.buffers).toBeLessThan(150)
    })

    test('reads only conditions with a result to evaluate', async () => {
      const { answer, cost } = await costs.measure((db) => readUnevaluated(db, { afterId: '', count: 20, kind: 'run' }))
      expect(answer).toHaveLength(20)
      expect(cost.rowsInOneStep).toBeLessThanOrEqual(20)
      expect(cost.buffers).toBeLessThan(150)
    })
  })
})
