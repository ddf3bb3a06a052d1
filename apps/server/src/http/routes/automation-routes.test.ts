import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../testing/store/test-store.ts'
import { unknownAutomationId, createAutomation, storeReferenceTo } from '../../../testing/http/automation-requests.ts'
import { at, expectRefusal, isTimestamp } from '../../../testing/http/requests.ts'

describe.each(routeStoreKinds)('the automation routes on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let reference: string
  beforeAll(async () => {
    service = await startTestService(kind, { worker: false, queryApi: { state: 'retired', sunset: null } })
    shop = await service.addOrganization('shop')
    reference = await storeReferenceTo(shop, 'select n from numbers')
  })
  afterAll(() => service.stop())

  const start = (id: string, body?: object) => shop.admin.api('POST', `/api/automations/${id}/runs`, body)

  test('start an automation and get its run, even when the query routes are retired', async () => {
    const { id } = await createAutomation(shop, { references: [reference], enabled: false })
    const answer = await start(id)
    expect(answer.statusCode, answer.body).toBe(202)
    const run = answer.json()
    expect(run).toEqual({
      id: expect.stringMatching(/^arun_\w{22}$/),
      automationId: id,
      automationName: 'Every morning',
      agent: 'digest',
      status: 'pending',
      trigger: 'api',
      triggerId: expect.stringMatching(/^key_/),
      requestedAt: isTimestamp,
      dueAt: null,
      missedCount: 0,
      isLate: false,
      startedAt: null,
      endedAt: null,
      summary: null,
      reason: null,
      isStopped: false,
      chatUrl: `https://querypost.test/chats/${run.chatShortId}`,
      chatShortId: expect.stringMatching(/^\w{10}$/),
      usage: null,
      event: null,
    })
    const seen = await shop.admin.api('GET', `/api/automation-runs/${run.id}`)
    expect([seen.statusCode, seen.json()]).toEqual([200, run])
  })

  test('accept no body or an empty object only', async () => {
    const { id } = await createAutomation(shop, { references: [reference] })
    expectRefusal(await start(id, { automationId: id }), 'invalid_request', at('/automationId'))
    expectRefusal(await start(id, []), 'invalid_request', at('/'))
    expect((await start(id, {})).statusCode).toBe(202)
  })

  test('allow one run at a time', async () => {
    const { id } = await createAutomation(shop, { references: [reference] })
    expect((await start(id)).statusCode).toBe(202)
    expectRefusal(await start(id), 'automation_already_running', { message: /already has a pending or running run.*Wait/ })
  })

  test('return 404 for unknown automations and runs', async () => {
    const { id } = await createAutomation(shop, { references: [reference] })
    await shop.admin.page('DELETE', `/app/api/automations/${id}`)
    for (const missing of [id, unknownAutomationId, 'odd', 'x'.repeat(200)]) {
      expectRefusal(await start(missing), 'automation_not_found')
      expectRefusal(await shop.admin.api('GET', `/api/automation-runs/${missing}`), 'automation_run_not_found')
    }
  })

  test('require an API key', async () => {
    const { id } = await createAutomation(shop, { references: [reference] })
    expectRefusal(await service.app.inject({ method: 'POST', url: `/api/automations/${id}/runs` }), 'unauthenticated')
    expectRefusal(await service.app.inject({ url: '/api/automation-runs/arun_1' }), 'unauthenticated')
  })
})
