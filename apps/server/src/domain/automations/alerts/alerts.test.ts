import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { automationsUrl, createAutomation, getAutomation, runsOf, storeReferenceTo } from '../../../../testing/http/automation-requests.ts'
import { expectRefusal } from '../../../../testing/http/requests.ts'
import { ruleKindsOf, storeKinds } from '../../../../testing/store/test-store.ts'
import { createEndpoint } from '../../../../testing/http/webhook-requests.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { neverStops } from '../../../../testing/work/automation-runs.ts'
import { makePublishRunEnd } from '../../runs/publish-run-end.ts'
import { makeSqlRunStore } from '../../../store/runs/run-store.ts'
import type { Worker } from '../../../work/worker.ts'
import { makeRunWorker } from '../../../workers/run-worker.ts'
import { runReference } from '../../runs/start-run.ts'
import type { Db } from '../../../store/db.ts'
import { judgeConditions } from '../conditions/judge-conditions.ts'
import { requestResults } from '../conditions/request-results.ts'
import type { AlertTestInput } from './check-alert.ts'

const hourMs = 3600_000

/** A database that fails at its nth statement, as if the process died there. */
function failingAt(db: Db, statement: number): Db {
  let count = 0
  return db.withPlugin({
    transformQuery({ node }) {
      if (++count === statement) throw new Error('The process died.')
      return node
    },
    transformResult: async ({ result }) => result,
  })
}

describe.each(storeKinds)('alerts on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let runs: Worker
  let reported: string

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    await createEndpoint(shop, { eventTypes: ['automation.alert.fired', 'automation.alert.resolved'] })
    reported = await storeReferenceTo(shop, 'select 1')
    runs = makeRunWorker({ ...service.services, runs: makeSqlRunStore({ ...service.services, publishRunEnd: makePublishRunEnd(service.services) }), limits: { maxRows: 1000, maxMb: 10 }, runTimeoutSeconds: 60 })
    runs.start()
  })
  afterAll(async () => {
    await runs.stop({ graceMs: 0 })
    await service.stop()
  })

  /** Several at once, as by several workers. */
  const judge = () => Promise.all([judgeConditions(service.services, neverStops), judgeConditions(service.services, neverStops)])
  const watch = async (reference: string, tests: AlertTestInput[], more: object = {}) =>
    (await createAutomation(shop, { references: [reported], condition: { reference, kind: 'alert', tests, ...more } })).id

  /** Changes the SQL, if given, and evaluates a new result. */
  async function nextResult(shortId: string, sql?: string): Promise<void> {
    if (sql !== undefined) await shop.admin.page('PATCH', `/app/api/references/${shortId}`, { sql })
    // An idle engine process ends after a minute.
    service.clock.leap(1000)
    const run = await runReference(service.services, shop.admin.caller, { shortId })
    await service.ended(shop.admin.caller, run.id)
    await judge()
  }
  const changesOf = async (id: string) =>
    (await shop.admin.page('GET', `${automationsUrl}/${id}/alert-changes`)).json<{ items: { status: string; finding: string; announcedAt: string | null }[] }>().items
  const messagesOf = (id: string) =>
    service.services.db.selectFrom('alert_messages').selectAll().where('automation_id', '=', id).orderBy('number').execute()
  const eventsOf = async (id: string) => {
    const rows = await service.services.db.selectFrom('webhook_events').select(['type', 'body']).where('type', 'in', ['automation.alert.fired', 'automation.alert.resolved']).orderBy('id').execute()
    return rows.filter(({ body }) => body.includes(id)).map(({ type, body }) => ({ type, data: JSON.parse(body).data }))
  }
  const stateOf = async (id: string) => (await getAutomation(shop.admin, id)) as unknown as { alertState: { status: string } | null; snoozedUntil: string | null }
  const tooMany: AlertTestInput = { kind: 'threshold', comparison: '>', number: 2 }

  test('announces each change once, as an event and in its history', async () => {
    const stock = await storeReferenceTo(shop, 'select n from numbers where n < 2', 'Stock')
    const id = await watch(stock, [tooMany])
    expect((await stateOf(id)).alertState).toBeNull()
    await nextResult(stock)
    expect(await changesOf(id)).toEqual([])
    await nextResult(stock, 'select n from numbers where n < 5')
    await nextResult(stock)
    await nextResult(stock, 'select n from numbers where n < 1')
    expect((await changesOf(id)).map(({ status, announcedAt }) => [status, announcedAt !== null])).toEqual([
      ['resolved', true],
      ['firing', true],
    ])
    expect((await messagesOf(id)).map((message) => message.kind)).toEqual(['fired', 'resolved'])
    const events = await eventsOf(id)
    expect(events.map(({ type }) => type)).toEqual(['automation.alert.fired', 'automation.alert.resolved'])
    expect(events[0]!.data).toEqual({
      automationId: id,
      automationName: 'Every morning',
      automationUrl: expect.stringContaining(`/automations/${id}`),
      severity: 'warning',
      finding: 'The number of rows is 5, which is > 2.',
      referenceShortId: stock,
      queryRunId: expect.stringMatching(/^run_/),
      newRowCount: 0,
      newRows: [],
    })
    expect((await runsOf(shop.admin, id)).map(({ trigger }) => trigger)).toEqual(['condition'])
    const notices = await service.services.db.selectFrom('notifications').select(['kind', 'message', 'email_state']).where('link', '=', `/automations/${id}`).execute()
    expect(notices).toEqual([{ kind: 'alert_fired', message: 'Every morning: The number of rows is 5, which is > 2.', email_state: null }])
  })

  test('a result that cannot be requested is a failure', async () => {
    const stock = await storeReferenceTo(shop, 'select {{n}}', 'Stock')
    const schedule = { cron: '* * * * *', timeZone: 'UTC' }
    const condition = { reference: stock, kind: 'alert', tests: [tooMany] }
    await shop.admin.page('PATCH', `/app/api/references/${stock}`, {
      parameters: [{ name: 'n', displayName: 'n', type: 'number', defaultValue: '', description: '' }],
    })
    const { id } = await createAutomation(shop, { references: [reported], condition, schedule })
    service.clock.leap(2 * 60_000)
    await requestResults(service.services, neverStops)
    expect((await stateOf(id)).alertState).toMatchObject({ status: 'failing', finding: expect.stringContaining('Could not request a new result.') })
    expect((await messagesOf(id)).map((message) => message.kind)).toEqual(['failing'])
    await shop.admin.page('PATCH', `${automationsUrl}/${id}`, { enabled: false })
  })

  test('finds new rows by key, and keeps them with the change', async () => {
    const orders = await storeReferenceTo(shop, 'select n as id from numbers where n < 2', 'Orders')
    const id = await watch(orders, [{ kind: 'new_rows', keyColumns: ['id'] }])
    await nextResult(orders)
    await nextResult(orders, 'select n as id from numbers where n < 4')
    const changes = await service.services.db.selectFrom('alert_changes').select('rows').where('automation_id', '=', id).execute()
    expect(changes.map(({ rows }) => rows)).toMatchObject([{ count: 2, rows: [[2], [3]] }])
    expect((await eventsOf(id)).map(({ data }) => [data.newRowCount, data.newRows])).toEqual([[2, [{ id: 2 }, { id: 3 }]]])
  })

  test('a snooze delays the message until it ends, even without a new result', async () => {
    const stock = await storeReferenceTo(shop, 'select n from numbers where n < 2', 'Stock')
    const id = await watch(stock, [tooMany])
    const until = new Date(service.clock.now().getTime() + 5 * hourMs).toISOString()
    const snoozed = await shop.admin.page('POST', `${automationsUrl}/${id}/snooze`, { until })
    expect(snoozed.json()).toMatchObject({ snoozedUntil: until })
    await nextResult(stock, 'select n from numbers where n < 5')
    await judge()
    expect((await changesOf(id)).map(({ status, announcedAt }) => [status, announcedAt])).toEqual([['firing', null]])
    service.clock.leap(5 * hourMs)
    await judge()
    await judge()
    expect((await messagesOf(id)).map((message) => message.kind)).toEqual(['fired'])
  })

  test('sends its messages to the reports of its severity', async () => {
    const stock = await storeReferenceTo(shop, 'select n from numbers where n < 2', 'Stock')
    const id = await watch(stock, [tooMany])
    const { db } = service.services
    for (const [reportId, minimum] of [['rep_all', null], ['rep_critical', 'critical'], ['rep_info', 'info']] as const) {
      await db
        .insertInto('reports')
        .values({
          id: `${reportId}_${id}`,
          organization_id: shop.admin.caller.organizationId,
          automation_id: id,
          content: JSON.stringify({ kind: 'summary' }),
          target: JSON.stringify({ kind: 'email', recipients: [{ kind: 'admins' }] }),
          channel_id: null,
          sent_when: 'alert',
          minimum_severity: minimum,
          recipient_values: null,
          attachments: '[]',
          is_enabled: true,
          created_by: shop.admin.caller.userId,
          created_at: service.clock.now(),
          updated_at: service.clock.now(),
        })
        .execute()
    }
    await nextResult(stock, 'select n from numbers where n < 5')
    const jobs = await db.selectFrom('report_jobs').select(['report_id', 'alert_number']).where('report_id', 'like', `%${id}`).orderBy('report_id').execute()
    expect(jobs).toEqual([
      { report_id: `rep_all_${id}`, alert_number: 1 },
      { report_id: `rep_info_${id}`, alert_number: 1 },
    ])
  })

  describe.each(ruleKindsOf(kind))('rules on %s', () => {
    test('a query that fails is a state, and recovers', async () => {
      const stock = await storeReferenceTo(shop, 'select 1 as n', 'Stock')
      const id = await watch(stock, [tooMany])
      await nextResult(stock, 'select missing from numbers')
      expect((await stateOf(id)).alertState).toMatchObject({ status: 'failing', finding: expect.stringContaining('The query "Stock" failed') })
      await nextResult(stock, 'select 1 as n')
      expect((await messagesOf(id)).map((message) => message.kind)).toEqual(['failing', 'recovered'])
      expect(await eventsOf(id)).toEqual([])
    })

    test('compares with earlier results', async () => {
      const sales = await storeReferenceTo(shop, 'select 100 as total', 'Sales')
      const id = await watch(sales, [{ kind: 'change', column: 'total', by: 20 }])
      await nextResult(sales)
      await nextResult(sales, 'select 110 as total')
      expect(await messagesOf(id)).toEqual([])
      await nextResult(sales, 'select 60 as total')
      expect((await stateOf(id)).alertState).toMatchObject({ status: 'firing', finding: 'The first value of "total" is 60; it was 110 last time: -45.5 %.' })
    })

    test('rows of a snooze are in the event that announces them', async () => {
      const orders = await storeReferenceTo(shop, 'select n as id from numbers where n < 1', 'Orders')
      const id = await watch(orders, [{ kind: 'new_rows', keyColumns: ['id'] }])
      await nextResult(orders)
      await shop.admin.page('POST', `${automationsUrl}/${id}/snooze`, { until: new Date(service.clock.now().getTime() + 4 * hourMs).toISOString() })
      await nextResult(orders, 'select n as id from numbers where n < 2')
      await nextResult(orders, 'select n as id from numbers where n < 4')
      expect(await eventsOf(id)).toEqual([])
      service.clock.leap(4 * hourMs)
      await judge()
      expect((await eventsOf(id)).map(({ data }) => [data.newRowCount, data.newRows])).toEqual([[3, [{ id: 1 }, { id: 2 }, { id: 3 }]]])
    })

    test('ending a snooze sends at once what waited', async () => {
      const stock = await storeReferenceTo(shop, 'select n from numbers where n < 5', 'Stock')
      const id = await watch(stock, [tooMany])
      await shop.admin.page('POST', `${automationsUrl}/${id}/snooze`, { until: new Date(service.clock.now().getTime() + 50 * hourMs).toISOString() })
      await nextResult(stock)
      expect(await messagesOf(id)).toEqual([])
      await shop.admin.page('POST', `${automationsUrl}/${id}/snooze`, { until: null })
      await judge()
      expect((await messagesOf(id)).map((message) => message.kind)).toEqual(['fired'])
    })

    test('keeps its state when it is changed, so that people learn of the end', async () => {
      const stock = await storeReferenceTo(shop, 'select n from numbers where n < 5', 'Stock')
      const id = await watch(stock, [tooMany])
      await nextResult(stock)
      await shop.admin.page('PATCH', `${automationsUrl}/${id}`, { condition: { reference: stock, kind: 'alert', tests: [{ ...tooMany, number: 50 }] } })
      await nextResult(stock)
      expect((await messagesOf(id)).map((message) => message.kind)).toEqual(['fired', 'resolved'])
    })

    test('a crash at any statement loses no message and sends none twice', async () => {
      const stock = await storeReferenceTo(shop, 'select n from numbers where n < 2', 'Stock')
      const id = await watch(stock, [tooMany])
      const { db } = service.services
      let crashes = 0
      for (let isFiring = true, statement = 1; ; isFiring = !isFiring, statement++) {
        const crashing = { ...service.services, db: failingAt(db, statement) }
        if (isFiring || statement > 1) await shop.admin.page('PATCH', `/app/api/references/${stock}`, { sql: `select n from numbers where n < ${isFiring ? 5 : 2}` })
        service.clock.leap(1000)
        const run = await runReference(service.services, shop.admin.caller, { shortId: stock })
        await service.ended(shop.admin.caller, run.id)
        const hasCrashed = await judgeConditions(crashing, neverStops).then(() => false, () => true)
        await judge()
        const kinds = (await messagesOf(id)).map((message) => message.kind)
        expect(kinds, `after a crash at statement ${statement}`).toEqual(Array.from({ length: statement }, (_, at) => (at % 2 === 0 ? 'fired' : 'resolved')))
        expect(await eventsOf(id)).toHaveLength(statement)
        if (!hasCrashed) break
        crashes++
      }
      expect(crashes).toBeGreaterThan(5)
    })

    test.each<[string, object, string]>([
      ['no tests', { tests: [] }, '/condition/tests'],
      ['a field of another kind', { tests: [{ kind: 'no_rows', number: 3 }] }, '/condition/tests/0/number'],
      ['a threshold without a number', { tests: [{ kind: 'threshold', comparison: '>' }] }, '/condition/tests/0/number'],
      ['a second limit on the wrong side', { tests: [{ ...tooMany, resolveAt: 3 }] }, '/condition/tests/0/resolveAt'],
      ['an aggregate without a column', { tests: [{ ...tooMany, aggregate: 'sum' }] }, '/condition/tests/0/aggregate'],
      ['a change by nothing', { tests: [{ kind: 'change', by: 0 }] }, '/condition/tests/0/by'],
      ['too few results', { tests: [{ kind: 'unusual', results: 3 }] }, '/condition/tests/0/results'],
      ['a key that repeats', { tests: [{ kind: 'new_rows', keyColumns: ['a', 'a'] }] }, '/condition/tests/0/keyColumns/1'],
      ['new rows several times', { tests: [{ kind: 'new_rows', keyColumns: ['a'], forRuns: 2 }] }, '/condition/tests/0/forRuns'],
      ['an age of nothing', { tests: [{ kind: 'stale', column: 'at', hours: 0 }] }, '/condition/tests/0/hours'],
      ['every time', { tests: [tooMany], everyTime: true }, '/condition/everyTime'],
      ['an empty mute window', { tests: [tooMany], muteWindows: [{ days: [1], from: '08:00', to: '08:00', timeZone: 'UTC' }] }, '/condition/muteWindows/0/to'],
      ['no day', { tests: [tooMany], muteWindows: [{ days: [], from: '08:00', to: '09:00', timeZone: 'UTC' }] }, '/condition/muteWindows/0/days'],
      ['no time zone', { tests: [tooMany], muteWindows: [{ days: [1], from: '08:00', to: '09:00', timeZone: 'Mars' }] }, '/condition/muteWindows/0/timeZone'],
    ])('rejects %s', async (_, condition, path) => {
      const answer = await shop.admin.page('POST', automationsUrl, {
        name: 'Alert',
        instructions: 'Look.',
        references: [reported],
        condition: { reference: reported, kind: 'alert', ...condition },
      })
      expectRefusal(answer, 'invalid_request', { details: [{ path, message: expect.any(String) }] })
    })

    test('rejects a snooze of an automation without an alert, and one in the past', async () => {
      const plain = await createAutomation(shop, { references: [reported] })
      const until = new Date(service.clock.now().getTime() + hourMs).toISOString()
      expectRefusal(await shop.admin.page('POST', `${automationsUrl}/${plain.id}/snooze`, { until }), 'alert_not_set_up')
      const id = await watch(reported, [tooMany])
      expectRefusal(await shop.admin.page('POST', `${automationsUrl}/${id}/snooze`, { until: '2020-01-01T00:00:00Z' }), 'invalid_request', {
        details: [{ path: '/until', message: 'must be a time within the next 366 days' }],
      })
    })
  })
})
