import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { openTestStore, storeKinds } from '../../testing/store/test-store.ts'
import { batchedLookup, lookupAhead } from './batched-lookup.ts'
import { asViewer } from './viewer.ts'

function heldReads() {
  const reads: { keys: string[]; answer: (values: Record<string, number>) => void; fail: (error: Error) => void }[] = []
  const read = (keys: string[]) =>
    new Promise<Map<string, number>>((resolve, reject) => {
      reads.push({ keys, answer: (values) => resolve(new Map(Object.entries(values))), fail: reject })
    })
  return { reads, read }
}

/** Waits two turns of the event loop: one in which the lookup collects keys, one in which it has sent its statement. */
async function settle() {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('concurrent lookups, and those during a running statement, share the next statement', async () => {
  const { reads, read } = heldReads()
  const lookup = batchedLookup({ read })
  const first = [lookup('a')]
  await settle()
  expect(reads.map(({ keys }) => keys)).toEqual([['a']])
  const answers = [...first, lookup('b'), lookup('a'), lookup('c')]

  reads[0]!.answer({ a: 1 })
  await settle()
  expect(reads.map(({ keys }) => keys)).toEqual([['a'], ['b', 'a', 'c']])

  reads[1]!.answer({ a: 2, b: 3 })
  // The second lookup of `a` came after the first statement was sent, so it gets the second statement's value.
  expect(await Promise.all(answers)).toEqual([1, 3, 2, undefined])
})

test('a failed statement fails only its own lookups', async () => {
  const { reads, read } = heldReads()
  const lookup = batchedLookup({ read })
  const first = lookup('a')
  await settle()
  const second = lookup('b')
  reads[0]!.fail(new Error('connection lost'))
  await expect(first).rejects.toThrow('connection lost')
  await settle()
  reads[1]!.answer({ b: 2 })
  expect(await second).toBe(2)
})

test('limits the size of a batch', async () => {
  const { reads, read } = heldReads()
  const lookup = batchedLookup({ read, maxKeys: 2 })
  const answers = ['a', 'b', 'c', 'd'].map(lookup)
  await settle()
  reads[0]!.answer({})
  await settle()
  reads[1]!.answer({ d: 4 })
  expect(reads.map(({ keys }) => keys)).toEqual([['a', 'b'], ['c', 'd']])
  expect(await Promise.all(answers)).toEqual([undefined, undefined, undefined, 4])
})

test('a lookup that was started ahead answers for its key only, and is not asked for a viewer', async () => {
  const asked: string[] = []
  const lookup = lookupAhead<string, string>(async (key) => `${key} ${asked.push(key)}`, 'a')
  expect(asked).toEqual(['a'])
  expect([await lookup('a'), await lookup('a'), await lookup('b')]).toEqual(['a 1', 'a 1', 'b 2'])
  const viewer = { id: 'user_1', hiddenDatabaseIds: ['db_1'], hiddenFolderIds: [] }
  expect(await asViewer(viewer, () => lookup('a'))).toBe('a 3')
})

test('a failed lookup that was started ahead fails only for those who wait for it', async () => {
  const failing = async (): Promise<string> => {
    throw new Error('connection lost')
  }
  const [ignored, awaited] = [lookupAhead(failing, 'a'), lookupAhead(failing, 'a')]
  expect(ignored).toBeTypeOf('function')
  await expect(awaited('a')).rejects.toThrow('connection lost')
})

describe.each(storeKinds)('lookups on %s', (kind) => {
  test('never miss a change that was committed before they started', async () => {
    const store = await openTestStore(kind, { isNew: true })
    const { db } = store
    await sql`create table counters (id integer primary key, value integer not null)`.execute(db)
    await sql`insert into counters select id, 0 from generate_series(1, 3) as id`.execute(db)
    const lookup = batchedLookup<number, number>({
      async read(keys) {
        const { rows } = await sql<{ id: number; value: number }>`
          select id, value from counters where id = any(${keys}::integer[])`.execute(db)
        return new Map(rows.map(({ id, value }) => [id, value]))
      },
    })
    const latest = [0, 0, 0, 0]
    async function write(id: number) {
      for (let value = 1; value <= 60; value++) {
        await sql`update counters set value = ${value} where id = ${id}`.execute(db)
        latest[id] = value
      }
    }
    let isWriting = true
    async function read(id: number) {
      while (isWriting) {
        const least = latest[id]!
        expect(await lookup(id)).toBeGreaterThanOrEqual(least)
      }
    }
    const readers = [1, 2, 3, 1, 2, 3].map(read)
    await Promise.all([1, 2, 3].map(write))
    isWriting = false
    await Promise.all(readers)
    expect(await Promise.all([1, 2, 3].map(lookup))).toEqual([60, 60, 60])
    await store.close()
  })
})
