import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { idempotentAnswerSweep } from '../domain/idempotency/idempotent-request.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../testing/test-service.ts'
import { at, expectRefusal } from '../../testing/http/requests.ts'
import { storeKinds } from '../../testing/store/test-store.ts'

describe.each(storeKinds)('a request with an Idempotency-Key on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  const withKey = (key: string) => ({ 'idempotency-key': key })
  const post = (key: string, url: string, body?: object, person: TestPerson = shop.admin) => person.api('POST', url, body, withKey(key))
  const titles = async () => (await shop.admin.api('GET', '/api/boards?limit=100')).json<{ items: { title: string }[] }>().items.map(({ title }) => title)
  const storedCount = async () => (await sql`select 1 from idempotent_answers`.execute(service.services.db)).rows.length

  test('has its effect once and gets the same answer again', async () => {
    const first = await post('once', '/api/boards', { title: 'Once' })
    expect([first.statusCode, first.headers['idempotency-replayed']]).toEqual([201, undefined])
    const again = await post('once', '/api/boards', { title: 'Once' })
    expect([again.statusCode, again.body, again.headers['etag']]).toEqual([201, first.body, first.headers['etag']])
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await titles()).filter((title) => title === 'Once')).toHaveLength(1)
  })

  test('waits for the same request that is being served', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => post('race', '/api/boards', { title: 'Race' })))
    expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(3)
    expect((await titles()).filter((title) => title === 'Race')).toHaveLength(1)
  })

  test('is rejected if the key was used for another body or route', async () => {
    await post('reused', '/api/folders', { name: 'First' })
    expectRefusal(await post('reused', '/api/folders', { name: 'Second' }), 'idempotency_key_reused')
    expectRefusal(await post('reused', '/api/boards', { title: 'First' }), 'idempotency_key_reused')
  })

  test('can be sent again after it was refused', async () => {
    expectRefusal(await post('refused', '/api/boards', { title: 'Lost', folderId: 'folder_none' }), 'folder_not_found')
    expectRefusal(await post('refused', '/api/boards', { title: '' }), 'invalid_request', at('/title'))
    expect((await post('refused', '/api/boards', { title: 'Found' })).statusCode).toBe(201)
  })

  test('shares its key with no other API key', async () => {
    const member = await shop.addPerson('member', `member@${kind}.test`)
    const mine = await post('shared', '/api/boards', { title: 'Mine' })
    const theirs = await post('shared', '/api/boards', { title: 'Theirs' }, member)
    expect([mine.statusCode, theirs.statusCode]).toEqual([201, 201])
  })

  test('leaves nothing behind if the service fails between the effect and the answer', async () => {
    const { sealer } = service.services
    const { seal } = sealer
    sealer.seal = () => {
      throw new Error('crashed')
    }
    const before = await storedCount()
    expect((await post('crash', '/api/boards', { title: 'Crash' })).statusCode).toBe(500)
    sealer.seal = seal
    expect(await titles()).not.toContain('Crash')
    expect(await storedCount()).toBe(before)
    expect((await post('crash', '/api/boards', { title: 'Crash' })).statusCode).toBe(201)
  })

  test('stores secrets only encrypted', async () => {
    const hook = { url: 'https://hooks.example/a', eventTypes: ['automation.run.failed'] }
    const created = await post('secret', '/api/webhook-endpoints', hook)
    expect(created.statusCode, created.body).toBe(201)
    expect((await post('secret', '/api/webhook-endpoints', hook)).json()).toEqual(created.json())
    const { rows } = await sql<{ body: Uint8Array }>`select body from idempotent_answers`.execute(service.services.db)
    const { secret } = created.json<{ secret: string }>()
    expect(rows.some(({ body }) => Buffer.from(body).includes(secret))).toBe(false)
  })

  test.each(['', ' ', 'a b', 'x'.repeat(256), 'ä'])('is rejected with the key %j', async (key) => {
    expectRefusal(await post(key, '/api/boards', { title: 'Odd' }), 'invalid_request', at('idempotency-key'))
  })

  test('is served again after 24 hours, and its answer is removed', async () => {
    const first = (await post('old', '/api/boards', { title: 'Old' })).json<{ id: string }>()
    service.clock.leap(24 * 3600_000)
    const second = await post('old', '/api/boards', { title: 'New' })
    expect(second.statusCode).toBe(201)
    expect(second.json<{ id: string }>().id).not.toBe(first.id)
    const { rows } = await idempotentAnswerSweep(service.services).removeBatch()
    expect(rows).toBeGreaterThan(0)
    expect(await storedCount()).toBe(1)
  })
})
