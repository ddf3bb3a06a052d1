import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import {
  unknownAutomationId,
  automationsUrl,
  createAutomation,
  getAutomation,
  runsOf,
  type ShownAutomation,
  storeReferenceTo,
} from '../../../../testing/http/automation-requests.ts'
import { at, expectRefusal, isTimestamp, unknownShortId } from '../../../../testing/http/requests.ts'

describe.each(routeStoreKinds)('automations on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let stock: string
  let sales: string
  const daily = { cron: '0 9 * * *', timeZone: 'Europe/Berlin' }

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    stock = await storeReferenceTo(shop, 'select n from numbers', 'Stock')
    sales = await storeReferenceTo(shop, 'select n + 1 as n from numbers', 'Sales')
  })
  afterAll(() => service.stop())

  const create = (content: Record<string, unknown>) =>
    shop.admin.page('POST', automationsUrl, { name: 'Morning', instructions: 'Look.', references: [stock], ...content })
  const edit = (id: string, content: Record<string, unknown>) => shop.admin.page('PATCH', `${automationsUrl}/${id}`, content)
  async function edited(id: string, content: Record<string, unknown>): Promise<ShownAutomation> {
    const answer = await edit(id, content)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json()
  }

  describe('creating', () => {
    test('requires only a name, instructions and references', async () => {
      const answer = await create({ name: '  Morning ', instructions: ' Look.\nThen tell. ', references: [sales, stock] })
      expect(answer.statusCode, answer.body).toBe(201)
      expect(answer.json()).toEqual({
        id: expect.stringMatching(/^automation_\w{22}$/),
        name: 'Morning',
        instructions: 'Look.\nThen tell.',
        agent: 'digest',
        references: [sales, stock],
        schedule: null,
        condition: null,
        conditionState: null,
        alertState: null,
        snoozedUntil: null,
        enabled: true,
        strict: false,
        nextDueAt: null,
        createdBy: shop.admin.caller.userId,
        createdAt: isTimestamp,
        updatedAt: isTimestamp,
        latestRun: null,
      })
      expect(await getAutomation(shop.admin, answer.json().id)).toEqual(answer.json())
    })

    test('with a schedule computes the next due time', async () => {
      const automation = await createAutomation(shop, { references: [stock], schedule: { cron: ' 0  9 * * * ', timeZone: 'Europe/Berlin' } })
      expect(automation).toMatchObject({ schedule: daily, nextDueAt: '2026-01-06T08:00:00.000Z' })
    })

    test('paused has no due time', async () => {
      const automation = await createAutomation(shop, { references: [stock], schedule: daily, enabled: false })
      expect(automation).toMatchObject({ schedule: daily, enabled: false, nextDueAt: null })
    })

    test.each([
      { kind: 'row_count', comparison: '>', number: 0 },
      { kind: 'value', column: 'n', comparison: '!=', number: -0.5, everyTime: true },
      { kind: 'changed' },
    ])('with a condition: %j', async (condition) => {
      const automation = await createAutomation(shop, { references: [stock], condition: { reference: sales, ...condition } })
      expect(automation.condition).toEqual({ reference: sales, ...condition })
    })

    test('drops fields that do not belong to the condition', async () => {
      const condition = { reference: sales, kind: 'changed', everyTime: true }
      expect((await createAutomation(shop, { references: [stock], condition })).condition).toEqual({ reference: sales, kind: 'changed' })
    })

    test('is allowed for every member', async () => {
      const member = await shop.addPerson('member', `member-${kind}@shop.test`)
      const answer = await member.page('POST', automationsUrl, { name: 'Mine', instructions: 'Look.', references: [stock] })
      expect(answer.json()).toMatchObject({ createdBy: member.caller.userId })
    })

    test.each<[string, Record<string, unknown>, string, RegExp]>([
      ['no name', { name: undefined }, '/name', /is required/],
      ['an empty name', { name: '  ' }, '/name', /1 to 200 characters; it has 0/],
      ['a long name', { name: 'x'.repeat(201) }, '/name', /1 to 200 characters; it has 201/],
      ['a name of two lines', { name: 'a\nb' }, '/name', /one line/],
      ['no instructions', { instructions: undefined }, '/instructions', /is required/],
      ['empty instructions', { instructions: ' \n' }, '/instructions', /1 to 20000/],
      ['long instructions', { instructions: 'x'.repeat(20_001) }, '/instructions', /it has 20001/],
      ['no references', { references: undefined }, '/references', /is required/],
      ['an empty list of references', { references: [] }, '/references', /at least one/],
      ['too many references', { references: Array.from({ length: 21 }, () => unknownShortId) }, '/references', /at most 20/],
      ['an unknown agent', { agent: 'robot' }, '/agent', /digest, model/],
      ['an unknown field', { cron: '* * * * *' }, '/cron', /not a known field/],
      ['a switch that is not a boolean', { enabled: 'yes' }, '/enabled', /must be boolean/],
      ['strictness that is not a boolean', { strict: 1 }, '/strict', /must be boolean/],
      ['a schedule without a zone', { schedule: { cron: '0 9 * * *' } }, '/schedule/timeZone', /is required/],
      ['a schedule that is a string', { schedule: '0 9 * * *' }, '/schedule', /object,null/],
      ['an unknown zone', { schedule: { ...daily, timeZone: 'Europe/Nowhere' } }, '/schedule/timeZone', /such as Europe\/Berlin/],
      ['an offset for a zone', { schedule: { ...daily, timeZone: '+02:00' } }, '/schedule/timeZone', /such as Europe\/Berlin/],
      ['no cron', { schedule: { ...daily, cron: ' ' } }, '/schedule/cron', /five fields.*it has 0/],
      ['a word for a cron', { schedule: { ...daily, cron: '@daily' } }, '/schedule/cron', /five fields.*it has 1/],
      ['seconds', { schedule: { ...daily, cron: '0 0 9 * * *' } }, '/schedule/cron', /five fields.*it has 6/],
      ['an invalid hour', { schedule: { ...daily, cron: '0 25 * * *' } }, '/schedule/cron', /not a cron expression/],
      ['a step of zero', { schedule: { ...daily, cron: '*/0 * * * *' } }, '/schedule/cron', /not a cron expression/],
      ['a word for an hour', { schedule: { ...daily, cron: '0 noon * * *' } }, '/schedule/cron', /not a cron expression/],
      ['a date for a cron', { schedule: { ...daily, cron: '2026-01-06T09:00:00Z x x x x' } }, '/schedule/cron', /characters/],
      ['a day that never comes', { schedule: { ...daily, cron: '0 0 31 2 *' } }, '/schedule/cron', /never comes due/],
      ['a condition of no kind', { condition: { reference: 'x' } }, '/condition/kind', /is required/],
      ['a condition of an odd kind', { condition: { reference: 'x', kind: 'odd' } }, '/condition/kind', /row_count, value, changed/],
      ['an odd comparison', { condition: { kind: 'row_count', comparison: '=>', number: 1 } }, '/condition/comparison', /must be one of/],
      ['a text number', { condition: { kind: 'row_count', comparison: '>', number: '1' } }, '/condition/number', /must be number/],
      ['no number', { condition: { kind: 'row_count', comparison: '>' } }, '/condition/number', /is required for .* row_count/],
      ['no comparison', { condition: { kind: 'value', column: 'n', number: 1 } }, '/condition/comparison', /is required for .* value/],
      ['no column', { condition: { kind: 'value', comparison: '>', number: 1 } }, '/condition/column', /is required for .* value/],
      ['an empty column', { condition: { kind: 'value', column: '', comparison: '>', number: 1 } }, '/condition/column', /1 to 200/],
      ['a needless column', { condition: { kind: 'row_count', column: 'n', comparison: '>', number: 1 } }, '/condition/column', /remove it/],
      ['a number for a change', { condition: { kind: 'changed', number: 1 } }, '/condition/number', /remove it/],
    ])('rejects %s', async (_, content, path, message) => {
      const { condition } = content as { condition?: object }
      const answer = await create({ ...content, ...(condition && { condition: { reference: stock, ...condition } }) })
      expectRefusal(answer, 'invalid_request', at(path, expect.stringMatching(message)))
    })

    test.each<[string, Record<string, unknown>, string]>([
      ['an unknown reference', { references: [unknownShortId] }, '/references/0'],
      ['an invalid shortId', { references: ['x'] }, '/references/0'],
      ['a condition on an unknown reference', { condition: { kind: 'changed', reference: unknownShortId } }, '/condition/reference'],
    ])('rejects %s', async (_, content, path) => {
      expectRefusal(await create(content), 'reference_not_found', at(path, expect.stringMatching(/names no query reference/)))
    })

    test('rejects a repeated reference', async () => {
      expectRefusal(await create({ references: [stock, sales, stock] }), 'invalid_request', at('/references/2', expect.stringMatching(/name each reference once/)))
    })

    test('rejects a number that is not finite', async () => {
      const { app } = service
      const body = `{"name":"x","instructions":"x","references":["${stock}"],"condition":{"reference":"${stock}","kind":"row_count","comparison":">","number":1e999}}`
      const session = await app.inject({
        method: 'POST',
        url: '/app/api/session',
        payload: { email: shop.admin.email, password: 'correct horse battery' },
      })
      const cookies = Object.fromEntries(session.cookies.map(({ name, value }) => [name, value]))
      const answer = await app.inject({ method: 'POST', url: automationsUrl, cookies, payload: body, headers: { 'content-type': 'application/json' } })
      expectRefusal(answer, 'invalid_request', at('/condition/number'))
    })

    test('rejects a deleted reference', async () => {
      const gone = await storeReferenceTo(shop, 'select 1')
      await shop.admin.page('DELETE', `/app/api/references/${gone}`)
      expectRefusal(await create({ references: [stock, gone] }), 'reference_not_found', at('/references/1', expect.stringContaining(gone)))
    })

    test('with the model agent requires a configured model', async () => {
      expectRefusal(await create({ agent: 'model', references: [] }), 'model_not_configured', { message: /No model is set up/ })
      const bank = await service.addOrganization('bank')
      const { organizationId, userId } = bank.admin.caller
      await service.services.db
        .insertInto('model_settings')
        .values({
          organization_id: organizationId,
          provider: 'openai_compatible',
          base_url: 'http://127.0.0.1:1/v1',
          model: 'small',
          api_key: null,
          updated_by: userId,
          updated_at: service.clock.now(),
        })
        .execute()
      expect(await createAutomation(bank, { agent: 'model', references: [] })).toMatchObject({ agent: 'model', references: [] })
    })
  })

  describe('editing', () => {
    test('changes only the given fields', async () => {
      const before = await createAutomation(shop, { references: [stock], schedule: daily })
      const after = await edited(before.id, { name: 'Evening', references: [sales, stock] })
      expect(after).toEqual({ ...before, name: 'Evening', references: [sales, stock] })
      expect(await edited(before.id, {})).toEqual(after)
      expect(await edited(before.id, { instructions: 'Other.', agent: 'digest' })).toEqual({ ...after, instructions: 'Other.' })
    })

    test('a new schedule sets a new due time; removing it clears the due time', async () => {
      const { id } = await createAutomation(shop, { references: [stock], schedule: daily })
      const schedule = { cron: '30 9 * * *', timeZone: 'UTC' }
      expect(await edited(id, { schedule })).toMatchObject({ schedule, nextDueAt: '2026-01-05T09:30:00.000Z' })
      expect(await edited(id, { schedule: null })).toMatchObject({ schedule: null, nextDueAt: null })
    })

    test('the same schedule keeps a pending due time', async () => {
      const { id } = await createAutomation(shop, { references: [stock], schedule: daily })
      const waiting = new Date('2026-01-05T08:00:00Z')
      await service.services.db.updateTable('automations').set({ next_due_at: waiting }).where('id', '=', id).execute()
      expect(await edited(id, { schedule: daily, enabled: true })).toMatchObject({ nextDueAt: waiting.toISOString() })
    })

    test('pausing clears the due time, and resuming computes it from now', async () => {
      const { id } = await createAutomation(shop, { references: [stock], schedule: { cron: '* * * * *', timeZone: 'UTC' } })
      expect(await edited(id, { enabled: false })).toMatchObject({ enabled: false, nextDueAt: null })
      service.clock.leap(10 * 60_000)
      expect(await edited(id, { name: 'Still paused' })).toMatchObject({ enabled: false, nextDueAt: null })
      const next = new Date(service.clock.now().getTime() + 60_000).toISOString()
      expect(await edited(id, { enabled: true })).toMatchObject({ enabled: true, nextDueAt: next })
    })

    test('a changed condition resets its state; the same one keeps it', async () => {
      const condition = { kind: 'row_count', comparison: '>', number: 1, reference: stock } as const
      const { id } = await createAutomation(shop, { references: [stock], condition })
      const found = { runId: 'run_1', resultHash: 'x', isMet: true, judgedAt: '2026-01-05T09:00:00.000Z', finding: 'Found.' }
      await service.services.db
        .updateTable('automations')
        .set({ condition_state: JSON.stringify(found), unjudged_run_id: 'run_2' })
        .where('id', '=', id)
        .execute()
      expect(await edited(id, { condition })).toMatchObject({ conditionState: found })
      expect(await edited(id, { condition: { ...condition, number: 2 } })).toMatchObject({ conditionState: null })
      const row = await service.services.db.selectFrom('automations').select('unjudged_run_id').where('id', '=', id).executeTakeFirst()
      expect(row).toEqual({ unjudged_run_id: null })
      expect(await edited(id, { condition: null })).toMatchObject({ condition: null, conditionState: null })
    })

    test('a deleted reference disappears from it and does not prevent other edits', async () => {
      const gone = await storeReferenceTo(shop, 'select 1')
      const { id } = await createAutomation(shop, { references: [gone] })
      await shop.admin.page('DELETE', `/app/api/references/${gone}?evenIfUsed=true`)
      expect(await edited(id, { name: 'Renamed' })).toMatchObject({ name: 'Renamed', references: [] })
      expectRefusal(await edit(id, { agent: 'digest' }), 'invalid_request', at('/references'))
    })

    test('validates like creating', async () => {
      const { id } = await createAutomation(shop, { references: [stock], schedule: daily })
      expectRefusal(await edit(id, { name: '' }), 'invalid_request', at('/name'))
      expectRefusal(await edit(id, { references: [] }), 'invalid_request', at('/references'))
      expectRefusal(await edit(id, { references: [sales, unknownShortId] }), 'reference_not_found', at('/references/1'))
      expectRefusal(await edit(id, { schedule: { ...daily, cron: '* * * *' } }), 'invalid_request', at('/schedule/cron'))
      expectRefusal(await edit(id, { condition: { reference: unknownShortId, kind: 'changed' } }), 'reference_not_found', at('/condition/reference'))
      expectRefusal(await edit(id, { name: null }), 'invalid_request', at('/name'))
      expectRefusal(await edit(id, { agent: 'model' }), 'model_not_configured')
      expectRefusal(await edit(id, { createdBy: 'user_x' }), 'invalid_request', at('/createdBy'))
      expect(await getAutomation(shop.admin, id)).toMatchObject({ name: 'Every morning', references: [stock], schedule: daily })
    })

    test.each([unknownAutomationId, 'odd', 'automation_%27'])('returns 404 for an unknown automation (%s)', async (id) => {
      for (const method of ['GET', 'DELETE'] as const) {
        expectRefusal(await shop.admin.page(method, `${automationsUrl}/${id}`), 'automation_not_found')
      }
      expectRefusal(await edit(id, { name: 'x' }), 'automation_not_found')
      expectRefusal(await shop.admin.page('GET', `${automationsUrl}/${id}/runs`), 'automation_not_found')
      expectRefusal(await shop.admin.page('POST', `${automationsUrl}/${id}/runs`), 'automation_not_found')
    })
  })

  describe('deleting', () => {
    test('keeps its history and its current run', async () => {
      const { id } = await createAutomation(shop, { references: [stock], schedule: daily })
      const run = (await shop.admin.page('POST', `${automationsUrl}/${id}/runs`)).json()
      const answer = await shop.admin.page('DELETE', `${automationsUrl}/${id}`)
      expect([answer.statusCode, answer.body]).toEqual([204, ''])
      expectRefusal(await shop.admin.page('GET', `${automationsUrl}/${id}`), 'automation_not_found')
      expectRefusal(await shop.admin.page('DELETE', `${automationsUrl}/${id}`), 'automation_not_found')
      expectRefusal(await shop.admin.page('POST', `${automationsUrl}/${id}/runs`), 'automation_not_found')
      expectRefusal(await edit(id, { name: 'x' }), 'automation_not_found')
      expect(await runsOf(shop.admin, id)).toMatchObject([{ id: run.id, status: 'pending' }])
      expect((await shop.admin.api('GET', `/api/automation-runs/${run.id}`)).json()).toMatchObject({ status: 'pending', automationId: id })
    })
  })
})
