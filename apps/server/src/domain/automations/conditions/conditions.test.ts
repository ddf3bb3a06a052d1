import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAutomation, getAutomation, runsOf, storeReferenceTo } from '../../../../testing/http/automation-requests.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { ruleKindsOf, storeKinds } from '../../../../testing/store/test-store.ts'
import { makeRunWorker } from '../../../workers/run-worker.ts'
import type { Worker } from '../../../work/worker.ts'
import { makePublishRunEnd } from '../../runs/publish-run-end.ts'
import { makeSqlRunStore } from '../../../store/runs/run-store.ts'
import { requestAutomationRun } from '../../agent-runs/request-automation-run.ts'
import type { Caller } from '../../../model/caller.ts'
import { runReference } from '../../runs/start-run.ts'
import type { ConditionInput } from '../check-automation.ts'
import { endRunsOf, neverStops, textsOf } from '../../../../testing/work/automation-runs.ts'
import { requestResults } from './request-results.ts'
import { judgeConditions } from './judge-conditions.ts'

const minuteMs = 60_000

describe.each(storeKinds)('conditions on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let runs: Worker
  /** The reference that the automations report on; the one they watch differs in each test. */
  let reported: string

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    reported = await storeReferenceTo(shop, 'select 1')
    runs = makeRunWorker({ ...service.services, runs: makeSqlRunStore({ ...service.services, publishRunEnd: makePublishRunEnd(service.services) }), limits: { maxRows: 1000, maxMb: 10 }, runTimeoutSeconds: 60 })
    runs.start()
  })
  afterAll(async () => {
    await runs.stop({ graceMs: 0 })
    await service.stop()
  })

  const judge = () => judgeConditions(service.services, neverStops)
  const end = (automationId: string) => endRunsOf(service.services.db, automationId, service.clock.now())

  /** Requests a new result of a reference; returns the id of its run. */
  async function newResult(shortId: string, by: Partial<Caller> = {}): Promise<string> {
    service.clock.leap(1)
    const run = await runReference(service.services, { ...shop.admin.caller, ...by }, { shortId })
    expect(await service.ended(shop.admin.caller, run.id)).toMatchObject({ status: 'completed' })
    return run.id
  }
  async function watch(
    shortId: string,
    condition: Omit<ConditionInput, 'reference'>,
    content: Record<string, unknown> = {},
  ): Promise<string> {
    return (await createAutomation(shop, { references: [reported], condition: { reference: shortId, ...condition }, ...content })).id
  }
  /** Changes the watched result by giving the reference other SQL. */
  const change = (shortId: string, sql: string) => shop.admin.page('PATCH', `/app/api/references/${shortId}`, { sql })
  const stateOf = async (id: string) => (await getAutomation(shop.admin, id)).conditionState
  const isAny: Omit<ConditionInput, 'reference'> = { kind: 'row_count', comparison: '>', number: 0 }

  test('a result that meets it starts a run, whose chat says why', async () => {
    const stock = await storeReferenceTo(shop, 'select n from numbers where n < 3', 'Stock')
    const id = await watch(stock, isAny)
    await judge()
    expect(await stateOf(id)).toBeNull()
    const runId = await newResult(stock)
    await Promise.all([judge(), judge()])
    const [run, ...others] = await runsOf(shop.admin, id)
    expect(others).toEqual([])
    expect(run).toMatchObject({ status: 'pending', trigger: 'condition', triggerId: id, dueAt: null, isLate: false })
    const finding = 'The reference "Stock" has 3 rows, which is > 0.'
    expect(await textsOf(service, run!.id)).toEqual(['Tell me what changed.', finding])
    const now = service.clock.now().toISOString()
    expect(await stateOf(id)).toEqual({ runId, resultHash: expect.any(String), isMet: true, judgedAt: now, finding })
  })

  test('starts a run when newly met, and again after it was not met', async () => {
    const stock = await storeReferenceTo(shop, 'select 1 where false', 'Stock')
    const once = await watch(stock, isAny)
    const always = await watch(stock, { ...isAny, everyTime: true })
    const seen: [number, number][] = []
    for (const sql of ['select 1 where false', 'select 1', 'select 2', 'select 1 where false', 'select 3']) {
      await change(stock, sql)
      await newResult(stock)
      await judge()
      seen.push([(await runsOf(shop.admin, once)).length, (await runsOf(shop.admin, always)).length])
      for (const id of [once, always]) await end(id)
    }
    expect(seen).toEqual([[0, 0], [1, 1], [1, 2], [1, 2], [2, 3]])
  })

  test.each(ruleKindsOf(kind))('a result that arrives during a run waits, and starts the next run afterwards', async () => {
    const stock = await storeReferenceTo(shop, 'select 1', 'Stock')
    const id = await watch(stock, { ...isAny, everyTime: true })
    await shop.admin.page('POST', `/app/api/automations/${id}/runs`)
    await newResult(stock)
    const latest = await newResult(stock)
    await judge()
    expect(await stateOf(id)).toBeNull()
    expect(await runsOf(shop.admin, id)).toHaveLength(1)
    await end(id)
    await judge()
    // Two results have arrived in the meantime: the latest is evaluated.
    expect(await stateOf(id)).toMatchObject({ runId: latest, isMet: true })
    expect(await runsOf(shop.admin, id)).toMatchObject([{ trigger: 'condition' }, { trigger: 'person' }])
  })

  test.each(ruleKindsOf(kind))('a run requested during evaluation does not lose the result', async () => {
    const stock = await storeReferenceTo(shop, 'select 1 as left', 'Stock')
    const id = await watch(stock, { kind: 'value', column: 'left', comparison: '>', number: 0 })
    await newResult(stock)
    const { results } = service.services
    const interrupted = {
      ...results,
      async open(runId: string) {
        expect((await shop.admin.page('POST', `/app/api/automations/${id}/runs`)).statusCode).toBe(202)
        return results.open(runId)
      },
    }
    await judgeConditions({ ...service.services, results: interrupted }, neverStops)
    expect(await stateOf(id)).toBeNull()
    await end(id)
    service.clock.leap(1)
    await judge()
    expect(await runsOf(shop.admin, id)).toMatchObject([{ trigger: 'condition' }, { trigger: 'person' }])
  })

  test.each(ruleKindsOf(kind))('automations cannot trigger themselves or each other in a loop', async () => {
    const stock = await storeReferenceTo(shop, 'select 1', 'Stock')
    const everyTime = { ...isAny, everyTime: true }
    const [watcher, asker] = [await watch(stock, everyTime), await watch(reported, everyTime)]
    const { clock, random, db } = service.services
    async function request(automationId: string, trigger: 'condition' | 'schedule'): Promise<string> {
      await end(automationId)
      const automation = await getAutomation(shop.admin, automationId)
      const { organizationId } = shop.admin.caller
      const asked = await db.transaction().execute((tx) =>
        requestAutomationRun({ tx, clock, random }, { ...automation, organizationId, agent: 'digest' }, { trigger, triggerId: automationId }),
      )
      return asked!.runId
    }
    const countAfterResultOf = async (triggerId: string) => {
      await newResult(stock, { triggerId })
      await end(watcher)
      await judge()
      return (await runsOf(shop.admin, watcher)).length
    }
    // Its own run requested the result.
    expect(await countAfterResultOf(await request(watcher, 'schedule'))).toBe(1)
    // Another automation's run requested it, and that run was started by a condition.
    expect(await countAfterResultOf(await request(asker, 'condition'))).toBe(1)
    // Another automation's scheduled run requested it: this counts.
    expect(await countAfterResultOf(await request(asker, 'schedule'))).toBe(2)
  })

  describe('with a schedule', () => {
    const everyMinute = { schedule: { cron: '* * * * *', timeZone: 'UTC' } }
    const ask = () => requestResults(service.services, neverStops)
    const runsOfQuery = async (shortId: string) => {
      const { currentQuery } = (await shop.admin.page('GET', `/app/api/references/${shortId}`)).json()
      return (await shop.admin.page('GET', `/app/api/queries/${currentQuery.id}/runs`)).json<{ items: { id: string; triggerId: string }[] }>().items
    }
    const isMovedOn = async (id: string) => Date.parse((await getAutomation(shop.admin, id)).nextDueAt!) > service.clock.now().getTime()

    test.each(ruleKindsOf(kind))('a due time requests a new result once, and starts no run itself', async () => {
      const stock = await storeReferenceTo(shop, 'select 1', 'Stock')
      const id = await watch(stock, isAny, everyMinute)
      await ask()
      expect(await runsOfQuery(stock)).toEqual([])
      service.clock.leap(minuteMs)
      await ask()
      const [asked, ...others] = await runsOfQuery(stock)
      expect(others).toEqual([])
      expect(asked).toMatchObject({ triggerId: id })
      expect(await isMovedOn(id)).toBe(true)
      await ask()
      expect(await runsOfQuery(stock)).toHaveLength(1)
      await service.ended(shop.admin.caller, asked!.id)
      expect(await runsOf(shop.admin, id)).toEqual([])
      await judge()
      expect(await runsOf(shop.admin, id)).toMatchObject([{ trigger: 'condition' }])
    })

    test.each(ruleKindsOf(kind))('accepts a query that is already running', async () => {
      const slow = await storeReferenceTo(shop, 'select count(*) from range(1000000) a (i), range(1000000) b (j) where (i * j) % 7 = 3')
      const id = await watch(slow, isAny, everyMinute)
      service.clock.leap(minuteMs)
      const run = await runReference(service.services, shop.admin.caller, { shortId: slow })
      await ask()
      expect(await stateOf(id)).toBeNull()
      expect(await isMovedOn(id)).toBe(true)
      await shop.admin.page('POST', `/app/api/runs/${run.id}/cancel`)
      await service.ended(shop.admin.caller, run.id)
    })

    test.each(ruleKindsOf(kind))('reports a finding when a result cannot be requested', async () => {
      const gone = await storeReferenceTo(shop, 'select 1', 'Gone')
      const unset = await storeReferenceTo(shop, 'select {{most}}', 'Unset')
      const [ofGone, ofUnset] = [await watch(gone, isAny, everyMinute), await watch(unset, isAny, everyMinute)]
      await shop.admin.page('DELETE', `/app/api/references/${gone}?evenIfUsed=true`)
      service.clock.leap(minuteMs)
      await ask()
      expect(await stateOf(ofGone)).toMatchObject({ isMet: false, runId: null, finding: expect.stringMatching(/Could not request a new result.*no query reference/) })
      expect(await stateOf(ofUnset)).toMatchObject({ finding: expect.stringMatching(/Could not request a new result.*most/) })
      expect([await isMovedOn(ofGone), await isMovedOn(ofUnset)]).toEqual([true, true])
    })

    test('reports a finding when the creator has left', async () => {
      const leaver = await shop.addPerson('member', `leaver-${kind}@shop.test`)
      const stock = await storeReferenceTo(shop, 'select 1', 'Stock')
      const content = { references: [stock], condition: { reference: stock, ...isAny }, ...everyMinute }
      const { id } = await createAutomation({ ...shop, admin: leaver }, content)
      const { db } = service.services
      for (const table of ['sessions', 'api_keys', 'memberships'] as const) {
        await db.deleteFrom(table).where('user_id', '=', leaver.caller.userId).execute()
      }
      service.clock.leap(minuteMs)
      await ask()
      expect(await stateOf(id)).toMatchObject({ finding: expect.stringMatching(/no longer in the organization/) })
      expect(await runsOfQuery(stock)).toEqual([])
    })
  })

  describe.each(ruleKindsOf(kind))('rules on %s', () => {
    test('`changed` compares with the previous result', async () => {
      const stock = await storeReferenceTo(shop, 'select 1', 'Stock')
      const id = await watch(stock, { kind: 'changed' })
      const counts: number[] = []
      for (const sql of ['select 1', 'select 1', 'select 2', 'select 3', 'select 3']) {
        await change(stock, sql)
        await newResult(stock)
        await judge()
        counts.push((await runsOf(shop.admin, id)).length)
        await end(id)
      }
      expect(counts).toEqual([0, 0, 1, 2, 2])
    })

    test.each([
      ['select 0.30::decimal(10, 2) as left', { comparison: '=', number: 0.3 }, true, /has "left" = 0\.30, which is = 0\.3\.$/],
      ['select 9007199254740993 as left', { comparison: '>', number: 9007199254740992 }, true, /has "left" = 9007199254740993, which/],
      ['select n as left from numbers union all select null', { comparison: '>=', number: 9 }, true, /has "left" = 9, which/],
      ['select n as left from numbers', { comparison: '>', number: 9 }, false, /^No row of .* has "left" > 9\.$/],
      ['select 1 as "Left", 2 as right', { comparison: '>', number: 0 }, false, /no column "left"\. It has "Left", "right"\.$/],
      [`select '1' as left`, { comparison: '>', number: 0 }, false, /values of type string, which are not numbers/],
    ] as const)('values of a column: %s %j', async (sql, comparison, isMet, finding) => {
      const stock = await storeReferenceTo(shop, sql, 'Stock')
      const id = await watch(stock, { kind: 'value', column: 'left', ...comparison })
      await newResult(stock)
      await judge()
      expect(await stateOf(id)).toMatchObject({ isMet, finding: expect.stringMatching(finding) })
      expect(await runsOf(shop.admin, id)).toHaveLength(isMet ? 1 : 0)
    })

    test('a missing, damaged or expired result is reported as a finding', async () => {
      const stock = await storeReferenceTo(shop, 'select 1 as left', 'Stock')
      const id = await watch(stock, { kind: 'value', column: 'left', comparison: '>', number: 0 })
      await service.services.results.remove(await newResult(stock))
      await judge()
      expect(await stateOf(id)).toMatchObject({ runId: null, isMet: false, finding: expect.stringMatching(/could not be evaluated.*no longer stored/) })
      const damaged = { ...service.services.results, open: async () => ({ sizeBytes: 3, encoding: 'gzip' as const, bytes: Buffer.from('odd') }) }
      await newResult(stock)
      await judgeConditions({ ...service.services, results: damaged }, neverStops)
      expect(await stateOf(id)).toMatchObject({ runId: null, isMet: false, finding: expect.stringMatching(/could not be evaluated.*in the server log/) })
      await newResult(stock)
      service.clock.leap(24 * 60 * minuteMs)
      await judge()
      expect(await stateOf(id)).toMatchObject({ runId: null, finding: expect.stringMatching(/could not be evaluated.*expired at/) })
      expect(await runsOf(shop.admin, id)).toEqual([])
      const runId = await newResult(stock)
      await judge()
      expect(await stateOf(id)).toMatchObject({ runId, isMet: true })
      expect(await runsOf(shop.admin, id)).toHaveLength(1)
    })

    test('paused, deleted or changed conditions are not evaluated', async () => {
      const stock = await storeReferenceTo(shop, 'select 1', 'Stock')
      const paused = await watch(stock, isAny, { enabled: false })
      const [pausedLater, deleted, changed] = [await watch(stock, isAny), await watch(stock, isAny), await watch(stock, isAny)]
      await newResult(stock)
      await shop.admin.page('PATCH', `/app/api/automations/${pausedLater}`, { enabled: false })
      await shop.admin.page('DELETE', `/app/api/automations/${deleted}`)
      await shop.admin.page('PATCH', `/app/api/automations/${changed}`, { condition: { reference: stock, ...isAny, number: -1 } })
      await judge()
      for (const id of [paused, pausedLater, deleted, changed]) expect(await runsOf(shop.admin, id)).toEqual([])
      for (const id of [paused, pausedLater]) await shop.admin.page('PATCH', `/app/api/automations/${id}`, { enabled: true })
      await judge()
      for (const id of [paused, pausedLater]) expect(await runsOf(shop.admin, id)).toEqual([])
      await newResult(stock)
      await judge()
      for (const id of [paused, pausedLater, changed]) expect(await runsOf(shop.admin, id)).toHaveLength(1)
    })

    test('watches only its reference: ignores other queries, other references and failed runs', async () => {
      const stock = await storeReferenceTo(shop, 'select 1', 'Stock')
      const other = await storeReferenceTo(shop, 'select 1', 'Other')
      const gone = await storeReferenceTo(shop, 'select 1', 'Gone')
      const [id, ofGone] = [await watch(stock, isAny), await watch(gone, isAny)]
      await newResult(other)
      await change(stock, `select error('no')`)
      const failed = await runReference(service.services, shop.admin.caller, { shortId: stock })
      expect(await service.ended(shop.admin.caller, failed.id)).toMatchObject({ status: 'failed' })
      const { currentQuery } = (await shop.admin.page('GET', `/app/api/references/${gone}`)).json()
      await shop.admin.page('DELETE', `/app/api/references/${gone}?evenIfUsed=true`)
      const run = (await shop.admin.page('POST', `/app/api/queries/${currentQuery.id}/runs`)).json()
      await service.ended(shop.admin.caller, run.id)
      await judge()
      expect([await stateOf(id), await stateOf(ofGone)]).toEqual([null, null])
    })
  })
})
