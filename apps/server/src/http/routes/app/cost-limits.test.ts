import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createAutomation } from '../../../../testing/http/automation-requests.ts'
import { addBigquery } from '../../../../testing/http/bigquery-requests.ts'
import { referenceTile } from '../../../../testing/http/board-requests.ts'
import { expectRefusal } from '../../../../testing/http/requests.ts'
import { startScriptedBigquery } from '../../../../testing/servers/scripted-bigquery.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../../testing/test-service.ts'
import { type CostLimits, noCostLimits } from '../../../model/cost-limits.ts'

type Response = Awaited<ReturnType<TestPerson['page']>>

describe('cost limits', () => {
  let service: TestService
  let shop: TestOrganization
  let bank: TestOrganization
  let member: TestPerson
  let warehouse: Awaited<ReturnType<typeof startScriptedBigquery>>
  let databaseId: string

  beforeAll(async () => {
    warehouse = await startScriptedBigquery()
    service = await startTestService('postgres', { mail: { send: async () => {}, close: async () => {} } })
    shop = await service.addOrganization('shop')
    bank = await service.addOrganization('bank')
    member = await shop.addPerson('member', 'member@shop.test')
    databaseId = await addBigquery(shop, warehouse.port)
  })
  afterAll(async () => {
    await service.stop()
    await warehouse.stop()
  })
  beforeEach(async () => {
    await service.services.db.deleteFrom('cost_usage').execute()
    warehouse.estimates.length = 0
  })

  const limitTo = async (limits: Partial<CostLimits>) => {
    const saved = await shop.admin.page('PATCH', '/app/api/organization', { costLimits: { ...noCostLimits, ...limits } })
    expect(saved.statusCode, saved.body).toBe(200)
    return saved.json<{ costLimits: CostLimits }>().costLimits
  }
  const store = async (sql: string, by: TestPerson = member) =>
    (await by.page('POST', '/app/api/queries', { sql, analyticalDatabaseConfigId: databaseId })).json<{ id: string }>().id
  const run = async (sql: string, by: TestPerson = member) => by.page('POST', `/app/api/queries/${await store(sql, by)}/runs`, {})
  const expectExceeded = (answer: Response, { message = /./, ...figures }: { estimatedBytes: number; limitBytes: number; message?: RegExp }) => {
    expect(answer.statusCode, answer.body).toBe(422)
    const expected = { type: 'invalid_request', code: 'cost_limit_exceeded', message: expect.stringMatching(message) as string, ...figures }
    expect(answer.json()).toMatchObject(expected)
  }
  const estimate = async (body: object, by: TestPerson = member) => by.page('POST', `/app/api/databases/${databaseId}/estimate`, body)

  test('admins set them, members see them, and the audit log has the change', async () => {
    const limits = { perQueryBytes: 500, perPersonDailyBytes: null, perOrganizationDailyBytes: 2000 }
    expect(await limitTo(limits)).toEqual(limits)
    expect((await member.page('GET', '/app/api/organization')).json()).toMatchObject({ costLimits: limits })
    expect((await bank.admin.page('GET', '/app/api/organization')).json()).toMatchObject({ costLimits: noCostLimits })
    const { items } = (await shop.admin.page('GET', '/app/api/audit-log?action=organization.changed')).json<{ items: { details: object }[] }>()
    expect(items[0]!.details).toMatchObject({ changes: { costLimits: { before: noCostLimits, after: limits } } })
  })

  test.each([
    [{ perQueryBytes: -1 }, '/costLimits/perQueryBytes'],
    [{ perQueryBytes: 1.5 }, '/costLimits/perQueryBytes'],
    [{ perDayBytes: 1 }, '/costLimits/perDayBytes'],
  ])('rejects %j', async (change, path) => {
    const answer = await shop.admin.page('PATCH', '/app/api/organization', { costLimits: { ...noCostLimits, ...change } })
    expectRefusal(answer, 'invalid_request', { message: new RegExp(path), details: [{ path, message: expect.any(String) as string }] })
  })

  test('are for admins to change', async () => {
    expectRefusal(await member.page('PATCH', '/app/api/organization', { costLimits: noCostLimits }), 'forbidden')
  })

  test('reject a query that reads more than one may, with both figures, before it runs', async () => {
    await limitTo({ perQueryBytes: 500 })
    expectExceeded(await run('select 501'), { estimatedBytes: 501, limitBytes: 500 })
    expect(warehouse.estimates).toEqual(['select 501'])
    const allowed = await run('select 500')
    expect(allowed.statusCode, allowed.body).toBe(202)
    const ended = await service.ended(member.caller, allowed.json<{ id: string }>().id)
    expect(ended).toMatchObject({ status: 'completed', bytesRead: 500 })
  })

  test('apply to the published API', async () => {
    await limitTo({ perQueryBytes: 500 })
    const refused = await member.api('POST', `/api/queries/${await store('select 502')}/refresh`)
    expectExceeded(refused, { estimatedBytes: 502, limitBytes: 500 })
  })

  test('count each person’s and the organization’s day', async () => {
    await limitTo({ perPersonDailyBytes: 1000, perOrganizationDailyBytes: 1500 })
    expect((await run('select 600')).statusCode).toBe(202)
    expectExceeded(await run('select 601'), { estimatedBytes: 601, limitBytes: 1000, message: /600 bytes of the limit of 1 kB per person/ })
    expect((await run('select 800', shop.admin)).statusCode).toBe(202)
    const message = /1\.4 kB of the limit of 1\.5 kB of the organization/
    expectExceeded(await run('select 101', shop.admin), { estimatedBytes: 101, limitBytes: 1500, message })
    await limitTo({})
    expect((await run('select 9001')).statusCode).toBe(202)
  })

  test('hold for runs that start at the same time', async () => {
    await limitTo({ perOrganizationDailyBytes: 1000 })
    const answers = await Promise.all([301, 302, 303, 304, 305].map((bytes) => run(`select ${bytes}`)))
    expect(answers.map(({ statusCode }) => String(statusCode)).toSorted()).toEqual(['202', '202', '202', '422', '422'])
  })

  test('do not count a query that the database rejects', async () => {
    await limitTo({ perPersonDailyBytes: 1000 })
    const wrong = await run('select wrong from t700')
    expect(wrong.statusCode).toBe(202)
    expect(await service.ended(member.caller, wrong.json<{ id: string }>().id)).toMatchObject({ status: 'failed' })
    expect((await estimate({ sql: 'select 1000' })).json()).toEqual({ estimatedBytes: 1000, exceededLimit: null })
  })

  const reference = async (title: string, sql: string) => {
    const answer = await member.page('POST', '/app/api/references', { title, queryId: await store(sql) })
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json<{ shortId: string }>().shortId
  }
  const boardOf = async (...shortIds: string[]) => {
    const tiles = shortIds.map((shortId, number) => referenceTile(`t${number}`, shortId, number * 4))
    const board = await member.page('POST', '/app/api/boards', { title: 'Sales', tiles })
    expect(board.statusCode, board.body).toBe(201)
    return board.json<{ shortId: string }>().shortId
  }

  test('a board starts the tiles that may run, and rejects the others', async () => {
    await limitTo({ perQueryBytes: 500 })
    const shortId = await boardOf(await reference('Large', 'select 900'), await reference('Small', 'select 90'))
    expectExceeded(await member.page('POST', `/app/api/boards/${shortId}/refresh`, {}), { estimatedBytes: 900, limitBytes: 500 })
    const results = (await member.page('POST', `/app/api/boards/${shortId}/results`, {})).json<{ tiles: { status: string }[] }>()
    expect(results.tiles.map(({ status }) => status)).toEqual(['missing', expect.stringMatching(/running|ready/)])
  })

  test('an automation does not run a query beyond them, and says why', async () => {
    await limitTo({ perQueryBytes: 500 })
    const { id } = await createAutomation(shop, { references: [await reference('Large', 'select 911'), await reference('Small', 'select 91')] })
    const started = (await shop.admin.page('POST', `/app/api/automations/${id}/runs`, {})).json<{ id: string; chatShortId: string }>()
    const statusOf = async () => (await shop.admin.page('GET', `/app/api/automation-runs/${started.id}`)).json<{ status: string }>().status
    await expect.poll(statusOf).toMatch(/completed|failed/)
    const chat = await shop.admin.page('GET', `/app/api/chats/${started.chatShortId}`)
    expect(chat.body).toMatch(/reads 911 bytes, more than the limit of 500 bytes/)
    expect(warehouse.executed()).toContain('select 91')
    expect(warehouse.executed()).not.toContain('select 911')
  })

  test('a report shows why a tile was not run', async () => {
    await limitTo({ perQueryBytes: 500 })
    const boardShortId = await boardOf(await reference('Large', 'select 922'), await reference('Small', 'select 92'))
    const { id } = await createAutomation(shop, { references: [await reference('Tiny', 'select 2')] })
    const report = { content: { kind: 'board', boardShortId }, target: { kind: 'email', recipients: [{ kind: 'admins' }] } }
    const preview = await shop.admin.page('POST', `/app/api/automations/${id}/reports/preview`, report)
    expect(preview.statusCode, preview.body).toBe(200)
    const reason = expect.stringMatching(/reads 922 bytes, more than the limit of 500 bytes/) as string
    const sections = [{ kind: 'failure', title: 'Large', reason }, { kind: 'table', title: 'Small' }]
    expect(preview.json()).toMatchObject({ rendered: { document: { sections } } })
    expect(warehouse.executed()).not.toContain('select 922')
  })

  test('a viewer of a shared link cannot run a query beyond them', async () => {
    await limitTo({ perQueryBytes: 500 })
    const boardShortId = await boardOf(await reference('Large', 'select 933'))
    const shared = await member.page('POST', `/app/api/boards/${boardShortId}/public-links`, { allowsRefresh: true })
    expect(shared.statusCode, shared.body).toBe(201)
    const token = shared.json<{ url: string }>().url.split('/').at(-1)!
    const refresh = await service.app.inject({ method: 'POST', url: `/public/api/links/${token}/refresh`, payload: {} })
    expectExceeded(refresh, { estimatedBytes: 933, limitBytes: 500 })
    expect(warehouse.executed()).not.toContain('select 933')
  })

  test('count the preview of a table', async () => {
    await limitTo({ perQueryBytes: 50 })
    const preview = await member.page('GET', `/app/api/databases/${databaseId}/tables/shop/items/preview`)
    expectExceeded(preview, { estimatedBytes: 51, limitBytes: 50 })
  })

  test('an estimate shows what a query reads and whether it may run', async () => {
    await limitTo({ perQueryBytes: 500 })
    expect((await estimate({ sql: 'select 400' })).json()).toEqual({ estimatedBytes: 400, exceededLimit: null })
    const parameters = [{ name: 'n', type: 'number' }]
    const large = await estimate({ sql: 'select {{n}}', parameters, parameterValues: { n: 4000 } })
    expect(large.json()).toEqual({ estimatedBytes: 4000, exceededLimit: expect.stringMatching(/^This query reads 4 kB, more than the limit/) })
    expect((await estimate({ sql: 'select wrong' })).json()).toEqual({ estimatedBytes: null, exceededLimit: null })
    expectRefusal(await estimate({ sql: 'select {{n}}', parameters }), 'parameter_missing')
  })

  test('are fail-safe: without an estimate nothing runs', async () => {
    await limitTo({ perQueryBytes: 500 })
    await warehouse.stop()
    expectRefusal(await run('select 10'), 'database_unreachable')
    await limitTo({})
    expect((await run('select 11')).statusCode).toBe(202)
  })
})
