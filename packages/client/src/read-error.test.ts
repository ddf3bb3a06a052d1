import { describe, expect, test } from 'vitest'
import * as errors from './errors.ts'
import { readRetryAfter } from './read-error.ts'
import { refusal, testWorld } from '../testing/client-world.ts'

const kinds: [number, string, unknown][] = [
  [400, 'invalid_request', errors.ValidationError],
  [400, 'cursor_invalid', errors.ValidationError],
  [400, 'cursor_expired', errors.CursorExpiredError],
  [401, 'unauthenticated', errors.AuthenticationError],
  [403, 'forbidden', errors.PermissionError],
  [404, 'query_not_found', errors.NotFoundError],
  [404, 'route_retired', errors.RouteRetiredError],
  [409, 'query_already_running', errors.ConflictError],
  [413, 'body_too_large', errors.ValidationError],
  [418, 'a_code_of_tomorrow', errors.QuerypostError],
  [422, 'parameter_missing', errors.ValidationError],
  [429, 'too_many_requests', errors.RateLimitError],
  [500, 'internal_error', errors.ServiceError],
]

test.each(kinds)('%i %s becomes the matching error, with everything in the response', async (status, code, kind) => {
  const details = [{ path: '/title', message: 'is required' }]
  const world = testWorld([refusal(status, code, { 'x-request-id': 'req_theirs' }, { details })], { maxRetries: 0 })
  const error = await world.caught(world.client.me())
  expect((error as object).constructor).toBe(kind)
  expect(error).toBeInstanceOf(errors.QuerypostError)
  expect(error).toMatchObject({
    name: (kind as { name: string }).name,
    message: `It is ${code}.`,
    code,
    status,
    requestId: 'req_theirs',
    documentationUrl: `https://querypost.test/docs/errors#${code}`,
    details,
  })
})

test('a retired route is not an ordinary "not found"', async () => {
  const world = testWorld([refusal(404, 'route_retired')])
  const error = await world.caught(world.client.queries.get('x'))
  expect(error).toBeInstanceOf(errors.RouteRetiredError)
  expect(error).not.toBeInstanceOf(errors.NotFoundError)
  expect(world.sent).toHaveLength(1)
})

test.each(['', '<html>', 'null', '[]', '"text"', '{"code": 1}', '{"error": "gateway"}'])(
  'a foreign body (%j) still gives the error for its status',
  async (body) => {
    const world = testWorld([new Response(body, { status: 404 })])
    const error = await world.caught(world.client.me())
    expect(error).toBeInstanceOf(errors.NotFoundError)
    expect(error).toMatchObject({ code: 'unexpected_answer', status: 404, requestId: 'request_1' })
  },
)

describe('Retry-After', () => {
  const clock = { now: () => new Date('2026-01-05T09:00:00Z') }
  test.each([
    ['0', 0],
    [' 12 ', 12_000],
    ['Mon, 05 Jan 2026 09:00:30 GMT', 30_000],
    ['Mon, 05 Jan 2026 08:00:00 GMT', 0],
    ['soon', undefined],
    [null, undefined],
  ])('%j', (header, expected) => expect(readRetryAfter(header, clock)).toEqual(expected))
})
