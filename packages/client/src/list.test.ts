import { expect, test } from 'vitest'
import { CursorExpiredError } from './errors.ts'
import { answer, refusal, testWorld } from '../testing/client-world.ts'

const page = (ids: string[], nextCursor?: string) =>
  answer(200, { items: ids.map((id) => ({ id })), ...(nextCursor && { nextCursor }) })

async function idsOf(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of list) ids.push(id)
  return ids
}

test('iterates over all pages', async () => {
  const world = testWorld([page(['a', 'b'], 'one+/='), page([], 'two'), page(['c'])])
  expect(await world.finish(idsOf(world.client.references.list({ limit: 2 })))).toEqual(['a', 'b', 'c'])
  expect(world.sent.map(({ url }) => url.replace('https://querypost.test', ''))).toEqual([
    '/api/queries/refs?limit=2',
    '/api/queries/refs?limit=2&cursor=one%2B%2F%3D',
    '/api/queries/refs?limit=2&cursor=two',
  ])
})

test('fetches a page only when its first item is needed', async () => {
  const world = testWorld([page(['a', 'b'], 'one'), page(['c'])])
  const list = world.client.queries.list()
  expect(world.sent).toHaveLength(0)
  for await (const { id } of list) if (id === 'b') break
  expect(world.sent).toHaveLength(1)
})

test('every iteration starts again, at the given cursor', async () => {
  const world = testWorld([page(['a']), page(['b']), page(['c'])])
  const list = world.client.queries.list({ cursor: 'kept' })
  expect(await world.finish(idsOf(list))).toEqual(['a'])
  expect(await world.finish(idsOf(list))).toEqual(['b'])
  expect(world.sent.map(({ url }) => url)).toEqual(Array(2).fill('https://querypost.test/api/queries?cursor=kept'))
})

test('yields whole pages, for callers that keep a cursor', async () => {
  const world = testWorld([page(['a', 'b'], 'one'), page(['c'])])
  const pages: unknown[] = []
  for await (const each of world.client.references.list().pages()) pages.push(each)
  expect(pages).toEqual([{ items: [{ id: 'a' }, { id: 'b' }], nextCursor: 'one' }, { items: [{ id: 'c' }] }])
})

test('stops in the middle of a page when aborted', async () => {
  const world = testWorld([page(['a', 'b', 'c'], 'one')])
  const ending = new AbortController()
  const seen: string[] = []
  const reading = (async () => {
    for await (const { id } of world.client.references.list({ signal: ending.signal })) {
      seen.push(id)
      if (id === 'b') ending.abort()
    }
  })()
  expect(await world.caught(reading)).toMatchObject({ name: 'AbortError' })
  expect(seen).toEqual(['a', 'b'])
  expect(world.sent).toHaveLength(1)
})

test('throws when the cursor has expired', async () => {
  const world = testWorld([page(['a'], 'old'), refusal(400, 'cursor_expired')])
  expect(await world.caught(idsOf(world.client.references.list()))).toBeInstanceOf(CursorExpiredError)
})

test('applies the timeout to each page', async () => {
  const world = testWorld([page(['a'], 'one'), 'hangs'])
  expect(await world.caught(idsOf(world.client.references.list({ timeoutMs: 50 })))).toMatchObject({ timeoutMs: 50 })
  expect(world.nowMs()).toBe(50)
})
