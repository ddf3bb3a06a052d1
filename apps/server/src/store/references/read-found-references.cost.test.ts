import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeStage, type Stage } from '../../../testing/lists/list-world.ts'
import { addQueries, keyBefore, leaveStatisticsAlone } from '../../../testing/lists/page-cost.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import type { Store } from '../db.ts'
import { type ReferenceSearch, searchBestReferences, searchReferences } from './read-found-references.ts'

const count = 21
const size = 20_000

/** One organization of many references; another has as many with the same words, which must cost the first nothing. */
describe('what a search of references costs', () => {
  let store: Store & { url?: string }
  let ours: Stage
  let costs: StatementCosts

  beforeAll(async () => {
    store = await openTestStore('postgres', { isNew: true })
    await leaveStatisticsAlone(store.db)
    await sql`alter table query_reference_search set (autovacuum_enabled = false)`.execute(store.db)
    ours = await makeStage(store, 'ours')
    for (const stage of [ours, await makeStage(store, 'theirs')]) await addReferences(stage)
    costs = openStatementCosts(store.url!)
  })
  afterAll(async () => {
    await costs.close()
    await store.close()
  })

  /**
   * Every title has `revenue` in it; ours have a `walrus` now and then, of which theirs are full. The description of the older half
   * has `harvest` in it.
   */
  async function addReferences(stage: Stage): Promise<void> {
    await addQueries(stage, size)
    const { organizationId } = stage.caller
    await sql`
      insert into query_references
        (id, organization_id, short_id, description, title, is_optimistic, query_id, created_by, created_at, updated_at)
      select 'ref_' || md5(id::text), organization_id, 'short' || id,
        case when row_number() over (order by created_at, id) <= ${size / 2 - 10} then 'harvest' end,
        case when ${stage === ours} and row_number() over (order by created_at, id) % 4000 <> 0
          then 'revenue' else 'revenue walrus' end,
        false, id, created_by, created_at, created_at
      from queries where organization_id = ${organizationId}`.execute(store.db)
  }

  async function measure(search: Omit<ReferenceSearch, 'organizationId' | 'count'>) {
    const { organizationId } = ours.caller
    const measured = await costs.measureEach((db) => searchReferences(db, { organizationId, count, ...search }))
    // Two users and no runs are read from end to end, and rightly so.
    const scanned = measured.costs.flatMap(({ scannedTables }) => scannedTables)
    expect(scanned.filter((table) => table !== 'users' && table !== 'runs')).toEqual([])
    const buffers = measured.costs.reduce((sum, cost) => sum + cost.buffers, 0)
    const sortedRows = Math.max(...measured.costs.map((cost) => cost.sortedRows))
    return { ...measured.answer, found: measured.answer.rows.length, buffers, sortedRows }
  }

  const after = (rank: number) => keyBefore(ours, 'query_references', rank)

  /** What holds must hold with and without statistics: the embedded store never gathers them by itself. */
  test.each(['without statistics', 'with statistics'])('is that of some hundred rows, %s', async (when) => {
    if (when === 'with statistics') await sql`analyze`.execute(store.db)
    const searches = {
      'everything, first page': {},
      'everything, deep': { after: await after(15_000) },
      'of a creator': { createdBy: ours.caller.userId },
      'of nobody': { createdBy: 'user_nobody' },
      'of a database': { databaseId: ours.configId, after: await after(15_000) },
      'of no database': { databaseId: 'db_none' },
      'a common word': { text: 'rev' },
      'a common word, deep': { text: 'revenue', after: await after(15_000) },
      'a rare word': { text: 'walr' },
      'a rare word, deep': { text: 'walrus', after: await after(9000) },
      'a rare word beside a common one': { text: 'revenue walrus' },
      'no word of ours': { text: 'penguin' },
    }
    const found: Record<string, number> = {}
    for (const [name, search] of Object.entries(searches)) {
      const measured = await measure(search)
      found[name] = measured.found
      // A walk of 300 rows, and what each of the found ones leads to.
      expect(measured.buffers, `${name}, ${when}`).toBeLessThan(1200)
    }
    // Frequent, and none among the newest: the page looks through 5,000 rows, sorts none of the 10,000 matches, and says where it ended.
    let lookedUpTo: ReferenceSearch['after']
    for (const [expected, isCut] of [[0, true], [0, true], [count, false]] as const) {
      const measured = await measure({ text: 'harvest', ...(lookedUpTo && { after: lookedUpTo }) })
      expect(measured.found).toBe(expected)
      expect(measured.buffers, `an old frequent word, ${when}`).toBeLessThan(1800)
      expect(measured.sortedRows).toBeLessThanOrEqual(2 * count)
      expect(measured.lookedUpTo !== null).toBe(isCut)
      lookedUpTo = measured.lookedUpTo ?? undefined
    }
    expect((await measure({ text: 'harvest', createdBy: 'user_nobody' })).lookedUpTo).toBeNull()
    // Ranking looks at the titles of a thousand matches at most, however many there are.
    for (const text of ['revenue', 'harvest', 'walrus', 'penguin']) {
      const { organizationId } = ours.caller
      const ranked = await costs.measureEach((db) => searchBestReferences(db, { organizationId, text, count }, () => 0))
      const buffers = ranked.costs.reduce((sum, cost) => sum + cost.buffers, 0)
      expect(buffers, `the best of ${text}, ${when}`).toBeLessThan(8000)
      expect(ranked.costs.flatMap(({ scannedTables }) => scannedTables)).toEqual([])
    }
    expect(found).toEqual({
      'everything, first page': count,
      'everything, deep': count,
      'of a creator': count,
      'of nobody': 0,
      'of a database': count,
      'of no database': 0,
      'a common word': count,
      'a common word, deep': count,
      'a rare word': 5,
      'a rare word, deep': 2,
      'a rare word beside a common one': 5,
      'no word of ours': 0,
    })
  })
})
