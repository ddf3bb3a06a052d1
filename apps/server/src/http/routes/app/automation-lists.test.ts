import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { storeKinds } from '../../../../testing/store/test-store.ts'
import { automationsUrl, createAutomation, getAutomation, runsOf, storeReferenceTo } from '../../../../testing/http/automation-requests.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'

describe.each(storeKinds)('runs and lists of automations on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let stock: string
  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    stock = await storeReferenceTo(shop, 'select n from numbers', 'Stock')
  })
  afterAll(() => service.stop())

  describe('a manual run', () => {
    test('returns the new run and becomes the latest run', async () => {
      const { id } = await createAutomation(shop, { references: [stock], enabled: false })
      const answer = await shop.admin.page('POST', `${automationsUrl}/${id}/runs`)
      expect(answer.statusCode, answer.body).toBe(202)
      const run = answer.json()
      expect(run).toMatchObject({
        id: expect.stringMatching(/^arun_/),
        automationId: id,
        automationName: 'Every morning',
        status: 'pending',
        trigger: 'person',
        triggerId: shop.admin.caller.userId,
        isLate: false,
        event: null,
      })
      const { chatUrl, requestedAt } = run
      expect(chatUrl).toBe(`https://querypost.test/chats/${run.chatShortId}`)
      expect(await getAutomation(shop.admin, id)).toMatchObject({
        latestRun: { id: run.id, status: 'pending', isStopped: false, requestedAt, endedAt: null, chatUrl },
      })
      await shop.admin.page('POST', `/app/api/automation-runs/${run.id}/stop`)
      expect(await getAutomation(shop.admin, id)).toMatchObject({ latestRun: { id: run.id, status: 'failed', isStopped: true } })
    })

    test('is rejected while a run is pending or running; two concurrent requests give one run', async () => {
      const { id } = await createAutomation(shop, { references: [stock] })
      const answers = await Promise.all([1, 2, 3].map(() => shop.admin.page('POST', `${automationsUrl}/${id}/runs`, {})))
      expect(answers.map((answer) => String(answer.statusCode)).toSorted()).toEqual(['202', '409', '409'])
      expectRefusal(answers.find((answer) => answer.statusCode === 409)!, 'automation_already_running', { message: /already has a/ })
      expect(await runsOf(shop.admin, id)).toHaveLength(1)
      const { count } = await service.services.db
        .selectFrom('chats')
        .innerJoin('agent_runs', 'agent_runs.chat_id', 'chats.id')
        .where('automation_id', '=', id)
        .select((expression) => expression.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      expect(count).toBe(1)
    })

    test('accepts no body fields', async () => {
      const { id } = await createAutomation(shop, { references: [stock] })
      expectRefusal(await shop.admin.page('POST', `${automationsUrl}/${id}/runs`, { now: true }), 'invalid_request', at('/now'))
    })
  })

  describe('lists', () => {
    let bank: TestOrganization
    const ids: string[] = []
    beforeAll(async () => {
      bank = await service.addOrganization('lists')
      const reference = await storeReferenceTo(bank, 'select 1')
      for (let number = 1; number <= 5; number++) {
        // Two of them have the same millisecond.
        if (number !== 3) service.clock.leap(1)
        ids.unshift((await createAutomation(bank, { name: `A ${number}`, references: [reference] })).id)
      }
    })
    type Page = { items: { id: string }[]; nextCursor?: string }
    const list = async (query: string) => (await bank.admin.page('GET', `${automationsUrl}${query}`)).json<Page>()

    test('are paginated, newest first', async () => {
      const seen: string[] = []
      let page = await list('?limit=2')
      for (;;) {
        expect(page.items.length).toBeLessThanOrEqual(2)
        seen.push(...page.items.map(({ id }) => id))
        if (!page.nextCursor) break
        page = await list(`?limit=2&cursor=${page.nextCursor}`)
      }
      expect(seen.toSorted()).toEqual(ids.toSorted())
      const [fifth, fourth, , , first] = ids
      expect([seen[0], seen[1], seen[4]]).toEqual([fifth, fourth, first])
      const whole = await list('')
      expect(whole.items.map(({ id }) => id)).toEqual(seen)
      expect(whole).not.toHaveProperty('nextCursor')
    })

    test('reject invalid limits and cursors', async () => {
      for (const limit of ['0', '101', 'x', '1.5']) {
        expectRefusal(await bank.admin.page('GET', `${automationsUrl}?limit=${limit}`), 'invalid_request', at('limit'))
      }
      const { nextCursor } = await list('?limit=1')
      expectRefusal(await bank.admin.page('GET', `${automationsUrl}?cursor=${nextCursor}x`), 'cursor_invalid', at('cursor'))
      expectRefusal(await shop.admin.page('GET', `${automationsUrl}?cursor=${nextCursor}`), 'cursor_invalid', at('cursor'))
      const ofRuns = await bank.admin.page('GET', `${automationsUrl}/${ids[0]}/runs?cursor=${nextCursor}`)
      expectRefusal(ofRuns, 'cursor_invalid', at('cursor', 'it belongs to another list'))
      service.clock.leap(24 * 3600_000)
      expectRefusal(await bank.admin.page('GET', `${automationsUrl}?cursor=${nextCursor}`), 'cursor_expired')
    })

    test('of runs are paginated, newest first', async () => {
      const automationId = ids[0]!
      const runIds: string[] = []
      for (let number = 1; number <= 3; number++) {
        service.clock.leap(1)
        runIds.unshift((await bank.admin.page('POST', `${automationsUrl}/${automationId}/runs`)).json().id)
        await service.services.db
          .updateTable('agent_runs')
          .set({ status: 'completed', ended_at: service.clock.now(), summary: `Run ${number}.` })
          .where('id', '=', runIds[0]!)
          .execute()
      }
      const url = `${automationsUrl}/${automationId}/runs`
      const first = (await bank.admin.page('GET', `${url}?limit=2`)).json()
      const second = (await bank.admin.page('GET', `${url}?limit=2&cursor=${first.nextCursor}`)).json()
      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(runIds)
      expect(second).not.toHaveProperty('nextCursor')
      expect(first.items[0]).toMatchObject({ status: 'completed', summary: 'Run 3.', trigger: 'person' })
      const other = `${automationsUrl}/${ids[1]}/runs?cursor=${first.nextCursor}`
      expectRefusal(await bank.admin.page('GET', other), 'cursor_invalid', at('cursor', 'it belongs to another list'))
    })
  })

  describe('a schedule preview', () => {
    const preview = (body: object) => shop.admin.page('POST', '/app/api/schedules/preview', body)

    test('has the next five times', async () => {
      const now = service.clock.now().getTime()
      const hourMs = 3600_000
      const answer = await preview({ cron: '0 * * * *', timeZone: 'UTC' })
      expect(answer.statusCode, answer.body).toBe(200)
      const first = Math.floor(now / hourMs + 1) * hourMs
      expect(answer.json()).toEqual({ times: [0, 1, 2, 3, 4].map((hours) => new Date(first + hours * hourMs).toISOString()) })
    })

    test('validates like the schedule itself', async () => {
      expectRefusal(await preview({ cron: '0 9 * *', timeZone: 'UTC' }), 'invalid_request', at('/cron'))
      expectRefusal(await preview({ cron: '0 9 31 2 *', timeZone: 'UTC' }), 'invalid_request', at('/cron'))
      expectRefusal(await preview({ cron: '0 9 * * *', timeZone: 'Mars' }), 'invalid_request', at('/timeZone'))
      expectRefusal(await preview({ cron: '0 9 * * *' }), 'invalid_request', at('/timeZone'))
    })
  })
})
