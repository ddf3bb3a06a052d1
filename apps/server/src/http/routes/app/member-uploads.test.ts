import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importTable } from '../../../domain/databases/import-table.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../../testing/test-service.ts'
import { expectRefusal } from '../../../../testing/http/requests.ts'

let service: TestService
let shop: TestOrganization
let grace: TestPerson
let mo: TestPerson
let uploads: string

const csv = Buffer.from('a\n1\n')
/** It hardly gets smaller by compression. */
const large = Buffer.from(Array.from({ length: 60_000 }, (_, index) => `${createHash('sha256').update(String(index)).digest('hex')}\n`).join(''))
const allow = (memberUploadsEnabled: boolean) => shop.admin.page('PATCH', '/app/api/organization', { memberUploadsEnabled })
const open = (person: TestPerson) => person.page('POST', '/app/api/databases/uploads')
const tablesOf = (databaseId: string) => `/app/api/databases/${databaseId}/tables`
const send = (person: TestPerson, table: string, databaseId = uploads) =>
  person.page('POST', `${tablesOf(databaseId)}?name=${table}&format=csv`, csv)

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
  grace = await shop.addPerson('member', 'grace@shop.test')
  mo = await shop.addPerson('member', 'mo@shop.test')
})
afterAll(() => service.stop())

test('is off until an admin turns it on, which is audited', async () => {
  expectRefusal(await open(grace), 'forbidden', { message: /turned off/ })
  expectRefusal(await grace.page('PATCH', '/app/api/organization', { memberUploadsEnabled: true }), 'forbidden')
  expect((await allow(true)).json()).toMatchObject({ memberUploadsEnabled: true })
  const records = (await shop.admin.page('GET', '/app/api/audit-log')).json<{ items: { action: string; details: unknown }[] }>()
  expect(records.items[0]).toMatchObject({
    action: 'organization.changed',
    details: { changes: { memberUploadsEnabled: { before: false, after: true } } },
  })
})

describe('while it is on', () => {
  beforeAll(async () => {
    await allow(true)
    uploads = (await open(grace)).json<{ id: string }>().id
  })

  test('each member has one database, however many requests arrive at once', async () => {
    const late = await shop.addPerson('member', 'lou@shop.test')
    const [first, second] = await Promise.all([open(late), open(late)])
    expect(first.json()).toMatchObject({ name: 'Uploads of lou', settings: { ownerId: late.caller.userId } })
    expect(second.json().id).toBe(first.json().id)
  })

  test('a member imports, previews, renames and deletes tables of their own database', async () => {
    expect((await grace.page('POST', `${tablesOf(uploads)}/preview?format=csv`, csv)).statusCode).toBe(200)
    expect((await send(grace, 'mine')).statusCode).toBe(201)
    expect((await grace.page('PATCH', `${tablesOf(uploads)}/main/mine`, { name: 'kept' })).statusCode).toBe(204)
    expect((await send(grace, 'gone')).statusCode).toBe(201)
    expect((await grace.page('DELETE', `${tablesOf(uploads)}/main/gone`)).statusCode).toBe(204)
    // Others can read it, and admins can change it.
    const seen = (await mo.page('GET', tablesOf(uploads))).json<{ items: { name: string }[] }>()
    expect(seen.items.map(({ name }) => name)).toEqual(['kept'])
    expect((await send(shop.admin, 'by_admin')).statusCode).toBe(201)
  })

  test('a member changes neither the tables of others nor a database itself', async () => {
    const other = (await open(mo)).json<{ id: string; name: string }>()
    expect(other.id).not.toBe(uploads)
    for (const databaseId of [uploads, shop.databaseId]) {
      expectRefusal(await send(mo, 'theirs', databaseId), 'forbidden', { message: /owner/ })
      expectRefusal(await mo.page('POST', `${tablesOf(databaseId)}/preview?format=csv`, csv), 'forbidden')
      expectRefusal(await mo.page('PATCH', `${tablesOf(databaseId)}/main/numbers`, { name: 'mine' }), 'forbidden')
      expectRefusal(await mo.page('DELETE', `${tablesOf(databaseId)}/main/numbers`), 'forbidden')
    }
    expectRefusal(await mo.page('PATCH', `/app/api/databases/${other.id}`, { name: 'Mine' }), 'forbidden')
    expectRefusal(await mo.page('DELETE', `/app/api/databases/${other.id}`), 'forbidden')
  })

  test('a person of another organization finds no such database', async () => {
    const bank = await service.addOrganization('bank')
    await bank.admin.page('PATCH', '/app/api/organization', { memberUploadsEnabled: true })
    const stranger = await bank.addPerson('member', 'stranger@bank.test')
    expectRefusal(await send(stranger, 'theirs'), 'database_not_found')
  })

  test.each([
    ['a file over the limit', { uploadMaxBytes: 2 * 1024 ** 2, fileMb: 1024 }, /larger than 2 MiB/],
    ['a file beyond the total of the member', { uploadMaxBytes: 1024 ** 3, fileMb: 1 }, /beyond 1 MiB/],
  ])('rejects %s', async (_, ofMember, message) => {
    const deps = { ...service.services, importLimits: { ...service.services.importLimits, ofMember } }
    const { signal } = new AbortController()
    const input = { configId: uploads, table: 'large', format: 'csv', ifExists: 'refuse', bytes: Readable.from([large]), signal } as const
    await expect(importTable(deps, grace.caller, input)).rejects.toMatchObject({
      code: 'body_too_large',
      message: expect.stringMatching(message),
    })
  })

  test('a database with the same name takes the e-mail address instead', async () => {
    const person = await shop.addPerson('member', 'late@shop.test')
    await shop.admin.page('POST', '/app/api/databases', { name: 'Uploads of late', engine: 'duckdb' })
    expect((await open(person)).json()).toMatchObject({ name: 'Uploads of late@shop.test' })
  })

  test('once it is off again, the tables stay and only admins change them', async () => {
    await allow(false)
    expectRefusal(await send(grace, 'late'), 'forbidden', { message: /turned off/ })
    expect((await grace.page('GET', tablesOf(uploads))).statusCode).toBe(200)
    expect((await send(shop.admin, 'later')).statusCode).toBe(201)
  })
})
