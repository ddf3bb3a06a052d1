import { gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAllowedMethods } from '../allowed-methods.ts'
import { makeErrorHandler } from '../errors.ts'
import { docsRoutes } from './docs-routes.ts'

let app: FastifyInstance
beforeAll(() => {
  app = fastify()
  addAllowedMethods(app)
  app.setErrorHandler(makeErrorHandler({ baseUrl: 'https://querypost.test' }))
  docsRoutes(app)
})
afterAll(() => app.close())

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

describe('a page', () => {
  test('is HTML with a strict policy and navigation', async () => {
    const answer = await app.inject('/docs/errors')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'public, no-cache',
      vary: 'accept-encoding',
    })
    expect(answer.body).toContain('<title>Errors · Querypost documentation</title>')
    expect(answer.body).toContain('<h2 id="route_retired">')
    expect(answer.body).toContain('<a href="/docs/errors" aria-current="page">Errors</a>')
    expect(answer.body).toContain('<li class="level-2"><a href="#route_retired">route_retired</a></li>')
    expect(answer.body).toMatch(/rel="prev".*rel="next"/s)
    // Nothing inline that the policy would block.
    expect(answer.body).not.toMatch(/<script>|<style|style="| on\w+="/)
  })

  test('is compressed for clients that accept gzip, and gives 304 while it is unchanged', async () => {
    const plain = await app.inject('/docs')
    const packed = await app.inject({ url: '/docs', headers: { 'accept-encoding': 'gzip' } })
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
    expect(packed.headers.etag).not.toBe(plain.headers.etag)
    for (const etag of [plain.headers.etag, packed.headers.etag]) {
      const again = await app.inject({ url: '/docs', headers: { 'if-none-match': etag } })
      expect(again.statusCode).toBe(304)
      expect(again.body).toBe('')
    }
    expect((await app.inject({ url: '/docs', headers: { 'if-none-match': '"other"' } })).statusCode).toBe(200)
  })

  test('is also available as Markdown', async () => {
    const answer = await app.inject('/docs/errors.md')
    expect(answer.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(answer.body).toMatch(/^# Errors\n/)
  })

  test('has a single address', async () => {
    const answer = await app.inject('/docs/errors/?a=1')
    expect([answer.statusCode, answer.headers.location]).toEqual([301, '/docs/errors'])
    expect((await app.inject('/docs/')).headers.location).toBe('/docs')
    expect((await app.inject('/docs/%0d%0aset-cookie:a=b/')).headers).toMatchObject({ location: '/docs/%0d%0aset-cookie:a=b' })
  })
})

test('assets can be cached forever, because their address changes with their content', async () => {
  const { body } = await app.inject('/docs')
  const [, stylesheet] = /<link rel="stylesheet" href="([^"]+)">/.exec(body)!
  const scripts = [...body.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, address]) => [address!, 'text/javascript'] as const)
  expect(scripts).toHaveLength(3)
  for (const [address, type] of [[stylesheet!, 'text/css'] as const, ...scripts]) {
    const answer = await app.inject(address)
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`)
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  }
})

test('serves images', async () => {
  const answer = await app.inject('/docs/images/chat.png')
  expect(answer.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'public, max-age=3600' })
  expect(answer.rawPayload.subarray(1, 4).toString()).toBe('PNG')
})

test.each([
  '/docs/no-such',
  '/docs/no-such.md',
  '/docs/assets/old.css',
  '/docs/navigation.json',
  '/docs/..%2fpackage.json',
  '/docs/images/..%2f..%2fpackage.json',
  '/docs/images/chat.png%00',
  '/docs/__proto__',
  '/docs/gr%C3%B6%C3%9Fe',
])('serves nothing else, with a page for people and a JSON error for programs: %s', async (url) => {
  const toPerson = await app.inject({ url, headers: { accept: 'text/html' } })
  expect(toPerson.statusCode).toBe(404)
  expect(toPerson.body).toContain('Page not found')
  expect(toPerson.headers['content-security-policy']).toBe(policy)
  const toProgram = await app.inject(url)
  expect(toProgram.statusCode).toBe(404)
  expect(toProgram.json()).toMatchObject({ code: 'route_not_found' })
})

test.each(['/docs/../package.json', '/docs/%2e%2e/package.json', '/docs/%ZZ'])('%s is not an address of the documentation', async (url) => {
  expect((await app.inject(url)).statusCode).toBeGreaterThanOrEqual(400)
  expect((await app.inject(url)).statusCode).toBeLessThan(500)
})

describe('the search', () => {
  test('shows results with marked words, and keeps the query in the field', async () => {
    const answer = await app.inject('/docs/search?q=cursor_expired')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-security-policy']).toBe(policy)
    expect(answer.body).toContain('name="q" value="cursor_expired"')
    expect(answer.body).toMatch(/<a href="\/docs\/errors#cursor_expired">.*<mark>cursor<\/mark>_<mark>expired<\/mark><\/a>/)
  })

  test.each(['', '?q=', '?q=a&q=b', '?other=1'])('without a single query, explains what to search for: %s', async (search) => {
    expect((await app.inject(`/docs/search${search}`)).body).toContain('Search above for a word')
  })

  test('escapes and truncates the query', async () => {
    const hostile = '"><script>alert(1)</script>'
    const answer = await app.inject(`/docs/search?${new URLSearchParams({ q: hostile + 'x'.repeat(10_000) })}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.body).not.toContain('<script>')
    expect(answer.body).not.toContain('x'.repeat(201))
  })
})
