import { expect, test } from 'vitest'
import type { StreamMessage } from './event-stream.ts'
import { answer, connectionLost, connectionRefused, refusal, testWorld } from '../testing/client-world.ts'

const ready = 'id: p0\nevent: ready\ndata: {"secret":"whsec_x","hasMissedEvents":false}\n\n'
const webhook = (id: string) =>
  `id: ${id}\nevent: webhook\ndata: ${JSON.stringify({ id: `evt_${id}`, type: 'automation.run.failed', body: '{}' })}\n\n`

/** A stream that sends this and then ends, breaks, or stays silent forever. */
function says(pieces: string[], end: 'ends' | 'breaks' | 'is silent' = 'ends') {
  return () => {
    const left = [...pieces]
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = left.shift()
        if (piece !== undefined) return controller.enqueue(new TextEncoder().encode(piece))
        if (end === 'ends') return controller.close()
        if (end === 'breaks') return controller.error(new TypeError('terminated'))
        return new Promise<void>(() => undefined)
      },
    })
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}

async function take(stream: AsyncIterable<StreamMessage>, count: number): Promise<string[]> {
  const received: string[] = []
  for await (const message of stream) {
    received.push(message.kind === 'ready' ? `ready ${message.secret}` : message.id)
    if (received.length === count) break
  }
  return received
}

test('yields events, and resumes when the connection ends or breaks', async () => {
  const world = testWorld([says([ready, webhook('p1')]), says([ready, webhook('p2')], 'breaks'), says([webhook('p3')])])
  const reconnects: unknown[] = []
  const stream = world.client.events.stream({ types: ['automation.run.failed'], onReconnect: (about) => reconnects.push(about) })
  expect(await world.finish(take(stream, 5))).toEqual(['ready whsec_x', 'evt_p1', 'ready whsec_x', 'evt_p2', 'evt_p3'])
  expect(world.sent.map(({ url, headers }) => [new URL(url).search, headers['last-event-id'], headers['accept']])).toEqual([
    ['?type=automation.run.failed', undefined, 'text/event-stream'],
    ['?type=automation.run.failed', 'p1', 'text/event-stream'],
    ['?type=automation.run.failed', 'p2', 'text/event-stream'],
  ])
  const reconnect = { error: undefined, waitMs: 2500 }
  expect(reconnects).toEqual([reconnect, reconnect])
})

test('waits as long as the service asks, and longer after each failure', async () => {
  const world = testWorld([says(['retry: 5000\n\n']), says([]), says([]), says([webhook('p1')])])
  expect(await world.finish(take(world.client.events.stream(), 1))).toEqual(['evt_p1'])
  expect(world.sent.map(({ atMs }) => atMs)).toEqual([0, 5500, 8500, 12_500])
})

test('reconnects after too long a silence', async () => {
  const world = testWorld([says([ready], 'is silent'), says([webhook('p1')])])
  expect(await world.finish(take(world.client.events.stream(), 2))).toEqual(['ready whsec_x', 'evt_p1'])
  expect(world.sent[1]!.atMs).toBe(47_500)
})

test('survives a service outage of any length', async () => {
  const away = Array.from({ length: 30 }, connectionRefused)
  const world = testWorld([says([ready]), ...away, says([webhook('p1')])])
  expect(await world.finish(take(world.client.events.stream(), 2))).toEqual(['ready whsec_x', 'evt_p1'])
})

test('throws an initial failure at once, and a permanent one later too', async () => {
  const refused = testWorld([refusal(401, 'unauthenticated')])
  expect(await refused.caught(take(refused.client.events.stream(), 1))).toMatchObject({ code: 'unauthenticated' })
  const lost = testWorld([connectionLost()], { maxRetries: 0 })
  expect(await lost.caught(take(lost.client.events.stream(), 1))).toMatchObject({ code: 'connection_failed' })
  const revoked = testWorld([says([ready]), refusal(401, 'unauthenticated')])
  expect(await revoked.caught(take(revoked.client.events.stream(), 2))).toMatchObject({ code: 'unauthenticated' })
})

test('ends when the caller leaves, aborts, or the timeout is over', async () => {
  const ending = new AbortController()
  const aborted = testWorld([says([ready])])
  const stream = aborted.client.events.stream({ signal: ending.signal, onReconnect: () => ending.abort() })
  expect(await aborted.caught(take(stream, 2))).toMatchObject({ name: 'AbortError' })
  const timed = testWorld([says([ready], 'is silent'), says([], 'is silent')])
  expect(await timed.caught(take(timed.client.events.stream({ timeoutMs: 60_000 }), 2))).toMatchObject({ code: 'timed_out' })
  const left = testWorld([says([ready], 'is silent')])
  await left.finish(take(left.client.events.stream(), 1))
  expect(left.sleeping()).toBe(0)
})

test('starts at the given position', async () => {
  const world = testWorld([says([webhook('p9')])])
  await world.finish(take(world.client.events.stream({ after: 'p8', since: new Date(0) }), 1))
  expect(world.sent[0]).toMatchObject({ url: expect.stringContaining('since=1970-01-01T00%3A00%3A00.000Z') as string })
  expect(world.sent[0]!.headers['last-event-id']).toBe('p8')
})

test('a sample is requested by its type', async () => {
  const world = testWorld([answer(202, { id: 'evt_1' })])
  expect(await world.finish(world.client.events.createSample({ type: 'automation.run.failed' }))).toEqual({ id: 'evt_1' })
  expect(world.sent[0]).toMatchObject({ method: 'POST', body: { type: 'automation.run.failed' } })
})
