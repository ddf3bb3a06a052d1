import { setImmediate as settle } from 'node:timers/promises'
import type { Fetch } from '../src/attempt.ts'
import type { Clock } from '../src/clock.ts'
import { Querypost, type QuerypostOptions } from '../src/querypost.ts'

/** A request as it was sent, and when. */
export interface Sent {
  atMs: number
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

/** What a request meets: a response, a connection error, or nothing at all until it is aborted. */
export type Met = Response | Error | 'hangs' | ((sent: Sent, signal: AbortSignal) => Response | Promise<Response>)

/** A client in a simulated world: its requests meet one thing after the other, and time jumps when everything is idle. */
export function testWorld(meets: Met[], options: Partial<QuerypostOptions> = {}) {
  const sent: Sent[] = []
  const sleepers = new Set<{ dueMs: number; wake(): void }>()
  let nowMs = 0
  const clock: Clock = {
    now: () => new Date(Date.UTC(2026, 0, 5) + nowMs),
    monotonicMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve()
        const sleeper = {
          dueMs: nowMs + ms,
          wake: () => {
            sleepers.delete(sleeper)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', sleeper.wake, { once: true })
      }),
  }
  const fetch: Fetch = async (url, init) => {
    const { method = 'GET', body } = init
    const headers = init.headers as Record<string, string>
    const json = typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined
    const request = { atMs: nowMs, method, url, headers, body: json }
    sent.push(request)
    const met = meets[sent.length - 1]
    if (met === undefined) throw new Error(`Nothing is planned for request ${sent.length}, ${method} ${url}.`)
    if (met instanceof Error) throw met
    if (met === 'hangs') return hang(init.signal!)
    return typeof met === 'function' ? met(request, init.signal!) : met
  }
  const client = new Querypost({
    apiKey: 'qp_live_test',
    baseUrl: 'https://querypost.test',
    fetch,
    clock,
    random: () => 1,
    newRequestId: () => 'request_1',
    ...options,
  })

  /** Lets everything happen that can; when nothing more does, time jumps to the next timer. */
  async function finish<Value>(promise: Promise<Value>): Promise<Value> {
    let isSettled = false
    promise.then(() => (isSettled = true), () => (isSettled = true))
    for (;;) {
      await settle()
      if (isSettled) return promise
      const next = [...sleepers].sort((a, b) => a.dueMs - b.dueMs)[0]
      if (!next) throw new Error('It waits for something that never happens.')
      nowMs = next.dueMs
      next.wake()
    }
  }
  const caught = (promise: Promise<unknown>) =>
    finish(
      promise.then(
        () => Promise.reject(new Error('It did not reject.')),
        (error: unknown) => error,
      ),
    )
  return { client, sent, finish, caught, nowMs: () => nowMs, sleeping: () => sleepers.size }
}

const hang = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

export const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(status === 304 ? null : JSON.stringify(body), { status, headers: { 'x-request-id': 'request_1', ...headers } })

export const refusal = (status: number, code: string, headers: Record<string, string> = {}, more: object = {}) =>
  answer(
    status,
    {
      type: 'invalid_request',
      code,
      message: `It is ${code}.`,
      documentation_url: `https://querypost.test/docs/errors#${code}`,
      ...more,
    },
    headers,
  )

/** The errors of undici for a broken connection, and for one that was never made. */
export const connectionLost = () => fetchFailed('UND_ERR_SOCKET', 'other side closed')
export const connectionRefused = () => fetchFailed('ECONNREFUSED', 'connect ECONNREFUSED')
const fetchFailed = (code: string, message: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) })

export const me = {
  user: { id: 'user_1', email: 'a@b.c', name: 'A' },
  organization: { id: 'org_1', name: 'O' },
  role: 'admin',
  key: { id: 'key_1', name: 'K', scopes: ['read'], expiresAt: null },
}
