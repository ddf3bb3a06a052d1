import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PageRead } from '../../model/page.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore, type TestStore } from '../../../testing/store/test-store.ts'
import { readPublishedAutomationsPage } from './read-published-automations-page.ts'

const automationCount = 600
const changesBefore = 12
const changesSince = 3
const count = 21
const now = new Date('2026-03-01T00:00:00Z')
const daysLater = (days: number) => new Date(now.getTime() + days * 86_400_000)

/** Every automation has a run, and was changed several times before and after the snapshot of the sequence. */
describe('the cost of a page of automations', () => {
  let store: TestStore
  let costs: StatementCosts
  let snapshot: string

  beforeAll(async () => {
    store = await openTestStore('postgres', { isNew: true })
    costs = openStatementCosts(store.url!)
    await store.db.connection().execute(async (db) => {
      // Only what the list reads is written.
      await sql`set session_replication_role = replica`.execute(db)
      await sql`
        insert into automations (id, organization_id, name, instructions, agent, enabled, schedule_cron, schedule_time_zone, created_by, created_at,
          updated_at)
        select 'automation_' || i, 'org_1', 'Report ' || i, '', 'digest', true, '0 7 * * *', 'UTC', 'user_1', ${now}::timestamptz + i * interval '1 minute', ${now}
        from generate_series(1, ${automationCount}::integer) as i`.execute(db)
      await sql`
        insert into chats (id, organization_id, short_id, title, revision, message_count, created_at, updated_at)
        select 'chat_' || i, 'org_1', 'chat' || i, '', 1, 0, ${now}, ${now} from generate_series(1, ${automationCount}::integer) as i`.execute(db)
      await sql`
        insert into agent_runs (id, organization_id, automation_id, chat_id, agent, status, trigger, trigger_id, user_id, instructions, requested_at)
        select 'arun_' || i, 'org_1', 'automation_' || i, 'chat_' || i, 'digest', 'pending', 'person', 'user_1', 'user_1', '', ${now}
        from generate_series(1, ${automationCount}::integer) as i`.execute(db)
      await sql`set session_replication_role = origin`.execute(db)
    })
    await change(changesBefore, 'before')
    snapshot = (await sql<{ snapshot: string }>`select pg_current_snapshot()::text as snapshot`.execute(store.db)).rows[0]!.snapshot
    await change(changesSince, 'since')
    await sql`update agent_runs set status = 'running', lease_number = 1, lease_owner = 'worker_1', lease_expires_at = 'infinity', started_at = ${now}`.execute(store.db)
  })
  async function change(times: number, when: string) {
    for (let changes = 1; changes <= times; changes += 1) {
      await sql`update automations set name = ${`changed ${when}`}, next_due_at = coalesce(next_due_at, ${now}) + interval '1 day', revision = revision + 1`.execute(store.db)
    }
  }
  afterAll(async () => {
    await costs.close()
    await store.close()
  })

  const read = async (from?: PageRead['from']) => {
    const { answer, cost } = await costs.measure((db) => readPublishedAutomationsPage(db, { organizationId: 'org_1', count, ...(from && { from }) }))
    if (answer === 'snapshot_unknown') throw new Error('The snapshot is unknown.')
    const [newest] = answer.rows
    return { cost, size: answer.rows.length, seen: [newest!.item.name, newest!.item.nextDueAt, newest!.item.latestRun?.status] }
  }

  describe.each([false, true])('with statistics: %s', (isAnalyzed) => {
    beforeAll(async () => {
      if (isAnalyzed) await sql`analyze`.execute(store.db)
    })

    test('does not grow with the number of automations', async () => {
      const { cost, size, seen } = await read()
      expect([size, ...seen]).toEqual([count, 'changed since', daysLater(changesBefore + changesSince), 'running'])
      expect(cost.rowsInOneStep).toBeLessThanOrEqual(2 * count)
      expect(cost.buffers).toBeLessThan(20 * count)
    })

    test('nor with the changes before the first page', async () => {
      const createdAt = new Date(now.getTime() + 300 * 60_000).toISOString()
      const { cost, size, seen } = await read({ snapshot, after: { createdAt, id: 'automation_300' } })
      expect([size, ...seen]).toEqual([count, 'changed before', daysLater(changesBefore), 'pending'])
      expect(cost.rowsInOneStep).toBeLessThanOrEqual((changesSince + 1) * count)
      expect(cost.buffers).toBeLessThan(60 * count)
    })
  })
})
