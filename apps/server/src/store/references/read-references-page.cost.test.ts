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
  untilEarlierEnded,
} from '../../../testing/lists/page-cost.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import type { Store } from '../db.ts'
import { readReferencesPage } from './read-references-page.ts'

const limit = 100
const count = limit + 1

/** The tests run in order on the same rows. Each adds something that must not make a page more expensive. */
describe('the cost of a page of references', () => {
  let store: Store & { url?: string }
  let small: Stage
  let large: Stage
  let costs: PageCosts

  beforeAll(async () => {
    store = await openTestStore('postgres', { isNew: true })
    // The search table belongs to another list.
    await sql`alter table query_references disable trigger query_references_index`.execute(store.db)
    small = await makeStage(store, 'small')
    large = await makeStage(store, 'large')
    for (const [stage, size] of [[small, 300] as const, [large, 20_000] as const]) {
      await addQueries(stage, size)
      await addReferences(stage)
    }
    await addHistory(large, 2000)
    costs = openPageCosts(store.url!)
  })
  afterAll(async () => {
    await costs.close()
    await store.close()
  })

  async function addReferences(stage: Stage): Promise<void> {
    await sql`
      insert into query_references
        (id, organization_id, short_id, title, is_optimistic, query_id, created_by, created_at, updated_at)
      select 'ref_' || md5(id::text), organization_id, 'short' || id, 'new', false, id, created_by, created_at, created_at
      from queries where organization_id = ${stage.caller.organizationId}`.execute(store.db)
  }

  /** Adds versions that no snapshot of these tests needs, because a table of a page or two would rightly be scanned as a whole. */
  async function addHistory(stage: Stage, size: number): Promise<void> {
    await sql`
      insert into query_reference_history (reference_id, title, is_optimistic, query_id, updated_at, version_xid,
        replaced_xid, replaced_at)
      select id, title, is_optimistic, query_id, updated_at, version_xid, version_xid, updated_at
      from query_references where organization_id = ${stage.caller.organizationId} limit ${size}`.execute(store.db)
  }

  /** All in one transaction, which is past when this resolves. */
  async function changeNewest(stage: Stage, rowCount: number, what = sql`title = 'changed'`): Promise<void> {
    await sql`
      update query_references set ${what} where id in (
        select id from query_references where organization_id = ${stage.caller.organizationId} and deleted_at is null
        order by created_at desc, id desc limit ${rowCount})`.execute(store.db)
    await untilEarlierEnded(store.db)
  }

  const measure = (stage: Stage, from?: PageRead['from']) =>
    costs.measure(readReferencesPage, { organizationId: stage.caller.organizationId, count, ...(from && { from }) })

  async function measureSequence(stage: Stage, deepRank: number) {
    const first = await measure(stage)
    const { snapshot, rows } = first.answer
    const second = await measure(stage, { snapshot, after: rows[limit - 1]!.key })
    const deep = await measure(stage, { snapshot, after: await keyBefore(stage, 'query_references', deepRank) })
    const pages = { first, second, deep }
    for (const page of Object.values(pages)) expect(page.answer.rows).toHaveLength(count)
    return pages
  }

  const startOf = async (stage: Stage): Promise<NonNullable<PageRead['from']>> => {
    await untilEarlierEnded(store.db)
    const { answer } = await measure(stage)
    return { snapshot: answer.snapshot, after: answer.rows[limit - 1]!.key }
  }

  /** Must hold with and without statistics, because the embedded store never collects them on its own. */
  async function withAndWithoutStatistics(check: () => Promise<void>): Promise<void> {
    await check()
    await sql`analyze`.execute(store.db)
    await check()
  }

  test('depends on its items, not on the length of the list or the position of the page', async () => {
    await withAndWithoutStatistics(async () => {
      const ofSmall = await measureSequence(small, 150)
      const ofLarge = await measureSequence(large, 18_000)
      for (const page of ['first', 'second', 'deep'] as const) {
        expectBounded(ofLarge[page].costs, { count, buffersPerItem: 4 })
        for (const kind of planKinds) {
          expect(ofLarge[page].costs[kind].buffers).toBeLessThan(1.5 * ofSmall[page].costs[kind].buffers)
        }
      }
    })
  })

  test('depends on its items and their old versions after 8,000 changes', async () => {
    const from = await startOf(large)
    await changeNewest(large, 8_000)
    await withAndWithoutStatistics(async () => {
      const fromPast = await measure(large, from)
      expect(fromPast.answer.rows.map(({ item }) => item.title)).toEqual(Array(count).fill('new'))
      expectBounded(fromPast.costs, { count, buffersPerItem: 10 })
      const current = await measure(large, await startOf(large))
      expect(current.answer.rows.map(({ item }) => item.title)).toEqual(Array(count).fill('changed'))
      expectBounded(current.costs, { count, buffersPerItem: 7 })
    })
  })

  test('does not grow when one reference changes 2,000 times and has nearly all history', async () => {
    await sql`delete from query_reference_history`.execute(store.db)
    await vacuumAlone(store.db, 'query_reference_history')
    const before = await startOf(large)
    const { id, title } = (await measure(large, before)).answer.rows[5]!.item
    await sql`${sql.raw(`
      do $$ begin
        for i in 1..2000 loop
          update query_references set title = 'change ' || i where id = '${id}';
          commit;
        end loop;
      end $$`)}`.execute(store.db)
    const after = await startOf(large)
    // Rows inserted later with an older date have no visible version, which only the history can tell.
    await sql`
      insert into query_references
        (id, organization_id, short_id, title, is_optimistic, query_id, created_by, created_at, updated_at)
      select 'ref_late' || i, organization_id, 'late' || i, 'late', false, query_id, created_by, created_at, created_at
      from query_references, generate_series(1, 20) as i where id = ${id}`.execute(store.db)
    await withAndWithoutStatistics(async () => {
      for (const [from, expected] of [[before, title] as const, [after, 'change 2000'] as const]) {
        const page = await measure(large, from)
        expect(page.answer.rows[5]!.item).toMatchObject({ id, title: expected })
        expectBounded(page.costs, { count, buffersPerItem: 7 })
      }
    })
  })

  test('hardly grows with references deleted before the sequence began', async () => {
    const before = await startOf(large)
    const then = (await measure(large, before)).answer.rows.map(({ item }) => item)
    await changeNewest(large, 4_000, sql`deleted_at = '2026-02-01Z'`)
    const { snapshot } = await startOf(large)
    await withAndWithoutStatistics(async () => {
      // Start where the deleted references begin: all 4,000 are skipped within the index.
      const current = await measure(large, { ...before, snapshot })
      expect(current.answer.rows).toHaveLength(count)
      expectBounded(current.costs, { count, buffersPerItem: 12 })
      const fromPast = await measure(large, before)
      expect(fromPast.answer.rows.map(({ item }) => item)).toEqual(then)
      expectBounded(fromPast.costs, { count, buffersPerItem: 20 })
    })
  })
})
