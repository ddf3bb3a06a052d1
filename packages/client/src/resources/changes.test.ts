import { expect, test } from 'vitest'
import { answer, refusal, testWorld } from '../../testing/client-world.ts'

const shortId = 'k7Rm2QwXn4'
/** A page of changes with these numbers. */
const page = (numbers: number[], { after, latestNumber }: { after: number; latestNumber: number }) =>
  answer(200, { items: numbers.map((number) => ({ number })), nextAfter: numbers.at(-1) ?? after, latestNumber })
const lines = (...values: object[]) => new Response(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
const searches = (sent: { url: string }[]) => sent.map(({ url }) => new URL(url).search)

async function numbersOf(changes: AsyncIterable<{ number: number }>, stopAfter = Infinity): Promise<number[]> {
  const numbers: number[] = []
  for await (const { number } of changes) {
    numbers.push(number)
    if (number === stopAfter) break
  }
  return numbers
}

async function all<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const read: Value[] = []
  for await (const value of values) read.push(value)
  return read
}

test('changes reads page after page until there is no further one', async () => {
  const world = testWorld([page([3, 4], { after: 2, latestNumber: 5 }), page([5], { after: 4, latestNumber: 5 })])
  expect(await world.finish(numbersOf(world.client.references.changes(shortId, { after: 2, limit: 2 })))).toEqual([3, 4, 5])
  expect(searches(world.sent)).toEqual(['?after=2&limit=2', '?after=4&limit=2'])
})

test('watch waits for new changes and continues after the last one', async () => {
  const world = testWorld([page([1], { after: 0, latestNumber: 1 }), page([], { after: 1, latestNumber: 1 }), page([2, 3], { after: 1, latestNumber: 3 })])
  expect(await world.finish(numbersOf(world.client.references.watch(shortId, { intervalMs: 5000 }), 3))).toEqual([1, 2, 3])
  expect(searches(world.sent)).toEqual(['?after=0&limit=100', '?after=1&limit=100', '?after=1&limit=100'])
  expect(world.sent.map(({ atMs }) => atMs)).toEqual([0, 5000, 10_000])
})

test('watch ends when the signal aborts while it waits', async () => {
  const stopping = new AbortController()
  const world = testWorld([page([1], { after: 0, latestNumber: 1 })])
  const watched = world.client.references.watch(shortId, { signal: stopping.signal })
  expect((await world.finish(watched.next())).value).toMatchObject({ number: 1 })
  const next = watched.next()
  stopping.abort()
  expect(await world.finish(next)).toEqual({ done: true, value: undefined })
  expect(world.sent).toHaveLength(1)
})

test('says that changes after a number are no longer listed, and still finds the newest', async () => {
  const world = testWorld([refusal(404, 'changes_expired'), page([7], { after: 0, latestNumber: 9 })])
  const { references } = world.client
  expect(await world.caught(numbersOf(references.changes(shortId, { after: 1 })))).toMatchObject({ code: 'changes_expired', status: 404 })
  expect(await world.finish(references.latestChange(shortId))).toBe(9)
  expect(searches(world.sent)[1]).toBe('?limit=1')
})

test('changed rows and patches arrive line by line', async () => {
  const rows = [{ op: 'add', key: [1], after: [1, 'a'] }, { op: 'remove', key: [2], before: [2, 'b'] }]
  const patch = [{ copy: [0, 7] }, { text: 'x' }, { end: { bytes: 8, sha256: 'abc' } }]
  const world = testWorld([lines(...rows), lines(...patch)])
  const { references } = world.client
  expect(await world.finish(all(references.changedRows(shortId, 3)))).toEqual(rows)
  expect(await world.finish(all(references.changePatch(shortId, 3)))).toEqual(patch)
  expect(world.sent.map(({ url }) => new URL(url).pathname)).toEqual([`/api/references/${shortId}/changes/3/rows`, `/api/references/${shortId}/changes/3/patch`])
})
