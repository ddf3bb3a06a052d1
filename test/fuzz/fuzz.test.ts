import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestService } from '@querypost/server/testing/suites'
import { checkResponse } from './check-response.ts'
import type { FuzzRequest } from './requests.ts'
import type { FuzzRoute } from './routes.ts'
import { requestsFor, runFuzz } from './run.ts'
import { send, startService } from './service.ts'
import { canary, makeWorld } from './world.ts'

/** Sends a few hundred fuzz requests. `npm run fuzz` sends more. */
let service: TestService
let routes: FuzzRoute[]
beforeAll(async () => {
  const started = await startService()
  service = started.service
  routes = started.routes
})
afterAll(() => service.stop())

test('no request causes an internal error, an undocumented response, or access without authorization', async () => {
  const { findings, reached } = await runFuzz({
    routes,
    seed: 20_261,
    cases: Math.round(2.6 * routes.length),
    // One round of all routes deletes much of a world.
    casesAWorld: routes.length,
    makeWorld: (number) => makeWorld(service, `shop-${number}`),
    send,
  })
  expect(findings).toEqual([])
  // Requests that are all rejected would find nothing.
  expect(reached.size).toBeGreaterThan(routes.length / 3)
})

test('the same seed generates the same requests', () => {
  const made = (seed: number) => JSON.stringify(requestsFor(routes.slice(0, 9), { seed, cases: 40 }))
  expect(made(1)).toBe(made(1))
  expect(made(1)).not.toBe(made(2))
})

describe('checkResponse', () => {
  const error = (code: string, more: object = {}) =>
    JSON.stringify({ type: 'invalid_request', code, message: 'It is so.', documentation_url: `x/docs/errors#${code}`, ...more })
  const json = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'req_1' }
  const me = () => routes.find(({ path }) => path === '/api/me')!
  const page = () => routes.find(({ path, method }) => path === '/app/api/members' && method === 'GET')!
  const asked = (route: FuzzRoute, change: Partial<FuzzRequest> = {}): FuzzRequest => ({
    route,
    method: route.method,
    url: route.path,
    headers: {},
    body: undefined,
    credentials: 'own',
    ...change,
  })
  const refused = error('unauthenticated')

  test('accepts a correct response', () => {
    expect(checkResponse(asked(me(), { credentials: 'none' }), { status: 401, headers: json, body: refused })).toEqual([])
    expect(checkResponse(asked(page()), { status: 200, headers: json, body: '{"items":[]}' })).toEqual([])
  })

  test.each<[string, Partial<FuzzRequest>, { status: number; headers?: object; body: string }, RegExp]>([
    ['an internal error', {}, { status: 500, body: error('internal_error', { type: 'api_error' }) }, /answers 500/],
    ['an open door', { credentials: 'none' }, { status: 200, body: '{}' }, /without a key/],
    ['a route that accepts any key', { credentials: 'bad' }, { status: 200, body: '{}' }, /without a key/],
    ['a broken shape', {}, { status: 200, body: '{"user":{"id":1}}' }, /breaks its schema/],
    ['a status that is not described', {}, { status: 404, body: error('run_not_found') }, /404 run_not_found, which is not/],
    ['a code that is not described', {}, { status: 400, body: error('cursor_invalid') }, /a code that is not described/],
    ['a code that there is not', {}, { status: 400, body: error('odd') }, /unknown code/],
    ['a code with another’s status', {}, { status: 400, body: refused }, /unauthenticated with status 400/],
    ['a refusal that is no JSON', {}, { status: 400, body: '<html>' }, /no JSON/],
    ['another media type', {}, { status: 200, headers: { 'content-type': 'text/html' }, body: '' }, /as text\/html/],
    ['another’s belongings', {}, { status: 200, body: `{"title":"${canary}"}` }, /another organization/],
    ['an answer without a name', {}, { status: 401, headers: { 'x-request-id': '' }, body: refused }, /no x-request-id/],
    ['internals in a response', {}, { status: 401, body: error('unauthenticated', { message: 'Error at run (x.ts:7)' }) }, /reveals internals/],
  ])('finds %s', (_, change, { status, headers, body }, fault) => {
    const faults = checkResponse(asked(me(), change), { status, headers: { ...json, ...headers }, body })
    expect(faults.join('\n')).toMatch(fault)
  })

  test('finds a route of the pages that needs no session', () => {
    const faults = checkResponse(asked(page(), { credentials: 'none' }), { status: 200, headers: json, body: '{}' })
    expect(faults).toEqual(['answers 200 without a session'])
  })
})
