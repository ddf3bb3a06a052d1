import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PageRead } from '../../model/page.ts'
import { makeStage, type Stage } from '../../../testing/lists/list-world.ts'
import {
  addQueries,
  expectBounded,
  keyBefore,
  vacuumAlone,
  openPageCosts,
  type PageCosts,
  planKinds,
} from '../../../testing/lists/page-cost.ts'
import { openStatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import type { Db, Store } from '../db.ts'
import { removeOldRuns } from '../runs/remove-old-runs.ts'
import { readQueriesPage } from './read-queries-page.ts'
import { expireUnsavedQueries, purgeQueries } from './expire-queries.ts'

const limit = 100
const count = limit + 1

describe('the cost of a page of queries', () => {
  let store: Store & { url?: string }
  let small: Stage
  let large: Stage
  let costs: PageCosts

  beforeAll(async () => {
    store = await openTestStore('postgres', { isNew: true })
    small = await makeStage(store, 'small')
    large = await makeStage(store, 'large')
    for (const [stage, size] of [[small, 300] as const, [large, 20_000] as const]) {
      await addQueries(stage, size)
      await addRuns(stage, 3)
    }
    costs = openPageCosts(store.url!)
  })
  afterAll(async () => {
    await costs.close()
    await store.close()
  })

  /** Adds failed runs to every query of the organization. Their numbers continue from the existing ones. */
  async function addRuns(stage: Stage, runCount: number, queryId: string | null = null, firstNumber = 1): Promise<void> {
    await sql`
      insert into runs (id, organization_id, query_id, number, status, trigger_id, parameter_values, parameter_types,
        rendered_sql, run_at, completed_at, failure_reason, ended_xid)
      select 'run_' || id || number, organization_id, id, number, 'failed', 'user', '{}', '{}',
        '', created_at, created_at, 'it failed', pg_current_xact_id()
      from queries, generate_series(${firstNumber}::integer, ${firstNumber + runCount - 1}::integer) as number
      where organization_id = ${stage.caller.organizationId}
        and id = coalesce(${queryId}::uuid, id)`.execute(store.db)
  }

  const measure = (stage: Stage, from?: PageRead['from']) =>
    costs.measure(readQueriesPage, { organizationId: stage.caller.organizationId, count, ...(from && { from }) })

  async function measureSequence(stage: Stage, deepRank: number) {
    const first = await measure(stage)
    const { snapshot, rows } = first.answer
    const second = await measure(stage, { snapshot, after: rows[limit - 1]!.key })
    const deep = await measure(stage, { snapshot, after: await keyBefore(stage, 'queries', deepRank) })
    const pages = { first, second, deep }
    for (const page of Object.values(pages)) expect(page.answer.rows).toHaveLength(count)
    return pages
  }

  test('depends on its items, not on the length of the list or the position of the page', async () => {
    for (const isAnalyzed of [false, true]) {
      if (isAnalyzed) await sql`analyze`.execute(store.db)
      const ofSmall = await measureSequence(small, 150)
      const ofLarge = await measureSequence(large, 17_000)
      for (const page of ['first', 'second', 'deep'] as const) {
        expectBounded(ofLarge[page].costs, { count, buffersPerItem: 5 })
        for (const kind of planKinds) {
          expect(ofLarge[page].costs[kind].buffers).toBeLessThan(1.5 * ofSmall[page].costs[kind].buffers)
        }
      }
    }
  })

  test('grows by less than a buffer per twenty newer runs, and not with older ones', async () => {
    const { snapshot, rows } = (await measure(large)).answer
    const from = { snapshot, after: rows[limit - 1]!.key }
    const page = await measure(large, from)
    const busy = page.answer.rows[5]!
    await addRuns(large, 5000, busy.item.id, 4)
    for (const isAnalyzed of [false, true]) {
      if (isAnalyzed) await sql`analyze`.execute(store.db)
      const fromPast = await measure(large, from)
      expect(fromPast.answer).toEqual(page.answer)
      for (const kind of planKinds) {
        expect(fromPast.costs[kind].buffers).toBeLessThan(page.costs[kind].buffers + 5000 / 20)
        expect(fromPast.costs[kind].scannedTables).toEqual([])
      }
      const now = (await measure(large)).answer
      const current = await measure(large, { snapshot: now.snapshot, after: from.after })
      expect(current.answer.rows[5]!.item.latestRun!.id).toBe(`run_${busy.item.id}5003`)
      expectBounded(current.costs, { count, buffersPerItem: 5 })
    }
  })

  test('does not grow with queries that expired before the sequence began', async () => {
    const { snapshot } = (await measure(large)).answer
    const from = { snapshot, after: await keyBefore(large, 'queries', 8000) }
    const before = await measure(large, from)
    // Expire the older half of the list, except some saved ones.
    await sql`
      update queries set expired_at = created_at, expired_xid = pg_current_xact_id()
      where id in (
        select id from (
          select id, row_number() over (order by created_at desc, id desc) as rank from queries
          where organization_id = ${large.caller.organizationId}) as ranked
        where rank > 8000 and rank % 1000 <> 0)`.execute(store.db)
    // As autovacuum would after that many changes: the planner then knows which index contains only unexpired queries.
    await vacuumAlone(store.db, 'queries')
    // A page sequence started before shows them all.
    expect((await measure(large, from)).answer).toEqual(before.answer)
    const now = (await measure(large)).answer.snapshot
    const page = await measure(large, { snapshot: now, after: from.after })
    expect(page.answer.rows).toHaveLength(12)
    for (const kind of planKinds) {
      expect(page.costs[kind].buffers).toBeLessThan(5 * count)
      expect(page.costs[kind].scannedTables).toEqual([])
    }
  })

  test('a sweep batch scans no whole table', async () => {
    await sql`analyze`.execute(store.db)
    const now = new Date()
    const sweeps: Record<string, (db: Db) => Promise<unknown>> = {
      'unsaved queries': (db) => expireUnsavedQueries(db, { unusedBefore: now, now }),
      'expired queries': (db) => purgeQueries(db, { expiredBefore: now }),
      'old runs': (db) => removeOldRuns(db, { endedBefore: now, replacedBefore: now, keptCount: 2, now }),
    }
    const statements = openStatementCosts(store.url!)
    for (const [name, sweep] of Object.entries(sweeps)) {
      const { costs: each } = await statements.measureEach(sweep)
      const scanned = each.flatMap(({ scannedTables }) => scannedTables)
      // Tables that are empty here, or have one row per sweep.
      const large = scanned.filter((table) => table === 'queries' || table === 'runs')
      expect(large, name).toEqual([])
      expect(Math.max(...each.map(({ rowsInOneStep }) => rowsInOneStep)), name).toBeLessThan(5000)
    }
    await statements.close()
  })
})
