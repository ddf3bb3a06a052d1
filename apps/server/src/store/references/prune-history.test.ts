import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeStage, makeWorld, type World } from '../../../testing/lists/list-world.ts'
import { perform } from '../../../testing/lists/list-writes.ts'
import { openTestStore, storeKinds } from '../../../testing/store/test-store.ts'
import { pruneReferenceHistory } from './prune-history.ts'
import { markReferenceDeleted, updateReference } from './references-table.ts'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 5, 9, minute))

describe.each(storeKinds)('pruning old versions on %s', (kind) => {
  let world: World

  beforeAll(async () => {
    world = makeWorld(await makeStage(await openTestStore(kind), 'history'))
    await perform(world, { kind: 'add query', by: 0 })
    for (let i = 0; i < 2; i++) await perform(world, { kind: 'add reference', by: 0, pick: 0, isOptimistic: false })
    const [changed, deleted] = [...world.committed.references.values()]
    const { db } = world.store
    for (const minute of [10, 20, 30]) {
      const options = { id: changed!.id, changes: { title: `at ${minute}` }, changedBy: world.caller.userId, now: at(minute) }
      await db.transaction().execute((tx) => updateReference(tx, options))
    }
    await markReferenceDeleted(db, { ...world.caller, shortId: deleted!.shortId, deletedBy: world.caller.userId, now: at(20) })
  })
  afterAll(() => world.store.close())

  async function kept() {
    const { db } = world.store
    const versions = await db.selectFrom('query_reference_history').select('replaced_at').orderBy('replaced_at').execute()
    const listed = await db.selectFrom('query_references').select('id').where('is_listed', '=', true).execute()
    return { versions: versions.map((version) => version.replaced_at.getUTCMinutes()), listed: listed.length }
  }

  async function prune(minute: number, batchSize?: number): Promise<number[]> {
    const counts: number[] = []
    do {
      const options = { replacedBefore: at(minute), ...(batchSize && { batchSize }) }
      counts.push(await pruneReferenceHistory(world.store.db, options))
    } while (counts.at(-1) !== 0)
    return counts
  }

  test('keeps versions replaced at that moment or later', async () => {
    expect(await kept()).toEqual({ versions: [10, 20, 20, 30], listed: 2 })
    expect(await prune(10)).toEqual([0])
    expect(await prune(20)).toEqual([1, 0])
    expect(await kept()).toEqual({ versions: [20, 20, 30], listed: 2 })
  })

  test('works in batches and unlists deleted references', async () => {
    expect(await prune(30, 1)).toEqual([2, 1, 0])
    expect(await kept()).toEqual({ versions: [30], listed: 1 })
    expect(await prune(59)).toEqual([1, 0])
    expect(await kept()).toEqual({ versions: [], listed: 1 })
  })

  test('does not change the references themselves', async () => {
    const { rows } = await sql`select title, deleted_at is not null as is_deleted from query_references order by 2`.execute(
      world.store.db,
    )
    expect(rows).toEqual([
      { title: 'at 30', is_deleted: false },
      { title: expect.stringMatching(/^title /), is_deleted: true },
    ])
  })
})
