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

test('goes through all pages', async () => {
  const world = testWorld([page(['a', 'b'], 'one+/='), page([], 'two'), page(['c'])])
  expect(await world.finish(idsOf(world.client.references.list({ limit: 2 })))).toEqual(['a', 'b', 'c'])
  expect(world.sent.map(({ url }) => url.replace('https://querypost.test', ''))).toEqual([
    '/api/queries/refs?limit=2',
    '/api/queries/refs?limit=2&cursor=one%2B%2F%3D',
    '/api/queries/refs?limit=2&cursor=two',
  ])
})

test('fetches a page only when its first item is wanted', async () => {
  const world = testWorld([page(['a', 'b'], 'one'), page(['c'])])
  const list = world.client.queries.list()
  expect(world.sent).toHaveLength(0)
  for await (const { id } of list) if (id === 'b') break
  expect(world.sent).toHaveLength(1)
})

test('begins anew with every iteration, and anywhere it is told to', async () => {
  const world = testWorld([page(['a']), page(['b']), page(['c'])])
  const list = world.client.queries.list({ cursor: 'kept' })
  expect(await world.finish(idsOf(list))).toEqual(['a'])
  expect(await world.finish(idsOf(list))).toEqual(['b'])
  expect(world.sent.map(({ url }) => url)).toEqual(Array(2).fill('https://querypost.test/api/queries?cursor=kept'))
})

test('gives whole pages, for those who keep a cursor', async () => {
  const world = testWorld([page(['a', 'b'], 'one'), page(['c'])])
  const pages: unknown[] = []
  for await (const each of world.client.references.list().pages()) pages.push(each)
  expect(pages).toEqual([{ items: [{ id: 'a' }, { id: 'b' }], nextCursor: 'one' }, { items: [{ id: 'c' }] }])
})

test('stops in the midst of a page when it is aborted', async () => {
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

test('says when the list has gone on without us', async () => {
  const world = testWorld([page(['a'], 'old'), refusal(400, 'cursor_expired')])
  expect(await world.caught(idsOf(world.client.references.list()))).toBeInstanceOf(CursorExpiredError)
})

test('gives each page the time that it is told', async () => {
  const world = testWorld([page(['a'], 'one'), 'hangs'])
  expect(await world.caught(idsOf(world.client.references.list({ timeoutMs: 50 })))).toMatchObject({ timeoutMs: 50 })
  expect(world.nowMs()).toBe(50)
})
