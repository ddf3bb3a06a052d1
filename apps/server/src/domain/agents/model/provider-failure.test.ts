import { APICallError } from 'ai'
import { describe, expect, test } from 'vitest'
import { GuardedFetchError } from '../../../ports/network/guarded-fetch-error.ts'
import type { ModelAccess } from '../../../model/model-settings.ts'
import { judgeProviderError } from './provider-failure.ts'

const baseUrl = 'https://models.example/v1'
const access: ModelAccess = { provider: 'openai_compatible', baseUrl, model: 'm-1', apiKey: 'sk-secret' }
const now = new Date('2026-01-05T09:00:00Z')
const answered = (statusCode: number, message = 'No.', responseHeaders = {}) =>
  new APICallError({ message, url: 'https://models.example/v1/x', requestBodyValues: {}, statusCode, responseHeaders })
const judge = (error: unknown) => judgeProviderError(error, access, now)

describe('how a failed request is classified', () => {
  test.each([
    [400, 'final', /rejected the request \(400\)\. The provider says: No\./],
    [401, 'final', /models\.example rejected the API key \(401\)\. Check it/],
    [403, 'final', /rejected the API key/],
    [402, 'final', /payment/],
    [404, 'final', /no model "m-1" \(404\)\. Check the base URL/],
    [307, 'final', /redirect \(307\)/],
    [408, 'temporary', /408/],
    [429, 'temporary', /is rate limiting requests/],
    [500, 'temporary', /is temporarily unavailable \(500\)/],
    [503, 'temporary', /503/],
    [529, 'temporary', /529/],
  ])('%i is %s', (status, kind, reason) => {
    expect(judge(answered(status))).toMatchObject({ kind, reason: expect.stringMatching(reason) })
  })

  test('the reason is one line, truncated, and never contains the key', () => {
    const { reason } = judge(answered(401, `Bad key sk-secret.\r\n\u001b[31m${'x'.repeat(1000)}`))
    expect(reason).toContain('Bad key [the key].')
    expect(reason).not.toContain('sk-secret')
    expect(reason).not.toMatch(/\p{Cc}/u)
    expect(reason.length).toBeLessThan(450)
  })

  test('connection failures are temporary; forbidden addresses are not', () => {
    const refused = new GuardedFetchError('refused', 'This address is not publicly routable: loopback (127.0.0.0/8).')
    expect(judge(refused)).toMatchObject({ kind: 'final', reason: expect.stringContaining('not publicly routable') })
    expect(judge(new GuardedFetchError('certificate', 'The certificate is for another name.'))).toMatchObject({ kind: 'final' })
    const closed = new GuardedFetchError('unreachable', 'models.example could not be reached.')
    expect(judge(new TypeError('fetch failed', { cause: closed }))).toMatchObject({ kind: 'temporary' })
  })
})

describe('Retry-After', () => {
  test.each([
    ['7', 7_000],
    ['0.5', 500],
    ['Mon, 05 Jan 2026 09:00:20 GMT', 20_000],
    ['Mon, 05 Jan 2026 08:00:00 GMT', 0],
    ['soon', null],
    ['', null],
  ])('%j', (given, expected) => {
    expect(judge(answered(429, 'Wait.', { 'retry-after': given })).retryAfterMs).toBe(expected)
  })
})
