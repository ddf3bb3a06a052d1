import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeStage, type Stage } from '../../../testing/lists/list-world.ts'
import { addQueries, keyBefore } from '../../../testing/lists/page-cost.ts'
import { openStatementCosts, type StatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import type { Store } from '../db.ts'
import { type ReferenceSearch, searchBestReferences, searchReferences } from './read-found-references.ts'

const count = 21
const size = 20_000

/** One organization with many references. Another has as many with the same words, which must not add to the first one's cost. */
describe('the cost of searching references', () => {
  let store: Store & { url?: string }
  let ours: Stage
  let costs: StatementCosts

  beforeAll(async () => {
    store = await openTestStore('postgres', { isNew: true })
    ours = await makeStage(store, 'ours')
    for (const stage of [ours, await makeStage(store, 'theirs')]) await addReferences(stage)
    costs = openStatementCosts(store.url!)
  })
  afterAll(async () => {
    await costs.close()
    await store.close()
  })

  /**
   * Every title contains `revenue`. A few titles of the first organization contain `walrus`, which the other's titles are full of. The
   * descriptions of the older half contain `harvest`.
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
    await sql`
      insert into folders (id, organization_id, name, version, created_by, created_at, updated_at)
      values ('folder_' || ${organizationId}::text, ${organizationId}, 'Sales', 1, ${stage.caller.userId}, now(), now())`.execute(store.db)
    await sql`
      update query_references set folder_id = 'folder_' || ${organizationId}
      where organization_id = ${organizationId} and ('x' || substr(md5(id), 1, 4))::bit(16)::integer % 100 = 0`.execute(store.db)
    // Every tenth has a tag, and the oldest ones another.
    await sql`
      insert into item_tags (organization_id, kind, item_id, tag, key)
      select organization_id, 'reference', id, 'daily', 'daily' from query_references
      where organization_id = ${organizationId} and ('x' || substr(md5(id), 5, 4))::bit(16)::integer % 10 = 0`.execute(store.db)
    await sql`
      insert into item_tags (organization_id, kind, item_id, tag, key)
      select organization_id, 'reference', id, 'old', 'old' from query_references
      where organization_id = ${organizationId} order by created_at limit 30`.execute(store.db)
    // As many verified ones as an organization may have.
    await sql`
      insert into knowledge_items (id, organization_id, kind, subject, version, content, changed_by, changed_at)
      select 'knowledge_' || id, organization_id, 'verified_query', id, 1, jsonb_build_object('queryId', query_id), created_by, created_at
      from query_references where organization_id = ${organizationId} order by id limit 500`.execute(store.db)
  }

  async function measure(search: Omit<ReferenceSearch, 'organizationId' | 'count'>) {
    const { organizationId } = ours.caller
    const measured = await costs.measureEach((db) => searchReferences(db, { organizationId, count, ...search }))
    // The tables with two users and no runs are rightly scanned as a whole.
    const scanned = measured.costs.flatMap(({ scannedTables }) => scannedTables)
    expect(scanned.filter((table) => table !== 'users' && table !== 'runs')).toEqual([])
    const buffers = measured.costs.reduce((sum, cost) => sum + cost.buffers, 0)
    const sortedRows = Math.max(...measured.costs.map((cost) => cost.sortedRows))
    return { ...measured.answer, found: measured.answer.rows.length, buffers, sortedRows }
  }

  const after = (rank: number) => keyBefore(ours, 'query_references', rank)

  /** Must hold with and without statistics, because the embedded store never collects them on its own. */
  test.each(['without statistics', 'with statistics'])('is that of a few hundred rows, %s', async (when) => {
    if (when === 'with statistics') await sql`analyze`.execute(store.db)
    const searches = {
      'everything, first page': {},
      'everything, deep': { after: await after(15_000) },
      'by creator': { createdBy: ours.caller.userId },
      'by an unknown creator': { createdBy: 'user_nobody' },
      'by database': { databaseId: ours.configId, after: await after(15_000) },
      'by an unknown database': { databaseId: 'db_none' },
      'a common word': { text: 'rev' },
      'a common word, deep': { text: 'revenue', after: await after(15_000) },
      'a rare word': { text: 'walr' },
      'a rare word, deep': { text: 'walrus', after: await after(9000) },
      'a rare word beside a common one': { text: 'revenue walrus' },
      'a word without matches': { text: 'penguin' },
      'a word without matches beside a common one': { text: 'revenue penguin' },
      'a frequent tag': { tag: 'Daily' },
      'a frequent tag, deep': { tag: 'daily', after: await after(15_000) },
      'a folder': { folderId: `folder_${ours.caller.organizationId}` },
      'a folder, deep': { folderId: `folder_${ours.caller.organizationId}`, after: await after(10_000) },
    }
    const found: Record<string, number> = {}
    for (const [name, search] of Object.entries(searches)) {
      const measured = await measure(search)
      found[name] = measured.found
      // A scan of 300 rows, plus the lookups for each match.
      expect(measured.buffers, `${name}, ${when}`).toBeLessThan(1200)
    }
    // Frequent, but not among the newest: the page scans 5,000 rows, sorts none of the 10,000 matches, and says where it stopped.
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
      'by creator': count,
      'by an unknown creator': 0,
      'by database': count,
      'by an unknown database': 0,
      'a common word': count,
      'a common word, deep': count,
      'a rare word': 5,
      'a rare word, deep': 2,
      'a rare word beside a common one': 5,
      'a word without matches': 0,
      'a word without matches beside a common one': 0,
      'a frequent tag': count,
      'a frequent tag, deep': count,
      'a folder': count,
      'a folder, deep': count,
    })
    // Not among the newest 2,000, so all with the tag are read.
    expect(await measure({ tag: 'old' })).toMatchObject({ found: count })
    expect(await measure({ tag: 'unknown' })).toMatchObject({ found: 0 })
  })
})
