import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { cachedResults } from './cached-results.ts'
import type { ResultStore, StoredResult } from './result-store.ts'

/** A store whose responses the test resolves. */
function slowStore() {
  const asked: PromiseWithResolvers<StoredResult | undefined>[] = []
  const removed: string[] = []
  const results: ResultStore = {
    write: () => Promise.reject(new Error('not here')),
    open() {
      asked.push(Promise.withResolvers())
      return asked.at(-1)!.promise
    },
    async remove(runId) {
      removed.push(runId)
    },
    async removeAll(runIds) {
      removed.push(...runIds)
    },
    sweep: async () => ({ removed: 0, hasMore: false }),
  }
  return { results, asked, removed }
}

const small = (text: string): StoredResult => ({ sizeBytes: text.length, encoding: 'gzip', bytes: Buffer.from(text) })
const large = (): StoredResult => ({ sizeBytes: 3, encoding: 'gzip', bytes: Readable.from([Buffer.from('abc')]) })

test('reads a small result once for all concurrent and later readers', async () => {
  const { results, asked } = slowStore()
  const cached = cachedResults(results)
  const readers = [cached.open('run_a'), cached.open('run_a'), cached.open('run_a')]
  asked[0]!.resolve(small('abc'))
  for (const stored of await Promise.all(readers)) expect(stored).toEqual(small('abc'))
  expect(await cached.open('run_a')).toEqual(small('abc'))
  expect(asked).toHaveLength(1)
})

test('opens a large result for each reader and does not cache it', async () => {
  const { results, asked } = slowStore()
  const cached = cachedResults(results)
  const readers = [cached.open('run_a'), cached.open('run_a')]
  asked[0]!.resolve(large())
  const one = (await readers[0])!.bytes
  expect(asked).toHaveLength(2)
  asked[1]!.resolve(large())
  expect((await readers[1])!.bytes).not.toBe(one)
})

test('retries a result that was missing or could not be read', async () => {
  const { results, asked } = slowStore()
  const cached = cachedResults(results)
  const missing = cached.open('run_a')
  asked[0]!.resolve(undefined)
  expect(await missing).toBeUndefined()
  const failing = [cached.open('run_a'), cached.open('run_a')]
  asked[1]!.reject(new Error('the disk is gone'))
  for (const reader of failing) await expect(reader).rejects.toThrow('the disk is gone')
  const found = cached.open('run_a')
  asked[2]!.resolve(small('abc'))
  expect(await found).toEqual(small('abc'))
})

test('drops a removed result from the cache, even while it is being read', async () => {
  const { results, asked, removed } = slowStore()
  const cached = cachedResults(results)
  const reader = cached.open('run_a')
  await cached.remove('run_a')
  asked[0]!.resolve(small('abc'))
  expect(await reader).toEqual(small('abc'))
  const again = cached.open('run_a')
  expect(asked).toHaveLength(2)
  asked[1]!.resolve(small('abc'))
  await again
  await cached.remove('run_a')
  void cached.open('run_a')
  expect(asked).toHaveLength(3)
  expect(removed).toEqual(['run_a', 'run_a'])
})
