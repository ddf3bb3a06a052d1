import { once } from 'node:events'
import cookie from '@fastify/cookie'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Caller } from '../model/caller.ts'
import type { AuthenticatedKey } from '../domain/people/key-authenticator.ts'
import { listenToEvents } from '../../testing/event-stream.ts'
import { type ManualClock, manualClock } from '../../testing/manual-clock.ts'
import { makeKeyHook, makeSessionHook } from './authenticate.ts'
import { makeErrorHandler } from './errors.ts'
import { addEventStreams, heartbeatMs, type ServerSentEvent, writeFrames } from './server-sent-events.ts'

/** Events that a test pushes; the stream pulls them one at a time. */
function pushedEvents() {
  const waiting: ServerSentEvent[] = []
  const state = { askedCount: 0, isOver: false, tell: () => {}, error: undefined as Error | undefined }
  return {
    state,
    push(...events: ServerSentEvent[]) {
      waiting.push(...events)
      state.tell()
    },
    async *events(signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
      try {
        while (!signal.aborted) {
          state.askedCount += 1
          if (waiting.length === 0) {
            await new Promise<void>((resolve) => {
              state.tell = resolve
              signal.addEventListener('abort', () => resolve(), { once: true })
            })
          }
          if (state.error) throw state.error
          const event = waiting.shift()
          if (event) yield event
        }
      } finally {
        state.isOver = true
      }
    },
  }
}

const ann: Caller = { organizationId: 'org_1', userId: 'user_ann', role: 'member', triggerId: 'user_ann' }
const person = { session: { querypost_session: 'token' } }
const url = '/events'

let app: FastifyInstance
let clock: ManualClock
let sessions: Map<string, Caller>
let keys: Map<string, AuthenticatedKey>
let source: ReturnType<typeof pushedEvents>

beforeEach(async () => {
  clock = manualClock()
  sessions = new Map([['token', ann]])
  keys = new Map([['qp_live_ann', { caller: ann, keyId: 'key_1', keyName: 'Ann’s', scopes: [], hasChosenScopes: false, expiresAt: null, allowedNetworks: null, groupIds: null }]])
  source = pushedEvents()
  app = fastify({ forceCloseConnections: 'idle' })
  app.setErrorHandler(makeErrorHandler({ baseUrl: 'https://querypost.test' }))
  const sessionCaller = async (token: string) => sessions.get(token)
  const authenticateKey = async (key: string) => keys.get(key)
  addEventStreams(app, { clock, sessionCaller, authenticateKey, limits: { perPerson: 3, perProcess: 5 } })
  await app.register(cookie)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('key', undefined)
  const sessionHook = makeSessionHook(sessionCaller)
  const config = { isEventStream: true }
  app.get(url, { config, onRequest: sessionHook }, (_request, reply) => reply.sendEvents(source.events))
  const keyHook = makeKeyHook(async (key) => keys.get(key))
  app.get('/api/events', { config, onRequest: keyHook }, (_request, reply) => reply.sendEvents(source.events))
})
afterEach(() => app.close())

const listen = () => listenToEvents({ app }, person, { url })
const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve))
}

test('events arrive as they happen, with their ids', async () => {
  const stream = await listen()
  expect(stream.status).toBe(200)
  expect(stream.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  })
  source.push({ event: 'unread', data: { unreadCount: 1 } })
  expect(await stream.next()).toEqual({ event: 'unread', data: { unreadCount: 1 } })
  source.push({ id: '7', event: 'chat', data: 'two\nlines\r\n\r\nand a gap' })
  expect(await stream.next()).toEqual({ id: '7', event: 'chat', data: 'two\nlines\r\n\r\nand a gap' })
})

test('sends a heartbeat after every 15 seconds without events', async () => {
  const stream = await listen()
  for (let beat = 0; beat < 3; beat += 1) {
    await until(() => clock.sleepers() === 1)
    await clock.advance(heartbeatMs)
    expect(await stream.next()).toBe('heartbeat')
  }
  source.push({ event: 'unread', data: 1 })
  expect(await stream.next()).toEqual({ event: 'unread', data: 1 })
})

test('pulls no events that the reader has no room for', async () => {
  const stream = await listen()
  const large = 'x'.repeat(1024 * 1024)
  const count = 60
  source.push(...Array.from({ length: count }, (_, number) => ({ event: 'large', data: `${number} ${large}` })))
  // The system decides how much is buffered; it is far less than 60 MB.
  let before = -1
  while (before !== source.state.askedCount) {
    before = source.state.askedCount
    for (let turn = 0; turn < 1000; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(source.state.askedCount).toBeLessThan(40)
  for (let number = 0; number < count; number += 1) {
    expect(await stream.next()).toMatchObject({ data: expect.stringMatching(new RegExp(`^${number} `)) })
  }
})

test('events end when the client disconnects', async () => {
  const stream = await listen()
  source.push({ event: 'unread', data: 1 })
  await stream.next()
  stream.close()
  await until(() => source.state.isOver)
  expect(clock.sleepers()).toBe(0)
})

test('sends nothing once the session has ended or belongs to another person', async () => {
  const [first, second] = [await listen(), await listen()]
  await until(() => clock.sleepers() === 2)
  sessions.delete('token')
  await clock.advance(heartbeatMs)
  expect(await first.next()).toBeUndefined()
  expect(await second.next()).toBeUndefined()

  sessions.set('token', ann)
  const third = await listen()
  sessions.set('token', { ...ann, organizationId: 'org_2' })
  source.push({ event: 'unread', data: 1 })
  expect(await third.next()).toBeUndefined()
})

test('a stream opened with an API key ends when the key is revoked', async () => {
  const headers = { authorization: 'Bearer qp_live_ann' }
  const listenWithKey = () => listenToEvents({ app }, { session: {} }, { url: '/api/events', headers })
  const stream = await listenWithKey()
  source.push({ event: 'unread', data: 1 })
  expect(await stream.next()).toEqual({ event: 'unread', data: 1 })
  keys.delete('qp_live_ann')
  // A valid session does not replace the key.
  source.push({ event: 'unread', data: 2 })
  expect(await stream.next()).toBeUndefined()
  expect((await listenWithKey()).status).not.toBe(200)
})

test('stopping the service ends all streams, including one opened during the stop', async () => {
  const stream = await listen()
  const closed = once(app.server, 'close')
  const stopping = app.close()
  expect(await stream.next()).toBeUndefined()
  await Promise.all([stopping, closed])
  expect(source.state.isOver).toBe(true)
})

test('a failing source ends only its own stream', async () => {
  const stream = await listen()
  const failing = expect(stream.next()).rejects.toThrow('aborted')
  await until(() => source.state.askedCount === 1)
  source.state.error = new Error('the store is away')
  source.push({ event: 'unread', data: 1 })
  await failing
  source = pushedEvents()
  const other = await listen()
  source.push({ event: 'unread', data: 2 })
  expect(await other.next()).toEqual({ event: 'unread', data: 2 })
})

test('limits the streams per person, sessions and API keys together; a closed stream makes room', async () => {
  sessions.set('of ben', { ...ann, userId: 'user_ben' })
  const headers = { authorization: 'Bearer qp_live_ann' }
  const listenWithKey = () => listenToEvents({ app }, { session: {} }, { url: '/api/events', headers })
  const first = await listen()
  const others = [await listen(), await listenWithKey()]
  expect(others.map(({ status }) => status)).toEqual([200, 200])
  for (const refused of [await listen(), await listenWithKey()]) {
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '15'])
  }
  const ofBen = await listenToEvents({ app }, { session: { querypost_session: 'of ben' } }, { url })
  expect(ofBen.status).toBe(200)
  first.close()
  await until(() => clock.sleepers() === 3)
  expect((await listen()).status).toBe(200)
  expect((await listen()).status).toBe(429)
})

test('limits the streams per process', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const name of names) sessions.set(name, { ...ann, userId: name })
  const open = (name: string) => listenToEvents({ app }, { session: { querypost_session: name } }, { url })
  const streams = []
  for (const name of names) streams.push(await open(name))
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
  streams[0]!.close()
  await until(() => clock.sleepers() === 4)
  expect((await open('f')).status).toBe(200)
})

test('an idle stream does not accumulate memory with heartbeats', async () => {
  const never = new Promise<IteratorResult<ServerSentEvent>>(() => {})
  const waits = vi.spyOn(never, 'then')
  const ending = new AbortController()
  const listeners = new Set<unknown>()
  const { signal } = ending
  const add = signal.addEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners.add(args[1])
    add(...args)
  }
  const events = () => ({ [Symbol.asyncIterator]: () => ({ next: () => never }) })
  const frames = writeFrames({ clock, events, isAllowed: async () => true, ending })
  await frames.next()
  for (let beat = 0; beat < 20; beat += 1) {
    const frame = frames.next()
    await until(() => clock.sleepers() === 1)
    await clock.advance(heartbeatMs)
    expect(await frame).toEqual({ done: false, value: ': still here\n\n' })
  }
  expect([waits.mock.calls.length, listeners.size]).toEqual([1, 1])
  ending.abort()
  expect(await frames.next()).toEqual({ done: true, value: undefined })
})

test('a HEAD request ends at once', async () => {
  const answer = await app.inject({ method: 'HEAD', url, cookies: person.session })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8')
  expect(clock.sleepers()).toBe(0)
})
