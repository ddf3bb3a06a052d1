import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databaseFolder } from '../../../domain/databases/engines.ts'
import { startTestService, testPassword, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { at, expectRefusal, startTime } from '../../../../testing/http/requests.ts'

let service: TestService
let shop: TestOrganization
let address: string
let cookie: string

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
  // Uploads are streamed from a socket, so these tests use a real one.
  address = await service.app.listen({ host: '127.0.0.1', port: 0 })
  const signedIn = await service.app.inject({
    method: 'POST',
    url: '/app/api/session',
    payload: { email: shop.admin.email, password: testPassword },
  })
  cookie = `querypost_session=${signedIn.cookies[0]!.value}`
})
afterAll(() => service.stop())

const folder = () =>
  databaseFolder({
    dataDirectory: service.services.dataDirectory,
    organizationId: shop.admin.caller.organizationId,
  })

/** Each process of an engine has a folder. */
async function engineProcesses(): Promise<string[]> {
  const names = await readdir(path.join(service.services.dataDirectory, 'temporary'))
  return names.filter((name) => name.startsWith('duckdb-'))
}

const lastTest = {
  ok: true,
  durationMs: 0,
  version: expect.stringMatching(/^DuckDB v\d/),
  testedAt: startTime,
}

test('lists databases without their organization', async () => {
  expect((await shop.admin.page('GET', '/app/api/databases')).json().items[0]).toEqual({
    id: shop.databaseId,
    name: 'Numbers',
    engine: 'duckdb',
    settings: { file: 'numbers.duckdb' },
    createdBy: shop.admin.caller.userId,
    createdAt: service.clock.now().toISOString(),
    tableCount: 1,
    lastTest,
  })
})

test('lists the tables of a database', async () => {
  const answer = await shop.admin.page('GET', `/app/api/databases/${shop.databaseId}/tables`)
  expect(answer.json()).toEqual({
    items: [
      {
        schema: 'main',
        name: 'numbers',
        kind: 'table',
        columns: [{ name: 'n', type: 'INTEGER', nullable: true, comment: null }],
        rowEstimate: 10,
        comment: null,
      },
    ],
  })
})

test('returns the outcome of a test', async () => {
  const answer = await shop.admin.page('POST', `/app/api/databases/${shop.databaseId}/test`)
  expect(answer.json()).toEqual({ ok: true, durationMs: 0, version: expect.stringMatching(/^DuckDB v\d/) })
})

describe('adding a file of the organization’s folder', () => {
  const add = (body: object) =>
    shop.admin.page('POST', '/app/api/databases', {
      name: 'Again',
      engine: 'duckdb',
      settings: { file: 'numbers.duckdb' },
      ...body,
    })

  test('returns 201 with the database', async () => {
    const answer = await add({})
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^db_\w{22}$/),
      name: 'Again',
      engine: 'duckdb',
      settings: { file: 'numbers.duckdb' },
      createdBy: shop.admin.caller.userId,
      createdAt: service.clock.now().toISOString(),
      tableCount: 1,
      lastTest,
    })
  })

  test.each([
    [{ name: 'Numbers' }, '/name'],
    [{ name: '' }, '/name'],
    [{ name: 'x'.repeat(101) }, '/name'],
    [{ engine: 'oracle' }, '/engine'],
    [{ settings: {} }, '/settings/file'],
    [{ settings: null }, '/settings'],
    [{ settings: { file: 'unknown.duckdb' } }, '/settings/file'],
    [{ settings: { file: '../numbers.duckdb' } }, '/settings/file'],
    [{ settings: { file: '/etc/passwd' } }, '/settings/file'],
    [{ settings: { file: '.duckdb' } }, '/settings/file'],
    [{ settings: { file: 'numbers.duckdb', readOnly: false } }, '/settings/readOnly'],
    [{ organizationId: 'org_other' }, '/organizationId'],
  ])('rejects %o', async (body, place) => {
    expectRefusal(await add(body), 'invalid_request', at(place))
  })
})

describe('an upload', () => {
  const upload = async (query: string, body?: Uint8Array<ArrayBuffer>) => {
    const response = await fetch(`${address}/app/api/databases/upload${query}`, {
      method: 'POST',
      headers: { cookie, ...(body && { 'content-type': 'application/octet-stream' }) },
      ...(body && { body }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  test('becomes a database that can be queried', async () => {
    const bytes = new Uint8Array(await readFile(path.join(folder(), 'numbers.duckdb')))
    const { status, body } = await upload('?name=Uploaded', bytes)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^db_/),
      name: 'Uploaded',
      engine: 'duckdb',
      settings: { file: expect.stringMatching(/^db_\w{22}\.duckdb$/) },
      createdBy: shop.admin.caller.userId,
      createdAt: service.clock.now().toISOString(),
      tableCount: 1,
      lastTest,
    })
    const tables = await shop.admin.page('GET', `/app/api/databases/${String(body['id'])}/tables`)
    expect(tables.json().items[0].name).toBe('numbers')
  })

  test('is opened once, for its test and for what follows', async () => {
    const before = new Set(await engineProcesses())
    const started = async () => (await engineProcesses()).filter((name) => !before.has(name))
    const bytes = new Uint8Array(await readFile(path.join(folder(), 'numbers.duckdb')))
    const { body } = await upload('?name=Once', bytes)
    const opened = await started()
    expect(opened).toHaveLength(1)
    await shop.admin.page('GET', `/app/api/databases/${String(body['id'])}/tables`)
    expect(await started()).toEqual(opened)
  })

  test.each([
    ['cannot be opened', '?name=Broken', () => Promise.resolve(new Uint8Array(5000).fill(0x41))],
    ['has a name that is taken', '?name=Numbers', async () => new Uint8Array(await readFile(path.join(folder(), 'numbers.duckdb')))],
  ])('that %s leaves no process behind', async (_, query, bytes) => {
    const before = new Set(await engineProcesses())
    expect((await upload(query, await bytes())).status).toBe(400)
    await expect.poll(async () => (await engineProcesses()).filter((name) => !before.has(name))).toEqual([])
  })

  test.each([
    ['a file that is not a database', '?name=Text', new Uint8Array(5000).fill(0x41)],
    ['an empty file', '?name=Empty', new Uint8Array()],
    ['no body', '?name=None', undefined],
    ['no name', '', new Uint8Array(10)],
    ['two names', '?name=a&name=b', new Uint8Array(10)],
    ['an unknown query parameter', '?name=a&file=b', new Uint8Array(10)],
  ])('of %s is rejected', async (_, query, bytes) => {
    const before = (await shop.admin.page('GET', '/app/api/databases')).json()
    const { status, body } = await upload(query, bytes)
    expect([status, body['code']], JSON.stringify(body)).toEqual([400, 'invalid_request'])
    expect((await shop.admin.page('GET', '/app/api/databases')).json()).toEqual(before)
  })
})
