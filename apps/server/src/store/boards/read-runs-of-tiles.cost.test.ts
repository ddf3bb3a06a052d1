import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { makeQueryWorld } from '../../../testing/store/query-world.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore, type TestStore } from '../../../testing/store/test-store.ts'
import { readRunsOfTiles, type WantedRun } from './read-runs-of-tiles.ts'

const clock = manualClock()
const random = seededRandom('runs of tiles')
const now = clock.now()
const tileCount = 30

let store: TestStore
let costs: StatementCosts
let organizationId: string

beforeAll(async () => {
  store = await openTestStore('postgres', { isNew: true, clock })
  costs = openStatementCosts(store.url!)
})
afterAll(async () => {
  await costs.close()
  await store.close()
})

/** Queries with this many completed and as many failed runs each, all with different SQL. */
async function addBoard(runsPerQuery: number): Promise<WantedRun[]> {
  const world = await makeQueryWorld({ db: store.db, clock, random })
  organizationId = world.organizationId
  const wanted: WantedRun[] = []
  for (let tile = 0; tile < tileCount; tile++) {
    const queryId = await world.addQuery('select {{n}}')
    await sql`
      insert into runs (id, organization_id, query_id, number, status, trigger_id, parameter_values, parameter_types, rendered_sql,
        run_at, completed_at, failure_reason, ended_xid)
      select 'run_' || ${queryId} || n, ${organizationId}, ${queryId}::uuid, n, case n % 2 when 0 then 'failed' else 'completed' end, 'user',
        '{}', '{}', 'select ' || n / 2, ${now}, ${now}, case n % 2 when 0 then 'it failed' end, pg_current_xact_id()
      from generate_series(1, ${2 * runsPerQuery}::integer) as n`.execute(store.db)
    // The oldest of them: a scan from the newest would meet all others first.
    wanted.push({ queryId, renderedSql: 'select 0' })
  }
  return wanted
}

test('the results of a board cost the same, however many runs its queries have', async () => {
  const measure = (wanted: WantedRun[]) =>
    costs.measure((db) => readRunsOfTiles(db, { organizationId, wanted, completedAfter: new Date(0) }))
  const few = await measure(await addBoard(5))
  const board = await addBoard(500)
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await sql`analyze`.execute(store.db)
    const many = await measure(board)
    expect(many.answer).toHaveLength(tileCount)
    for (const { completed, failed } of many.answer) expect([completed?.number, failed]).toEqual([1, null])
    expect(many.cost.buffers, `analyzed: ${isAnalyzed}`).toBeLessThan(2 * few.cost.buffers)
    expect(many.cost.buffers).toBeLessThan(25 * tileCount)
  }
})
