import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../store/db.ts'
import { addAllowedMethods } from '../allowed-methods.ts'
import { makeErrorHandler } from '../errors.ts'
import { pageRoutes } from '../routes/page-routes.ts'
import type { ViewerPageServices } from '../routes/shared/viewer-page-routes.ts'
import { readWebBuild } from './web-build.ts'
import { pagePatterns } from '../../../../web/src/paths.ts'

const built = '<!doctype html><meta property="csp-nonce" nonce="__NONCE__"><link rel="stylesheet" href="/assets/index-1.css"><div id="root"></div>'
/** The test's random source. */
const random = { bytes: (count: number) => new Uint8Array(count).fill(7) }
const nonce = Buffer.alloc(16, 7).toString('base64')
const shell = built.replace('__NONCE__', nonce)
const policy = `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

let folder: string
let app: FastifyInstance

/** No route here calls the store, because the shortIds below are invalid. */
const noStore = { db: null as unknown as Db, random } as ViewerPageServices

function build(dist: string): FastifyInstance {
  const server = fastify()
  addAllowedMethods(server)
  server.setErrorHandler(makeErrorHandler({ baseUrl: 'https://querypost.test' }))
  pageRoutes(server, noStore, { folder: dist })
  return server
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-pages-'))
  await mkdir(path.join(folder, 'dist/assets'), { recursive: true })
  await writeFile(path.join(folder, 'secret.js'), 'a secret')
  await writeFile(path.join(folder, 'dist/index.html'), built)
  await writeFile(path.join(folder, 'dist/viewer.html'), built)
  await writeFile(path.join(folder, 'dist/.built'), 'a stamp')
  await writeFile(path.join(folder, 'dist/assets/index-1.js'), 'const x = 1')
  await writeFile(path.join(folder, 'dist/assets/index-1.js.br'), brotliCompressSync('const x = 1'))
  await writeFile(path.join(folder, 'dist/assets/index-1.css'), 'p { color: red }')
  app = build(path.join(folder, 'dist'))
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

const statusless = pagePatterns.filter((pattern) => !/^\/(b|q|chats)\/:/.test(pattern))

test.each([
  ...statusless.map((pattern) => pattern.replace(/:\w+/, 'no-such-one')),
  '/sign-in?returnTo=%2Faccount',
])('%s returns the shell with a strict policy', async (url) => {
  const answer = await app.inject(url)
  expect(answer.statusCode).toBe(200)
  expect(answer.body).toBe(shell)
  expect(answer.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-cache',
  })
})

test.each(['/b/no-such-one', '/q/no-such-one', '/q/no-such-one/edit', '/chats/no-such-one'])('%s, an unknown permalink, is the shell with 404', async (url) => {
  const answer = await app.inject(url)
  expect(answer.statusCode).toBe(404)
  expect(answer.body).toBe(shell)
  expect(answer.headers['content-security-policy']).toBe(policy)
})

test('e-mails are shown in a document without scripts of their own, requests or the origin of the service', async () => {
  const { headers, body } = await app.inject('/app/email-frame')
  const [, script] = /<script>(.*)<\/script>/s.exec(body)!
  expect(String(headers['content-security-policy']).split('; ')).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(script!).digest('base64')}'`,
    "style-src 'unsafe-inline'",
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
  ])
  expect(headers['x-frame-options']).toBeUndefined()
})

test('a wrong link returns a page for people and a JSON error for programs', async () => {
  const toPerson = await app.inject({ url: '/no-such-page', headers: { accept: 'text/html,*/*' } })
  expect(toPerson.statusCode).toBe(404)
  expect(toPerson.body).toBe(shell)
  for (const [url, accept] of [['/no-such-page', '*/*'], ['/api/no-such', 'text/html'], ['/app/api/no-such', 'text/html'], ['/assets/a/b', 'text/html']] as const) {
    const toProgram = await app.inject({ url, headers: { accept } })
    expect(toProgram.statusCode, url).toBe(404)
    expect(toProgram.json(), url).toMatchObject({ code: 'route_not_found' })
  }
})

test('each response has a new nonce', async () => {
  let count = 0
  const server = fastify()
  addAllowedMethods(server)
  pageRoutes(server, { ...noStore, random: { bytes: (length) => new Uint8Array(length).fill(count++) } }, { folder: path.join(folder, 'dist') })
  const [first, second] = [await server.inject('/'), await server.inject('/')]
  expect(first.body).not.toBe(second.body)
  const given = /nonce="([^"]+)"/.exec(second.body)![1]!
  expect(second.headers['content-security-policy']).toContain(`'nonce-${given}'`)
  await server.close()
})

describe('assets', () => {
  test('can be cached forever and are compressed for clients that accept gzip', async () => {
    const plain = await app.inject('/assets/index-1.js')
    expect(plain.body).toBe('const x = 1')
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    expect(plain.headers['content-encoding']).toBeUndefined()
    const packed = await app.inject({ url: '/assets/index-1.css', headers: { 'accept-encoding': 'gzip, br' } })
    expect(packed.headers).toMatchObject({ 'content-type': 'text/css; charset=utf-8', 'content-encoding': 'gzip' })
    expect(gunzipSync(packed.rawPayload).toString()).toBe('p { color: red }')
  })

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'gzip'],
    ['deflate', undefined],
  ])('with a Brotli copy, Accept-Encoding: %s gets %s', async (accepted, encoding) => {
    const sent = await app.inject({ url: '/assets/index-1.js', headers: { 'accept-encoding': accepted } })
    expect([sent.headers['content-encoding'], sent.headers.vary]).toEqual([encoding, 'accept-encoding'])
    const unpacked = encoding === 'br' ? brotliDecompressSync(sent.rawPayload) : encoding === 'gzip' ? gunzipSync(sent.rawPayload) : sent.rawPayload
    expect(unpacked.toString()).toBe('const x = 1')
    expect((await app.inject('/assets/index-1.js.br')).statusCode).toBe(404)
  })

  test.each([
    '/assets/other.js',
    '/assets/',
    '/assets/..%2f..%2fsecret.js',
    '/assets/..%2findex.html',
    '/assets/../../secret.js',
    '/assets/%2e%2e/%2e%2e/secret.js',
    '/assets/..%5c..%5csecret.js',
    '/assets/index-1.js%00',
    '/assets/__proto__',
    '/.built',
    '/assets/..%2f.built',
  ])('include nothing else: %s', async (url) => {
    const answer = await app.inject(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.body).not.toMatch(/a secret|a stamp/)
  })

  test('of an unknown type are rejected at the start', async () => {
    const dist = path.join(folder, 'odd')
    await mkdir(path.join(dist, 'assets'), { recursive: true })
    await writeFile(path.join(dist, 'index.html'), built)
    await writeFile(path.join(dist, 'viewer.html'), built)
    await writeFile(path.join(dist, 'assets/x.exe'), '')
    await expect(readWebBuild(dist)).rejects.toThrow('x.exe: add the content type')
  })
})

test('without a build, pages explain how to build and keep their statuses', async () => {
  const unbuilt = build(path.join(folder, 'nowhere'))
  const home = await unbuilt.inject('/')
  expect(home.statusCode).toBe(200)
  expect(home.body).toContain('npm start')
  expect((await unbuilt.inject('/q/no-such-one')).statusCode).toBe(404)
  expect((await unbuilt.inject('/assets/index-1.js')).statusCode).toBe(404)
  await unbuilt.close()
})
