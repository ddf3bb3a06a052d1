import { expect, test } from 'vitest'
import { inMemorySeenEvents } from './seen-events.ts'

function clock() {
  let nowMs = Date.parse('2026-03-01T12:00:00.000Z')
  return { now: () => new Date(nowMs), advance: (ms: number) => (nowMs += ms) }
}

/** A handler whose runs are ended by the test. */
function heldHandler() {
  const runs: { succeed: () => void; fail: (error: Error) => void }[] = []
  const handle = () => new Promise<void>((succeed, fail) => runs.push({ succeed, fail }))
  return { runs, handle }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('an event is handled once; others are not affected', async () => {
  const seen = inMemorySeenEvents()
  const handled: string[] = []
  const deliver = (id: string) => seen.once(id, () => handled.push(id))
  expect([await deliver('a'), await deliver('b'), await deliver('a')]).toEqual(['handled', 'handled', 'duplicate'])
  expect(handled).toEqual(['a', 'b'])
})

test.each([
  ['rejects', () => Promise.reject(new Error('database down'))],
  ['throws', () => { throw new Error('database down') }],
])('a handler that %s leaves the event to the next attempt', async (_how, failing) => {
  const seen = inMemorySeenEvents()
  await expect(seen.once('a', failing)).rejects.toThrow('database down')
  expect(await seen.once('a', () => {})).toBe('handled')
  expect(await seen.once('a', failing)).toBe('duplicate')
})

test('a concurrent duplicate waits, and counts as one only if handling succeeds', async () => {
  const seen = inMemorySeenEvents()
  const { runs, handle } = heldHandler()
  const outcomes = [1, 2, 3].map(() => seen.once('a', handle))
  const answered: string[] = []
  for (const outcome of outcomes) {
    outcome.then(
      (text) => answered.push(text),
      (error: Error) => answered.push(error.message),
    )
  }
  await settle()
  expect([runs.length, answered]).toEqual([1, []])

  runs[0]!.fail(new Error('first failed'))
  await settle()
  expect([runs.length, answered]).toEqual([2, ['first failed']])

  runs[1]!.succeed()
  await settle()
  expect([runs.length, answered.toSorted()]).toEqual([2, ['duplicate', 'first failed', 'handled']])
})

test('different events are handled at the same time', async () => {
  const seen = inMemorySeenEvents()
  const { runs, handle } = heldHandler()
  const outcomes = ['a', 'b'].map((id) => seen.once(id, handle))
  await settle()
  expect(runs.length).toBe(2)
  for (const run of runs) run.succeed()
  expect(await Promise.all(outcomes)).toEqual(['handled', 'handled'])
})

test('forgets events after the maximum age, and not before', async () => {
  const time = clock()
  const seen = inMemorySeenEvents({ maxAgeMs: 1000, now: time.now })
  await seen.once('a', () => {})
  time.advance(999)
  expect(await seen.once('a', () => {})).toBe('duplicate')
  time.advance(1)
  expect(await seen.once('a', () => {})).toBe('handled')
})

test('by default remembers an event longer than all its attempts take', async () => {
  const time = clock()
  const seen = inMemorySeenEvents({ now: time.now })
  await seen.once('a', () => {})
  const waitsMinutes = [0.5, 2, 8, 32, 120, 510, 1440]
  time.advance(waitsMinutes.reduce((sum, wait) => sum + wait * 1.1, 0) * 60_000 + 8 * 10_000)
  expect(await seen.once('a', () => {})).toBe('duplicate')
})

test('forgets the oldest events beyond the maximum count', async () => {
  const seen = inMemorySeenEvents({ maxEvents: 3 })
  for (const id of ['a', 'b', 'c', 'd']) await seen.once(id, () => {})
  const again: string[] = []
  for (const id of ['d', 'c', 'b']) again.push(await seen.once(id, () => {}))
  expect(again).toEqual(['duplicate', 'duplicate', 'duplicate'])
  expect(await seen.once('a', () => {})).toBe('handled')
  expect(await seen.once('b', () => {})).toBe('handled')
})

const slips = [{ maxEvents: 0 }, { maxEvents: Number.NaN }, { maxAgeMs: 0 }, { maxAgeMs: Number.NaN }]
test.each(slips)('rejects %o', (options) => {
  expect(() => inMemorySeenEvents(options)).toThrow(RangeError)
})
