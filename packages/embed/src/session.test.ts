import { expect, test } from 'vitest'
import type { HostMessage } from './protocol/messages.ts'
import { type GetToken, openSession, type SessionEvent, type SessionState } from './session.ts'

const target = { origin: 'https://querypost.example.com', shortId: 'board' }
const ready = { type: 'querypost:ready', title: 'Sales' } as const
const needed = { type: 'querypost:token-needed' } as const

/** A session with everything that it does, and timers that run when a test says so. */
function open(options: { token?: string; getToken?: GetToken } = {}) {
  const addresses: string[] = []
  const sent: HostMessage[] = []
  const states: SessionState[] = []
  const events: SessionEvent[] = []
  const timers = new Set<{ act: () => void; ms: number }>()
  const callback = { getToken: options.getToken }
  const session = openSession({
    target,
    token: options.token,
    getToken: () => callback.getToken,
    theme: {},
    openFrame: (address) => addresses.push(address),
    send: (message) => sent.push(message),
    show: (state) => states.push(state),
    emit: (event) => events.push(event),
    setTimer: (act, ms) => {
      const timer = { act, ms }
      timers.add(timer)
      return () => timers.delete(timer)
    },
  })
  const elapse = () => {
    for (const timer of timers) {
      timers.delete(timer)
      timer.act()
    }
  }
  return { session, addresses, sent, states, events, timers, callback, elapse, shown: () => states.at(-1)!.name, errors: () => events.flatMap((event) => (event.type === 'error' ? event.error.code : [])) }
}
/** Lets the promises of a callback settle. */
const settle = () => new Promise((resolve) => setImmediate(resolve))
const tokens = (...list: (string | Error)[]): GetToken => () => {
  const next = list.shift()!
  return next instanceof Error ? Promise.reject(next) : next
}

test('opens a frame with the given token, connects, and shows its content', () => {
  const { session, addresses, sent, states, events, timers } = open({ token: 'a.b.c' })
  expect(addresses).toEqual(['https://querypost.example.com/embed/board?token=a.b.c'])
  session.frameLoaded()
  expect(sent).toEqual([{ type: 'querypost:connect' }])
  session.receive({ type: 'querypost:connected' })
  session.receive(ready)
  session.receive({ type: 'querypost:height', height: 400 })
  session.receive({ type: 'querypost:parameters', parameters: { country: 'FR' } })
  expect([states.map(({ name }) => name), timers.size]).toEqual([['loading', 'shown'], 0])
  expect(events).toEqual([
    { type: 'ready', title: 'Sales' },
    { type: 'resize', height: 400 },
    { type: 'parameters-changed', parameters: { country: 'FR' } },
  ])
})

test('asks for the first token if none is given', async () => {
  const { addresses } = open({ getToken: tokens('x.y.z') })
  expect(addresses).toEqual([])
  await settle()
  expect(addresses).toEqual(['https://querypost.example.com/embed/board?token=x.y.z'])
})

test('renews a token in place, once for requests that come together', async () => {
  const { session, addresses, sent, shown } = open({ token: 'a.b.c', getToken: tokens('x.y.z') })
  session.receive(ready)
  session.receive(needed)
  session.receive(needed)
  await settle()
  expect([sent, addresses.length, shown()]).toEqual([[{ type: 'querypost:token', token: 'x.y.z' }], 1, 'shown'])
})

test('keeps the content if the callback fails, and tries again on request', async () => {
  const { session, sent, shown, errors, events } = open({ token: 'a.b.c', getToken: tokens(new Error('signed out'), 'x.y.z') })
  session.receive(ready)
  session.receive(needed)
  await settle()
  expect([shown(), sent, errors()]).toEqual(['stale', [{ type: 'querypost:token-failed' }], ['token_unavailable']])
  expect(events.at(-1)).toMatchObject({ error: { message: 'getToken failed: signed out' } })
  session.retry()
  await settle()
  expect([shown(), sent.at(-1)]).toEqual(['shown', { type: 'querypost:token', token: 'x.y.z' }])
})

test.each<[string, GetToken | undefined]>([
  ['fails', tokens(new Error('no'))],
  ['throws', () => {
    throw new Error('no')
  }],
  ['returns something else', (() => ({ token: 'a.b.c' })) as unknown as GetToken],
  ['is missing', undefined],
])('shows an error if there is no token because the callback %s, and starts over on request', async (_, getToken) => {
  const { session, addresses, callback, shown, errors } = open(getToken ? { getToken } : {})
  await settle()
  expect([shown(), errors(), addresses]).toEqual(['failed', ['token_unavailable'], []])
  callback.getToken = tokens('x.y.z')
  session.retry()
  await settle()
  expect([shown(), addresses.length]).toEqual(['loading', 1])
})

test('gives up on a callback that never answers', async () => {
  const { shown, errors, elapse } = open({ getToken: () => new Promise<string>(() => undefined) })
  await settle()
  elapse()
  await settle()
  expect([shown(), errors()]).toEqual(['failed', ['token_unavailable']])
})

test('shows an error if the frame does not load, or its document does not answer', () => {
  for (const isLoaded of [false, true]) {
    const { session, shown, errors, elapse, timers } = open({ token: 'a.b.c' })
    if (isLoaded) session.frameLoaded()
    expect([...timers].map(({ ms }) => ms)).toEqual([isLoaded ? 5_000 : 30_000])
    elapse()
    expect([shown(), errors()]).toEqual(['failed', ['frame_not_connected']])
  }
})

test('shows an error of the frame, and starts over with a new token', async () => {
  const { session, addresses, shown, errors } = open({ token: 'a.b.c', getToken: tokens('x.y.z') })
  session.receive({ type: 'querypost:error', code: 'embed_token_invalid', message: 'No' })
  expect([shown(), errors()]).toEqual(['failed', ['embed_token_invalid']])
  session.retry()
  await settle()
  expect(addresses.at(-1)).toContain('token=x.y.z')
})

test('a token that the page sets replaces the current one, and starts over after a failure', () => {
  const { session, sent, addresses } = open({ token: 'a.b.c' })
  session.receive(ready)
  session.setToken('d.e.f')
  expect([sent, addresses.length]).toEqual([[{ type: 'querypost:token', token: 'd.e.f' }], 1])
  const failed = open({ token: 'a.b.c' })
  failed.elapse()
  failed.session.setToken('d.e.f')
  expect(failed.addresses).toHaveLength(2)
})

test('a token that the page sets while the callback is under way is used', async () => {
  const { session, addresses } = open({ getToken: tokens('x.y.z') })
  session.setToken('d.e.f')
  session.retry()
  await settle()
  expect(addresses).toEqual(['https://querypost.example.com/embed/board?token=d.e.f'])
})

test('sends a new theme', () => {
  const { session, sent } = open({ token: 'a.b.c' })
  session.setTheme({ colorScheme: 'dark' })
  expect(sent).toEqual([{ type: 'querypost:theme', theme: { colorScheme: 'dark' } }])
})

test('does nothing more once it is closed', async () => {
  const { session, sent, events, states, timers } = open({ token: 'a.b.c', getToken: tokens('x.y.z') })
  session.receive(ready)
  session.receive(needed)
  session.close()
  session.receive({ type: 'querypost:height', height: 1 })
  session.frameLoaded()
  await settle()
  expect([sent, events.length, states.at(-1)!.name, timers.size]).toEqual([[], 1, 'shown', 0])
})
