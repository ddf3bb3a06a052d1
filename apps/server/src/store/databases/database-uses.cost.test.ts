import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeStage, type Stage } from '../../../testing/lists/list-world.ts'
import { addQueries } from '../../../testing/lists/page-cost.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import type { Store } from '../db.ts'
import { countSavedQueries, readDatabaseUses, savedQueryCountMax } from './database-uses.ts'

const size = 4000

/** One organization with many saved queries, 5 of which run against a second database. */
describe('the cost of counting a database’s uses', () => {
  let store: Store & { url?: string }
  let stage: Stage
  let costs: StatementCosts

  beforeAll(async () => {
    store = await openTestStore('postgres', { isNew: true })
    stage = await makeStage(store, 'uses')
    const { organizationId, userId } = stage.caller
    await sql`
      insert into analytical_database_configs (id, organization_id, name, engine, settings, created_by, created_at)
      select id, ${organizationId}, id, 'duckdb', '{"file": "x.duckdb"}', ${userId}, now()
      from unnest(array['db_few', 'db_none']) as id`.execute(store.db)
    await addQueries(stage, size)
    await sql`
      update queries set analytical_database_config_id = 'db_few' where sql in (select 'select ' || i from generate_series(1, 5) as i)`.execute(store.db)
    await sql`
      insert into query_references
        (id, organization_id, short_id, title, is_optimistic, query_id, created_by, created_at, updated_at)
      select 'ref_' || id, organization_id, 'short' || id, 'Orders', false, id, created_by, created_at, created_at
      from queries`.execute(store.db)
    // Every query has finished runs, and the busy database also has a pending one for each.
    await sql`
      insert into runs (id, organization_id, query_id, number, status, trigger_id, parameter_values, parameter_types, rendered_sql,
        run_at, completed_at)
      select 'run_' || id || number, organization_id, id, number, status, created_by, '{}', '{}', sql, created_at,
        case status when 'completed' then created_at end
      from queries, (values (1, 'completed'), (2, 'pending')) as run (number, status)
      where status = 'completed' or analytical_database_config_id = ${stage.configId}`.execute(store.db)
    costs = openStatementCosts(store.url!)
  })
  afterAll(async () => {
    await costs.close()
    await store.close()
  })

  test.each(['without statistics', 'with statistics'])('does not grow with the number of queries, %s', async (when) => {
    if (when === 'with statistics') await sql`analyze`.execute(store.db)
    const { organizationId } = stage.caller
    const count = (configId: string) => costs.measure((db) => countSavedQueries(db, { organizationId, configId }))
    const many = await count(stage.configId)
    expect(many.answer).toBe(savedQueryCountMax)
    expect(many.cost.scannedTables).toEqual([])
    expect(many.cost.rowsInOneStep).toBeLessThanOrEqual(savedQueryCountMax)
    const few = await count('db_few')
    expect(few.answer).toBe(5)
    expect(few.cost.rowsInOneStep).toBeLessThanOrEqual(5)
    const none = await costs.measureEach((db) =>
      db.transaction().execute((tx) => readDatabaseUses(tx, { organizationId, configId: 'db_none' })),
    )
    expect(none.answer).toEqual({ savedQueryCount: 0, savedQueries: [], hasUnfinishedRun: false })
    for (const { scannedTables, rowsInOneStep } of none.costs) {
      expect(scannedTables).toEqual([])
      expect(rowsInOneStep).toBeLessThanOrEqual(1)
    }
    const busy = await costs.measure((db) =>
      db.transaction().execute((tx) => readDatabaseUses(tx, { organizationId, configId: stage.configId })),
    )
    expect(busy.answer).toEqual({ savedQueryCount: savedQueryCountMax, savedQueries: expect.any(Array) as unknown, hasUnfinishedRun: true })
    expect(busy.answer.savedQueries).toHaveLength(20)
    expect(busy.cost.rowsInOneStep).toBeLessThanOrEqual(1)
  })
})
