import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeStage, makeWorld, type Stage, type World } from '../../../testing/lists/list-world.ts'
import { perform } from '../../../testing/lists/list-writes.ts'
import { openTestStore, storeKinds } from '../../../testing/store/test-store.ts'
import { readQueriesPage } from '../../store/queries/read-queries-page.ts'
import { readReferencesPage } from '../../store/references/read-references-page.ts'
import { markReferenceDeleted, updateReference } from '../../store/references/references-table.ts'
import type { Reference } from '../../model/reference.ts'
import { readPage } from './page.ts'

function listReferences(world: World, limit: number, cursor?: string) {
  return readPage<Reference>(world.pages, {
    caller: world.caller,
    list: 'references',
    request: { limit, ...(cursor && { cursor }) },
    read: (page) => readReferencesPage(world.store.db, page),
  })
}

async function makeWorldWith(stage: Stage, references: number): Promise<World> {
  const world = makeWorld(stage)
  await perform(world, { kind: 'add query', by: 0 })
  for (let i = 0; i < references; i++) {
    await perform(world, { kind: 'add reference', by: 0, pick: 0, isOptimistic: false })
  }
  return world
}

describe('sequences during concurrent writes, on postgres', () => {
  let stage: Stage

  beforeAll(async () => {
    stage = await makeStage(await openTestStore('postgres'), 'busy')
  })
  afterAll(() => stage.store.close())

  /**
   * Every transaction gives all references one new title, deletes one and adds one. So a consistent view shows one title and always
   * the same number of references, however they are spread over pages.
   */
  test('a sequence never mixes two moments', async () => {
    const references = 12
    const transactions = 60
    const world = await makeWorldWith(stage, references)
    const { db } = stage.store
    const { organizationId } = stage.caller
    await sql`update query_references set title = 'round 0'`.execute(db)
    let isWriting = true

    async function write() {
      for (let round = 1; round <= transactions; round++) {
        await db.transaction().execute(async (tx) => {
          const now = world.clock.now()
          const living = await tx
            .selectFrom('query_references')
            .select(['id', 'short_id'])
            .where('organization_id', '=', organizationId)
            .where('deleted_at', 'is', null)
            .execute()
          const [first, ...others] = living
          await markReferenceDeleted(tx, { organizationId, shortId: first!.short_id, deletedBy: world.caller.userId, now })
          for (const { id } of others) await updateReference(tx, { id, changes: { title: `round ${round}` }, changedBy: world.caller.userId, now })
          await sql`
            insert into query_references (id, organization_id, short_id, title, is_optimistic, query_id, created_by,
              created_at, updated_at)
            select 'ref_' || md5(id), organization_id, md5(short_id), ${`round ${round}`}, false, query_id, created_by,
              created_at, created_at
            from query_references where id = ${first!.id}`.execute(tx)
        })
      }
      isWriting = false
    }

    const roundsSeen = new Set<string>()
    async function read(limit: number) {
      while (isWriting) {
        const items: Reference[] = []
        let cursor: string | undefined
        do {
          const page = await listReferences(world, limit, cursor)
          items.push(...page.items)
          cursor = page.nextCursor
        } while (cursor)
        expect(new Set(items.map(({ id }) => id)).size).toBe(references)
        const titles = new Set(items.map(({ title }) => title))
        expect([...titles]).toHaveLength(1)
        roundsSeen.add([...titles][0]!)
      }
    }

    await Promise.all([write(), read(1), read(3), read(11)])
    expect(roundsSeen.size).toBeGreaterThan(1)
  })
})

describe.each(storeKinds)('a snapshot on %s', (kind) => {
  let stage: Stage

  beforeAll(async () => {
    stage = await makeStage(await openTestStore(kind), 'snapshots')
  })
  afterAll(() => stage.store.close())

  test('that the database has not reached yet is unknown', async () => {
    const world = await makeWorldWith(stage, 3)
    const { db } = stage.store
    const { organizationId } = stage.caller
    // Far enough ahead that commits of other tests on the same server do not reach it.
    const { rows } = await sql<{ ahead: string; now: string }>`
      select (xmax::text::bigint + 1000000)::text as ahead, xmax::text as now
      from pg_snapshot_xmax(pg_current_snapshot()) as xmax`.execute(db)
    const { ahead, now } = rows[0]!
    const after = { createdAt: '2030-01-01T00:00:00.000000Z', id: 'ref_' }
    const query = { createdAt: after.createdAt, id: '00000000-0000-0000-0000-000000000000' }
    for (const snapshot of [`${ahead}:${ahead}:`, `1:${ahead}:`]) {
      const page = { organizationId, count: 5 }
      expect(await readReferencesPage(db, { ...page, from: { snapshot, after } })).toBe('snapshot_unknown')
      expect(await readQueriesPage(db, { ...page, from: { snapshot, after: query } })).toBe('snapshot_unknown')
    }
    const known = await readReferencesPage(db, { organizationId, count: 5, from: { snapshot: `${now}:${now}:`, after } })
    expect(known).toMatchObject({ snapshot: `${now}:${now}:`, rows: { length: 3 } })
    expect((await listReferences(world, 5)).items).toHaveLength(3)
  })
})
