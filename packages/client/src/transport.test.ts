import { describe, expect, test } from 'vitest'
import { ConnectionError, QuerypostError, RateLimitError, ServiceError, TimeoutError } from './errors.ts'
import { answer, connectionLost, connectionRefused, me, refusal, testWorld } from '../testing/client-world.ts'

const whichQuery = '0196a1c2-7f3e-7b1a-9c55-3f0d2b8e4a11'
const sentTimes = (world: { sent: { atMs: number }[] }) => world.sent.map(({ atMs }) => atMs)

test('a request carries the key, its own id, and the user agent', async () => {
  const world = testWorld([answer(200, me)])
  expect(await world.finish(world.client.me())).toEqual(me)
  expect(world.sent).toEqual([
    {
      atMs: 0,
      method: 'GET',
      url: 'https://querypost.test/api/me',
      headers: {
        accept: 'application/json',
        authorization: 'Bearer qp_live_test',
        'x-request-id': 'request_1',
        'user-agent': expect.stringMatching(/^querypost-client\/\d/) as string,
      },
      body: undefined,
    },
  ])
})

describe('reads are retried', () => {
  test.each([
    ['after 429', refusal(429, 'too_many_requests')],
    ['after 500', refusal(500, 'internal_error')],
    ['after a proxy’s 502', new Response('<html>', { status: 502 })],
    ['after 503', refusal(503, 'internal_error')],
    ['after a lost connection', connectionLost()],
    ['after a connection that was refused', connectionRefused()],
    ['after a request that took too long', 'hangs' as const],
  ])('%s', async (_, met) => {
    const world = testWorld([met, answer(200, me)])
    expect(await world.finish(world.client.me())).toEqual(me)
    expect(world.sent.map(({ headers }) => headers['x-request-id'])).toEqual(['request_1', 'request_1.2'])
  })

  test('after a body that broke off', async () => {
    const broken = new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) })
    const world = testWorld([new Response(broken), answer(200, me)])
    expect(await world.finish(world.client.me())).toEqual(me)
  })

  test('with waits that double up to 8 s, with full jitter', async () => {
    const meets = Array.from({ length: 7 }, () => refusal(500, 'internal_error'))
    const world = testWorld(meets, { maxRetries: 6 })
    expect(await world.caught(world.client.me())).toBeInstanceOf(ServiceError)
    expect(sentTimes(world)).toEqual([0, 500, 1500, 3500, 7500, 15_500, 23_500])
    const hurried = testWorld([refusal(500, 'internal_error'), answer(200, me)], { random: () => 0.1 })
    await hurried.finish(hurried.client.me())
    expect(sentTimes(hurried)).toEqual([0, 50])
  })

  test('three times by default', async () => {
    const meets = Array.from({ length: 9 }, () => connectionLost())
    const usual = testWorld(meets)
    expect(await usual.caught(usual.client.me())).toBeInstanceOf(ConnectionError)
    expect(usual.sent).toHaveLength(4)
    const never = testWorld(meets, { maxRetries: 0 })
    expect(await never.caught(never.client.me())).toBeInstanceOf(ConnectionError)
    expect(never.sent).toHaveLength(1)
  })

  test('not before the time that the service asks for, and not at all if that is long', async () => {
    const date = new Date(Date.UTC(2026, 0, 5) + 20_000).toUTCString()
    const world = testWorld([
      refusal(429, 'too_many_requests', { 'retry-after': '7' }),
      refusal(503, 'internal_error', { 'retry-after': date }),
      answer(200, me),
    ])
    await world.finish(world.client.me())
    expect(sentTimes(world)).toEqual([0, 7500, 21_000])
    const long = testWorld([refusal(429, 'too_many_requests', { 'retry-after': '3600' })])
    const error = await long.caught(long.client.me())
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error).toMatchObject({ retryAfterMs: 3_600_000 })
  })

  test.each([400, 401, 403, 404, 405, 409, 413, 422])('but never after %i', async (status) => {
    const world = testWorld([refusal(status, 'some_code')])
    expect(await world.caught(world.client.me())).toMatchObject({ status, code: 'some_code' })
    expect(world.sent).toHaveLength(1)
  })

  test('nor after a response that is not from the service', async () => {
    const world = testWorld([new Response('<html>', { status: 200 })])
    expect(await world.caught(world.client.me())).toMatchObject({ code: 'unexpected_answer', status: 200 })
    expect(world.sent).toHaveLength(1)
  })
})

describe('writes are retried', () => {
  const calls = {
    refresh: (world: ReturnType<typeof testWorld>) => world.client.queries.refresh(whichQuery),
    'automations.run': (world: ReturnType<typeof testWorld>) => world.client.automations.run('automation_1'),
    'references.create': (world: ReturnType<typeof testWorld>) => world.client.references.create({ queryId: whichQuery }),
    'references.delete': (world: ReturnType<typeof testWorld>) => world.client.references.delete('abc'),
  }
  describe.each(Object.entries(calls))('%s', (_, call) => {
    test.each([
      ['429', refusal(429, 'too_many_requests')],
      ['503', refusal(503, 'internal_error')],
      ['a connection that was never made', connectionRefused()],
    ])('after %s, which carried nothing out', async (_, met) => {
      const world = testWorld([met, answer(202, { id: 'done' })])
      expect(await world.finish<unknown>(call(world))).toEqual({ id: 'done' })
    })

  })

  const unknownOutcomes = [
    ['500', () => refusal(500, 'internal_error'), { isOutcomeUnknown: true, code: 'internal_error' }],
    ['502', () => new Response('', { status: 502 }), { isOutcomeUnknown: true, code: 'unexpected_answer' }],
    ['a lost connection', connectionLost, { isOutcomeUnknown: true, code: 'connection_failed' }],
    ['a timeout', () => 'hangs' as const, { isOutcomeUnknown: true, code: 'timed_out' }],
  ] as const
  const { 'references.delete': deletion, ...posts } = calls

  describe.each(Object.entries(posts))('%s', (_, call) => {
    test.each(unknownOutcomes)('after %s, with the same Idempotency-Key, so that the service carries it out once', async (_, meet) => {
      const world = testWorld([meet(), answer(202, { id: 'done' })])
      expect(await world.finish<unknown>(call(world))).toEqual({ id: 'done' })
      const [first, second] = world.sent.map(({ headers }) => headers['idempotency-key'])
      expect(first).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
      expect(second).toBe(first)
    })
  })

  test.each(unknownOutcomes)('but a deletion not after %s, after which the outcome is unknown', async (_, meet, expected) => {
    const world = testWorld([meet()])
    expect(await world.caught(deletion(world))).toMatchObject(expected)
    expect(world.sent).toHaveLength(1)
  })

  test('each call with another key, or with the one that the caller chooses', async () => {
    const world = testWorld([answer(201, { id: '1' }), answer(201, { id: '2' }), answer(201, { id: '3' }), answer(200, { id: '3' })])
    await world.finish(world.client.references.create({ queryId: whichQuery }))
    await world.finish(world.client.references.create({ queryId: whichQuery }))
    await world.finish(world.client.references.create({ queryId: whichQuery }, { idempotencyKey: 'mine' }))
    await world.finish(world.client.boards.results('b'))
    const keys = world.sent.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).not.toBe(keys[1])
    expect(keys.slice(2)).toEqual(['mine', undefined])
  })

  test('always for a PUT, which sets a state', async () => {
    const world = testWorld([connectionLost(), refusal(500, 'internal_error'), answer(200, { id: 'ref_1' })])
    expect(await world.finish(world.client.references.update('abc', { title: 'New' }))).toEqual({ id: 'ref_1' })
    const body = { title: 'New' }
    expect(world.sent.map((each) => each.body)).toEqual([body, body, body])
  })
})

describe('ends', () => {
  test('when a request takes too long, and says how long it had', async () => {
    const world = testWorld(['hangs'], { timeoutMs: 1000, maxRetries: 0 })
    const error = await world.caught(world.client.me())
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ code: 'timed_out', timeoutMs: 1000, requestId: 'request_1' })
    expect(world.nowMs()).toBe(1000)
  })

  test('when the whole call takes too long, whatever its attempts have left', async () => {
    const world = testWorld([refusal(503, 'internal_error'), 'hangs'])
    const error = await world.caught(world.client.me({ timeoutMs: 800 }))
    expect(error).toMatchObject({ code: 'timed_out', timeoutMs: 800, cause: { status: 503 } })
    expect(world.nowMs()).toBe(800)
  })

  test("when the caller aborts, with the caller's reason: before, during and between requests", async () => {
    const reason = new Error('no longer wanted')
    const before = testWorld([])
    expect(await before.caught(before.client.me({ signal: AbortSignal.abort(reason) }))).toBe(reason)
    const ending = new AbortController()
    const during = testWorld(['hangs'])
    const call = during.client.me({ signal: ending.signal })
    ending.abort(reason)
    expect(await during.caught(call)).toBe(reason)
    const between = new AbortController()
    const waiting = testWorld([
      () => {
        queueMicrotask(() => between.abort(reason))
        return refusal(500, 'internal_error')
      },
    ])
    expect(await waiting.caught(waiting.client.me({ signal: between.signal }))).toBe(reason)
    expect(waiting.sent).toHaveLength(1)
    expect(waiting.nowMs()).toBe(0)
  })

  test('without leaving anything waiting', async () => {
    const world = testWorld([refusal(500, 'internal_error'), answer(200, me)])
    await world.finish(world.client.me({ timeoutMs: 5000, signal: new AbortController().signal }))
    expect(world.sleeping()).toBe(0)
  })
})

test('a redirect is not followed, and the error names its target', async () => {
  const world = testWorld([new Response(null, { status: 308, headers: { location: 'https://elsewhere.test/api/me' } })])
  const error = await world.caught(world.client.me())
  expect(error).toBeInstanceOf(QuerypostError)
  expect((error as Error).message).toContain('https://elsewhere.test/api/me')
})

describe('a streamed body', () => {
  const broken = () => new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) })
  const opened = (world: ReturnType<typeof testWorld>) =>
    world.finish(world.client.queries.resultStream(whichQuery, { timeoutMs: 60_000 }))

  test('leaves nothing waiting after it was read or abandoned', async () => {
    const read = testWorld([new Response('{}')])
    expect(await new Response(await opened(read)).text()).toBe('{}')
    expect(read.sleeping()).toBe(0)
    const left = testWorld([new Response('{}')])
    const stream = await opened(left)
    expect(left.sleeping()).toBe(1)
    await stream.cancel()
    expect(left.sleeping()).toBe(0)
  })

  test('that breaks off gives a client error', async () => {
    const world = testWorld([new Response(broken())])
    const error = await world.caught(new Response(await opened(world)).text())
    expect(error).toMatchObject({ code: 'connection_failed', isOutcomeUnknown: true })
    expect(world.sleeping()).toBe(0)
  })
})

test('an abort reaches a streamed body; the timeout of an attempt does not', async () => {
  let seen: AbortSignal | undefined
  const world = testWorld([
    (_, signal) => {
      seen = signal
      return new Response('a,b\n1,2\n')
    },
  ])
  const ending = new AbortController()
  const stream = await world.finish(world.client.queries.resultStream(whichQuery, { format: 'csv', signal: ending.signal }))
  expect(world.sleeping()).toBe(0)
  expect(seen!.aborted).toBe(false)
  ending.abort()
  expect(seen!.aborted).toBe(true)
  expect(stream).toBeInstanceOf(ReadableStream)
  expect(world.sent[0]).toMatchObject({ url: expect.stringMatching(/\/result\?format=csv$/) as string })
})
