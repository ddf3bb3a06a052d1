import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditActionNames, auditActions } from '../../../model/audit-action.ts'
import type { AuditRecord } from '../../../model/audit-record.ts'
import { passwordResetUrl } from '../../../domain/people/password-reset.ts'
import {
  startTestService,
  type TestOrganization,
  testPassword,
  type TestService,
} from '../../../../testing/test-service.ts'
import { anyone } from '../../../../testing/http/people.ts'
import { at, expectRefusal, unknownShortId, startTime, storeQuery, storeReference } from '../../../../testing/http/requests.ts'
import { createEndpoint } from '../../../../testing/http/webhook-requests.ts'

let service: TestService
let shop: TestOrganization
let bank: TestOrganization

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
  bank = await service.addOrganization('bank')
})
afterAll(() => service.stop())

type Shown = Omit<AuditRecord, 'occurredAt'> & { occurredAt: string }

async function read(search = '', of = shop): Promise<{ items: Shown[]; nextCursor?: string }> {
  const answer = await of.admin.page('GET', `/app/api/audit-log${search}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

const actionsOf = ({ items }: { items: Shown[] }) => items.map(({ action }) => action)

describe('a record', () => {
  test('contains who did what, when and from where, and what changed', async () => {
    const { id } = await createEndpoint(shop, { url: 'https://hooks.example/in?token=hidden', description: 'Old' })
    const change = { url: 'https://hooks.example/out?token=hidden', description: 'New' }
    service.clock.leap(1000)
    const answer = await shop.admin.page('PATCH', `/app/api/webhook-endpoints/${id}`, change)
    service.clock.leap(-1000)
    const { items } = await read(`?subject=${id}`)
    expect(items[0]).toEqual({
      id: expect.stringMatching(/^audit_\w{22}$/),
      occurredAt: new Date(Date.parse(startTime) + 1000).toISOString(),
      action: 'webhook_endpoint.changed',
      actor: {
        kind: 'user',
        id: shop.admin.caller.userId,
        name: null,
        user: { id: shop.admin.caller.userId, name: 'admin', email: 'admin@shop.test' },
      },
      subject: { type: 'webhook_endpoint', id, name: 'https://hooks.example/in?…' },
      details: {
        changes: {
          url: { before: 'https://hooks.example/in?…', after: 'https://hooks.example/out?…' },
          description: { before: 'Old', after: 'New' },
        },
      },
      address: '127.0.0.1',
      requestId: answer.headers['x-request-id'],
    })
    expect(actionsOf({ items })).toEqual(['webhook_endpoint.changed', 'webhook_endpoint.created'])
  })

  test('of a program names its key and the user it acts as, even after both are renamed', async () => {
    const query = await storeQuery(shop, 'select 1')
    const { shortId } = (await shop.admin.api('POST', '/api/queries/refs', { queryId: query.id })).json()
    await shop.admin.page('PATCH', '/app/api/account', { name: 'Ada' })
    const { items } = await read(`?subject=${shortId}`)
    expect(items).toMatchObject([
      {
        action: 'reference.created',
        actor: { kind: 'key', name: 'key of admin@shop.test', user: { name: 'admin' } },
        subject: { type: 'reference', name: 'Untitled query' },
      },
    ])
    expect((await read(`?actor=${items[0]!.actor.id}`)).items).toEqual(items)
  })

  test('of unsaved queries is written once an hour per actor, with their number', async () => {
    const cafe = await service.addOrganization('hourly')
    const bob = await cafe.addPerson('member', 'bob@people.test')
    const created = async () =>
      (await read('?action=query.created', cafe)).items.map(({ actor, details }) => [actor.user?.email, details['count'], details['lastAt']])
    await Promise.all([1, 2, 3].map((number) => storeQuery(cafe, `select ${number}`)))
    service.clock.leap(60_000)
    await storeQuery({ ...cafe, admin: bob }, 'select 4')
    await storeQuery(cafe, 'select 5')
    expect(await created()).toEqual([
      ['bob@people.test', 1, '2026-01-05T09:01:00.000Z'],
      [cafe.admin.email, 4, '2026-01-05T09:01:00.000Z'],
    ])
    // Saved queries have their own record, and so does the next hour.
    const { shortId } = await storeReference(cafe, (await storeQuery(cafe, 'select 6')).id)
    service.clock.leap(60_000)
    await cafe.admin.page('PATCH', `/app/api/references/${shortId}`, { sql: 'select 7' })
    service.clock.leap(3600_000)
    await storeQuery(cafe, 'select 8')
    const counts = [1, undefined, 1, 5]
    expect((await created()).map(([, count]) => count)).toEqual(counts)
    const lines = (await cafe.admin.page('GET', '/app/api/audit-log/export?format=jsonl&action=query.created')).body.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).details.count)).toEqual(counts)
    service.clock.leap(-3720_000)
  })

  test('is not written for failed actions', async () => {
    const before = await read()
    expectRefusal(await shop.admin.page('DELETE', `/app/api/references/${unknownShortId}`), 'reference_not_found')
    const endpoint = { url: 'http://127.0.0.1/', eventTypes: ['automation.run.failed'] }
    expect((await shop.admin.page('POST', '/app/api/webhook-endpoints', endpoint)).statusCode).toBe(400)
    expect(await read()).toEqual(before)
  })

  test('that cannot be written prevents its action', async () => {
    const { shortId } = await storeReference(shop, (await storeQuery(shop, 'select 1')).id)
    await sql`alter table audit_log rename to audit_log_away`.execute(service.services.db)
    const refused = await Promise.all([
      shop.admin.page('DELETE', `/app/api/references/${shortId}`),
      shop.admin.page('POST', '/app/api/api-keys', { name: 'Unseen' }),
    ])
    await sql`alter table audit_log_away rename to audit_log`.execute(service.services.db)
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([500, 500])
    expect((await shop.admin.page('GET', `/app/api/references/${shortId}`)).statusCode).toBe(200)
    expect((await shop.admin.page('GET', '/app/api/api-keys')).body).not.toContain('Unseen')
  })

  test('cannot be changed', async () => {
    const { db } = service.services
    const change = db.updateTable('audit_log').set({ action: 'member.left' }).execute()
    await expect(change).rejects.toThrow('Records of the audit log are never changed.')
  })
})

describe('accounts', () => {
  test('wrong passwords are recorded without an actor, at most ten times an hour', async () => {
    const { email } = await shop.addPerson('member', 'guessed@shop.test')
    for (let count = 0; count < 12; count++) {
      await anyone(service).post('/app/api/session', { email, password: `guess ${count}` })
      if (count === 9) await service.clock.advance(15 * 60_000)
    }
    await anyone(service).post('/app/api/session', { email: 'nobody@shop.test', password: 'guess' })
    await service.services.pendingJobs.settled()
    const { items } = await read('?action=session.failed')
    expect(items).toHaveLength(10)
    expect(items[0]).toMatchObject({ actor: { kind: 'anonymous', id: null, user: null }, subject: { name: email } })
    await service.clock.advance(1)
    await anyone(service).post('/app/api/session', { email, password: testPassword })
    expect((await read(`?action=session&limit=1`)).items[0]).toMatchObject({
      action: 'session.started',
      actor: { kind: 'user', user: { email } },
      details: { method: 'password', userAgent: 'lightMyRequest' },
    })
  })

  test('a link created by the operator is attributed to the operator', async () => {
    const { userId } = shop.admin.caller
    await passwordResetUrl(service.services, { user: { id: userId, email: shop.admin.email }, by: { kind: 'operator' } })
    expect((await read('?action=password.reset_requested')).items).toMatchObject([
      { actor: { kind: 'operator', user: null }, subject: { id: userId, name: shop.admin.email }, address: null, requestId: null },
    ])
  })
})

describe('reading', () => {
  test('is paginated, newest first, with each record once', async () => {
    const all = (await read('?limit=100')).items
    const paged: Shown[] = []
    let search = '?limit=7'
    for (;;) {
      const { items, nextCursor } = await read(search)
      paged.push(...items)
      if (nextCursor === undefined) break
      search = `?limit=7&cursor=${nextCursor}`
    }
    expect(paged).toEqual(all)
    const times = all.map(({ occurredAt }) => occurredAt)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test('combines filters, and a cursor is valid only for its own filters', async () => {
    const { userId } = shop.admin.caller
    const one = await read(`?actor=${userId}&action=webhook_endpoint&limit=1`)
    expect(actionsOf(one)).toEqual(['webhook_endpoint.changed'])
    const next = await read(`?actor=${userId}&action=webhook_endpoint&limit=1&cursor=${one.nextCursor}`)
    expect(actionsOf(next)).toEqual(['webhook_endpoint.created'])
    const elsewhere = await shop.admin.page('GET', `/app/api/audit-log?limit=1&cursor=${one.nextCursor}`)
    expectRefusal(elsewhere, 'cursor_invalid', at('cursor'))
    expect(await read(`?actor=${bank.admin.caller.userId}`)).toEqual({ items: [] })
    const later = new Date(Date.parse(startTime) + 60_000).toISOString()
    expect(new Set(actionsOf(await read(`?from=${later}`))).has('webhook_endpoint.changed')).toBe(false)
    expect(actionsOf(await read(`?to=${later}&action=webhook_endpoint.changed`))).toHaveLength(1)
  })

  test('finds records by id, request id and subject id', async () => {
    const { items } = await read('?action=webhook_endpoint.changed')
    const [{ id, requestId, subject }] = items as [Shown]
    expect((await read(`?search=${id}`)).items).toEqual(items)
    expect((await read(`?search=${requestId}`)).items).toEqual(items)
    expect((await read(`?search=${subject.id}`)).items).toHaveLength(2)
    expect(await read(`?search=${subject.id}&action=member`)).toEqual({ items: [] })
    expect(await read('?search=nothing')).toEqual({ items: [] })
  })

  test.each([
    ['?action=nothing', 'action'],
    ['?from=yesterday', 'from'],
    ['?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'to'],
    ['?search=', 'search'],
  ])('rejects %s', async (search, path) => {
    expectRefusal(await shop.admin.page('GET', `/app/api/audit-log${search}`), 'invalid_request', at(path))
  })

  test('lists the actions of the table', async () => {
    const { items } = (await shop.admin.page('GET', '/app/api/audit-log/actions')).json()
    expect(items).toHaveLength(auditActionNames.length)
    expect(items).toContainEqual({ action: 'api_key.created', group: 'api_key', meaning: auditActions['api_key.created'] })
  })

  test('one organization sees nothing of another', async () => {
    const ofBank = (await read('?limit=100', bank)).items
    // Both have the same time, so either may come first.
    expect(actionsOf({ items: ofBank }).toSorted()).toEqual(['api_key.created', 'session.started'])
    const { id, requestId } = ofBank.find(({ action }) => action === 'session.started')!
    for (const found of [id, requestId, bank.admin.caller.userId]) {
      expect(await read(`?search=${found}`)).toEqual({ items: [] })
    }
    expect(await read(`?subject=${ofBank.find(({ action }) => action === 'api_key.created')!.subject.id}`)).toEqual({ items: [] })
    expect((await read('?limit=100')).items.some(({ subject }) => subject.name?.includes('bank'))).toBe(false)
  })
})

describe('the export', () => {
  const exported = async (search: string) => {
    const answer = await shop.admin.page('GET', `/app/api/audit-log/export?${search}`)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer
  }

  test('has every record that matches the filters, and is itself recorded', async () => {
    const expected = (await read('?action=webhook_endpoint')).items
    const answer = await exported('format=jsonl&action=webhook_endpoint')
    expect(answer.headers['content-disposition']).toContain('filename="audit-log-2026-01-05.jsonl"')
    expect(answer.body.trimEnd().split('\n').map((line) => JSON.parse(line))).toEqual(expected)
    expect((await read('?action=audit_log')).items[0]).toMatchObject({
      action: 'audit_log.exported',
      details: { format: 'jsonl', filters: { action: 'webhook_endpoint' } },
    })
  })

  test('as CSV is safe for spreadsheets', async () => {
    const query = await storeQuery(shop, 'select 1')
    await storeReference(shop, query.id, { title: '=cmd|"/C calc"!A0' })
    const { body, headers } = await exported('format=csv&action=reference.created')
    expect(headers['content-type']).toContain('text/csv')
    const [head, first] = body.split('\r\n')
    expect(head).toBe(
      'id,occurredAt,action,actorKind,actorId,actorName,userId,userName,userEmail,subjectType,subjectId,subjectName,details,address,requestId',
    )
    expect(first).toContain(`,"'=cmd|""/C calc""!A0",`)
  })

  test('is CSV by default, and rejects unknown formats', async () => {
    expect((await exported('action=member')).headers['content-type']).toContain('text/csv')
    const answer = await shop.admin.page('GET', '/app/api/audit-log/export?format=xlsx')
    expectRefusal(answer, 'invalid_request', at('format'))
  })
})

describe('the use of keys', () => {
  const use = async (of = shop, search = '') => (await of.admin.page('GET', `/app/api/audit-log/key-use${search}`)).json()

  test('is counted by key, day and route, with outcomes', async () => {
    const { apiKey } = bank.admin
    const call = (url: string) => service.app.inject({ url, headers: { authorization: `Bearer ${apiKey}` } })
    await call('/api/me')
    await call('/api/queries/refs/nothing')
    await service.clock.advance(24 * 3600_000)
    await call('/api/me')
    const { items, days, from } = await use(bank)
    expect([days, from]).toEqual([30, '2025-12-08T00:00:00.000Z'])
    expect(items).toMatchObject([
      {
        name: 'key of admin@bank.test',
        isRevoked: false,
        user: { email: 'admin@bank.test' },
        requestCount: 3,
        refusedCount: 1,
        failedCount: 0,
        lastAddress: '127.0.0.1',
        days: [
          { day: '2026-01-05', requestCount: 2, refusedCount: 1, failedCount: 0 },
          { day: '2026-01-06', requestCount: 1, refusedCount: 0, failedCount: 0 },
        ],
        routes: [
          { route: 'GET /api/me', requestCount: 2, lastStatus: 200 },
          { route: 'GET /api/queries/refs/:shortId', requestCount: 1, refusedCount: 1, lastStatus: 404 },
        ],
      },
    ])
    expect((await use(bank, '?days=1')).items).toMatchObject([{ requestCount: 1 }])
  })

  test('is kept after the key and its user are deleted', async () => {
    const member = await bank.addPerson('member', 'gone@bank.test')
    await member.api('GET', '/api/me')
    await bank.admin.page('DELETE', `/app/api/members/${member.caller.userId}`)
    const { items } = await use(bank)
    const found = items.find(({ name }: { name: string }) => name === 'key of gone@bank.test')
    expect(found).toMatchObject({ isRevoked: true, prefix: null, requestCount: 1, user: { email: 'gone@bank.test' } })
    const one = await use(bank, '?limit=1')
    expect(one.items).toHaveLength(1)
    expect((await use(bank, `?limit=1&cursor=${one.nextCursor}`)).items).toEqual([items[1]])
  })

  test('is not visible to other organizations', async () => {
    expect((await use()).items.map(({ name }: { name: string }) => name)).toEqual(['key of admin@shop.test'])
  })
})

test('rejects members with a clear message', async () => {
  const member = await shop.addPerson('member', 'curious@shop.test')
  for (const route of ['', '/actions', '/key-use', '/export?format=csv']) {
    expectRefusal(await member.page('GET', `/app/api/audit-log${route}`), 'forbidden', { message: /Only organization admins/ })
  }
})
