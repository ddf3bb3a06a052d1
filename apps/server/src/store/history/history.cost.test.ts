import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { historyLimitsDefault } from '../../model/history.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore, type TestStore } from '../../../testing/store/test-store.ts'
import { listHistoryUse } from './history-limits-tables.ts'
import { removeUnusedObjects, shrinkHistories } from './remove-archived.ts'

const referenceCount = 1000
const resultsEach = 3
const organizationCount = 30
const now = new Date('2026-01-05T09:00:00.000Z')

let store: TestStore
let costs: StatementCosts

beforeAll(async () => {
  store = await openTestStore('postgres', { isNew: true })
  costs = openStatementCosts(store.url!)
  await store.db.connection().execute(async (db) => {
    // Only what the list reads is written.
    await sql`set session_replication_role = replica`.execute(db)
    await sql`
      insert into query_references (id, organization_id, short_id, title, is_optimistic, query_id, created_by, created_at, updated_at)
      select 'ref_' || i, 'org_1', 'short_' || i, 'Orders', false, gen_random_uuid(), 'user_1', ${now}, ${now}
      from generate_series(1, ${referenceCount}::integer) as i`.execute(db)
    await sql`
      insert into archive_objects (id, organization_id, content_hash, key_id, chain_length, chain_bytes, place, document_bytes, stored_bytes,
        written_at, created_at)
      select 'arc_' || i || '_' || n, 'org_1', i || '_' || n, 'arc_' || i || '_' || n, 0, i, 'files', i, i, ${now}, ${now}
      from generate_series(1, ${referenceCount}::integer) as i, generate_series(1, ${resultsEach}::integer) as n`.execute(db)
    await sql`
      insert into archived_results (reference_id, run_id, organization_id, query_id, parameter_values, parameter_types, at, row_count,
        size_bytes, result_hash, object_id)
      select 'ref_' || i, 'run_' || i || '_' || n, 'org_1', gen_random_uuid(), '{}', '{}', ${now}, 1, i, 'hash', 'arc_' || i || '_' || n
      from generate_series(1, ${referenceCount}::integer) as i, generate_series(1, ${resultsEach}::integer) as n`.execute(db)
    await sql`
      insert into organizations (id, name, created_at)
      select 'org_' || i, 'Organization', ${now} from generate_series(1, ${organizationCount}::integer) as i`.execute(db)
    await sql`set session_replication_role = origin`.execute(db)
  })
  // The walk over all chains counts them.
  const walk = () => removeUnusedObjects(store.db, { now, writingSince: now })
  while ((await walk()).hasMore);
  await sql`analyze`.execute(store.db)
})
afterAll(async () => {
  await costs.close()
  await store.close()
})

test.each([
  ['first', undefined, [1000, 999, 998]],
  ['later', { createdAt: '1500', id: 'ref_500' }, [499, 498, 497]],
] as const)('the %s page of space by reference reads the results of its references only', async (_, after, expected) => {
  const { answer, cost } = await costs.measure((db) => listHistoryUse(db, { organizationId: 'org_1', count: 3, ...(after && { after }) }))
  expect(answer.map(({ item }) => [item.storedBytes, item.resultCount])).toEqual(expected.map((number) => [number * resultsEach, resultsEach]))
  expect(cost.rowsInOneStep).toBeLessThanOrEqual(3 * resultsEach)
})

test('a sweep looks at a few organizations at a time, and reads no results of those within their limit', async () => {
  const shrink = () => costs.measureEach((db) => shrinkHistories(db, { defaults: historyLimitsDefault, now }))
  const { answer, costs: ofFirst } = await shrink()
  expect(answer).toEqual({ rows: 0, hasMore: true })
  expect(Math.max(...ofFirst.map(({ rowsInOneStep }) => rowsInOneStep))).toBeLessThanOrEqual(organizationCount)
  expect(Math.max(...ofFirst.map(({ buffers }) => buffers))).toBeLessThan(organizationCount * 10)
  const { answer: last, costs: ofLast } = await shrink()
  expect(last).toEqual({ rows: 0, hasMore: false })
  expect(Math.max(...ofLast.map(({ rowsInOneStep }) => rowsInOneStep))).toBeLessThanOrEqual(organizationCount)
})
