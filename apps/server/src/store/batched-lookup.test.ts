import { expect, test } from 'vitest'
import { batchedLookup, rememberedLookup } from './batched-lookup.ts'

function heldReads() {
  const reads: { keys: string[]; answer: (values: Record<string, number>) => void; fail: (error: Error) => void }[] = []
  const read = (keys: string[]) =>
    new Promise<Map<string, number>>((resolve, reject) => {
      reads.push({ keys, answer: (values) => resolve(new Map(Object.entries(values))), fail: reject })
    })
  return { reads, read }
}

/** Two turns: one in which the lookup gathers, one in which it has asked. */
async function settle() {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('lookups that come together, or while a statement is on its way, share the next one', async () => {
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
  // The second asker of `a` came after the first statement had left, so it gets what the second one read.
  expect(await Promise.all(answers)).toEqual([1, 3, 2, undefined])
})

test('a failed statement fails its own askers and no others', async () => {
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

test('a batch is bounded', async () => {
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

test('a lookup remembers no more than its total size', async () => {
  const reads: string[][] = []
  const lookup = rememberedLookup<string, string>({
    async read(keys) {
      reads.push(keys)
      return { moment: 'unchanged', values: new Map(keys.map((key) => [key, key.repeat(1024)])) }
    },
    moment: async () => 'unchanged',
    maxBytes: 5 * 1024,
  })
  // Two readings at the same moment say that nothing changes; from then on remembered values are used.
  for (const key of ['a', 'a', 'b', 'a', 'b']) await lookup(key)
  expect(reads).toEqual([['a'], ['a'], ['b']])
  await lookup('c')
  expect(await lookup('a')).toBe('a'.repeat(1024))
  expect(reads.slice(3)).toEqual([['c'], ['a']])
})
