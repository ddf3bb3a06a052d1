import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import description from '../package.json' with { type: 'json' }
import { Querypost } from './querypost.ts'
import { newRequestId } from './request-id.ts'
import { answer, testWorld } from '../testing/client-world.ts'
import { version } from './version.ts'

describe('a client', () => {
  test.each([undefined, '', 'with space', 'line\nbreak', 'schlüssel', 7])('requires a key, not %j', (apiKey) => {
    expect(() => new Querypost({ apiKey: apiKey as string })).toThrow(TypeError)
  })

  test.each(['', 'querypost.test', 'ftp://x.test', 'https://a:b@x.test', 'https://x.test?y', 'https://x.test#y'])(
    'requires the address of a service, not %j',
    (baseUrl) => expect(() => new Querypost({ apiKey: 'key', baseUrl })).toThrow(/baseUrl/),
  )

  test.each([{ timeoutMs: -1 }, { timeoutMs: Number.NaN }, { maxRetries: 1.5 }])('requires valid numbers, not %j', (numbers) => {
    expect(() => new Querypost({ apiKey: 'key', ...numbers })).toThrow(/whole number/)
  })

  test('does not reveal its key when printed', () => {
    const client = new Querypost({ apiKey: 'qp_live_secret' })
    expect(inspect(client, { depth: 9, showHidden: true }) + JSON.stringify(client)).not.toContain('secret')
  })

  test('keeps the path of its address', async () => {
    const world = testWorld([answer(200, {})], { baseUrl: 'https://tools.test/querypost/' })
    await world.finish(world.client.me())
    expect(world.sent[0]!.url).toBe('https://tools.test/querypost/api/me')
  })
})

describe('an id', () => {
  test('stays one path segment, whatever it contains', async () => {
    const world = testWorld([answer(200, {})])
    await world.finish(world.client.references.get('../../me?x=#y'))
    expect(world.sent[0]!.url).toBe('https://querypost.test/api/queries/refs/..%2F..%2Fme%3Fx%3D%23y')
  })

  test.each(['', '.', '..', undefined])('%j is rejected before anything is sent', async (shortId) => {
    const world = testWorld([])
    await expect(world.client.references.delete(shortId as string)).rejects.toThrow(/shortId must be an id/)
  })
})

describe('a result', () => {
  const queryId = '0196a1c2-7f3e-7b1a-9c55-3f0d2b8e4a11'
  test('that the caller already has is not sent again', async () => {
    const world = testWorld([answer(304, null, { etag: '"abc"' })])
    const given = await world.finish(world.client.queries.result(queryId, { ifNoneMatch: '"abc"' }))
    expect(given).toEqual({ isNotModified: true, etag: '"abc"' })
    expect(world.sent[0]!.headers['if-none-match']).toBe('"abc"')
  })

  test('is available as the raw response', async () => {
    const world = testWorld([new Response('n\n1\n', { headers: { 'content-type': 'text/csv' } })])
    const response = await world.finish(world.client.queries.resultResponse(queryId, { format: 'csv' }))
    expect(response.headers.get('content-type')).toBe('text/csv')
    expect(await response.text()).toBe('n\n1\n')
    expect(world.sent[0]!.url).toMatch(/result\?format=csv$/)
    expect(world.sent[0]!.headers['accept']).toBe('*/*')
  })
})

test('request ids are valid for the service and unique', () => {
  const names = Array.from({ length: 50 }, newRequestId)
  expect(names.every((name) => /^[\w.-]{8,64}$/.test(`${name}.99`))).toBe(true)
  expect(new Set(names).size).toBe(50)
})

test('the reported version is that of the package', () => expect(version).toBe(description.version))
