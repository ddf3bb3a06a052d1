import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { EngineResult } from '../../model/result.ts'
import { claimRun } from '../../store/runs/claim-run.ts'
import { endRun, failPendingRun, type RunOutcome } from '../../store/runs/end-run.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { ruleKindsOf, storeKinds } from '../../../testing/store/test-store.ts'
import { storeQuery } from '../queries/queries.ts'
import { createReference } from '../references/references.ts'
import { abandonedReason } from '../runs/run-outcome.ts'
import type { Run } from '../../model/run.ts'
import { runReference } from '../runs/start-run.ts'
import { firstRowsOf, runQueryToEnd, runReferenceToEnd } from './query-runs.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe.each(storeKinds)('query runs on %s', (kind) => {
  let service: TestService
  let organization: TestOrganization
  let shortId: string
  let queryId: string
  /** Ends everything that is still waiting at the end of a test. */
  let over: AbortController

  beforeAll(async () => {
    // The test acts as the worker: it decides what starts when, and how it ends.
    service = await startTestService(kind, { worker: false })
    organization = await service.addOrganization('shop')
  })
  beforeEach(async () => {
    const { services } = service
    const { caller } = organization.admin
    const sql = 'select {{n}} as n'
    queryId = (await storeQuery(services, caller, { sql, analyticalDatabaseConfigId: organization.databaseId })).id
    const n = { name: 'n', displayName: 'N', type: 'number' as const, defaultValue: '1', description: '' }
    shortId = (await createReference(services, caller, { queryId, parameters: [n] })).shortId
    over = new AbortController()
  })
  afterEach(async () => {
    over.abort()
    await Promise.allSettled(begun.splice(0))
    for (const { id } of await runs()) {
      await failPendingRun(service.services.db, { runId: id, reason: 'the test is over', now: service.clock.now() })
    }
  })
  afterAll(() => service.stop())

  const begun: Promise<Run>[] = []
  const begin = (options: Partial<Parameters<typeof runReferenceToEnd>[2]> = {}) => {
    const { services, clock } = service
    const input = { shortId, notBefore: clock.now(), signal: over.signal, ...options }
    const ending = runReferenceToEnd(services, organization.admin.caller, input)
    begun.push(ending)
    ending.catch(() => {})
    return ending
  }
  async function until<Value>(look: () => Promise<Value | undefined | false>): Promise<Value> {
    for (;;) {
      const value = await look()
      if (value) return value
      await settle()
    }
  }
  /** Claims the next run, as a worker does. */
  const claim = () =>
    until(async () => {
      const { run } = await claimRun(service.services.db, { workerId: 'worker_test', leaseMs: 1e9, fullDatabaseConfigIds: [] })
      await run?.committed
      return run
    })
  const completed: RunOutcome = {
    status: 'completed',
    rowCount: 1,
    sizeBytes: 1,
    hash: 'h',
    statistics: { rowsRead: 0, rowsWritten: 0 },
  }
  async function end(runId: string, outcome: RunOutcome = completed) {
    await endRun(service.services.db, { id: runId, leaseNumber: 1, workerId: 'worker_test' }, outcome)
  }
  /** Starts several identical requests; resolves when each knows its run. */
  async function beginMany(count: number) {
    let started = 0
    const ending = Array.from({ length: count }, () => begin({ onStarted: () => void started++ }))
    await until(async () => started === count)
    return ending
  }
  const runs = () =>
    service.services.db.selectFrom('runs').selectAll().where('query_id', '=', queryId).orderBy('number').execute()
  const whenRuns = (count: number) => until(async () => (await runs()).length === count)
  const whenWaiting = () => until(async () => service.clock.sleepers() === 1)

  test('runs a reference in the ordinary way and waits for it', async () => {
    const started: Run[] = []
    const ending = begin({ parameterValues: { n: 7 }, onStarted: (run) => void started.push(run) })
    const { id } = await claim()
    await service.clock.advance(10)
    await end(id)
    expect(await ending).toMatchObject({ id, status: 'completed', renderedSql: 'select 7 as n', parameterValues: { n: 7 } })
    expect(started).toMatchObject([{ id, status: 'pending', triggerId: organization.admin.caller.triggerId }])
    expect(service.clock.sleepers()).toBe(0)
  })

  test.each(ruleKindsOf(kind))('runs a query with the parameters of its reference', async () => {
    const { services, clock } = service
    const input = { queryId, notBefore: clock.now(), signal: over.signal }
    const ending = runQueryToEnd(services, organization.admin.caller, input)
    const { id } = await claim()
    await end(id)
    expect(await ending).toMatchObject({ id, renderedSql: 'select 1 as n' })
  })

  test.each(ruleKindsOf(kind))('identical concurrent requests share one run and one watcher', async () => {
    const ending = await beginMany(40)
    const { id } = await claim()
    await whenWaiting()
    await end(id)
    expect(new Set((await Promise.all(ending)).map((run) => run.id))).toEqual(new Set([id]))
    // A later request that accepts a result of this age uses it too.
    expect((await begin()).id).toBe(id)
    expect(await runs()).toHaveLength(1)
  })

  test.each(ruleKindsOf(kind))('a failure of the query is shared as well', async () => {
    const ending = await beginMany(10)
    const { id } = await claim()
    await end(id, { status: 'failed', reason: 'Binder Error: no such column' })
    for (const run of await Promise.all(ending)) expect(run).toMatchObject({ id, status: 'failed' })
    expect((await begin()).id).toBe(id)
    expect(await runs()).toHaveLength(1)
  })

  test.each([
    ['that started before notBefore', async () => {
      const first = begin()
      await end((await claim()).id)
      await first
      await service.clock.advance(1)
    }],
    ['with other values', async () => {
      const first = begin({ parameterValues: { n: 2 } })
      await end((await claim()).id)
      await first
    }],
  ])('does not reuse a run %s', async (_, before) => {
    await before()
    const ending = begin()
    await whenRuns(2)
    const { id } = await claim()
    await end(id)
    expect((await ending).id).toBe(id)
  })

  test.each(ruleKindsOf(kind))('does not reuse a run whose result has expired', async () => {
    const notBefore = service.clock.now()
    const first = begin()
    await end((await claim()).id)
    await first
    await service.clock.advance(service.services.resultLifetimeMs)
    void begin({ notBefore })
    expect(await whenRuns(2)).toBe(true)
  })

  test.each([
    ['with other values', { n: 2 }],
    ['that started too early', {}],
  ])('waits for a run %s, and then starts its own', async (_, parameterValues) => {
    const { services, clock } = service
    await runReference(services, organization.admin.caller, { shortId, parameterValues })
    const { id: other } = await claim()
    await clock.advance(1)
    const started: string[] = []
    const ending = begin({ onStarted: (run) => void started.push(run.id) })
    await whenWaiting()
    expect(await runs()).toHaveLength(1)
    await end(other)
    const { id } = await claim()
    await end(id)
    expect((await ending).id).toBe(id)
    expect(started).toEqual([id])
    expect(await runs()).toHaveLength(2)
  })

  test.each(ruleKindsOf(kind))('recovers from a lost wake-up after two seconds', async () => {
    const ending = begin()
    const { id } = await claim()
    await whenWaiting()
    const lost = vi.spyOn(service.services.wakeups, 'wake').mockImplementation(() => {})
    await end(id)
    lost.mockRestore()
    await service.clock.advance(2000)
    expect((await ending).id).toBe(id)
  })

  test.each(ruleKindsOf(kind))('an abort ends its own pending run at once', async () => {
    const stopping = new AbortController()
    const ending = begin({ signal: stopping.signal })
    await whenWaiting()
    stopping.abort(new Error('enough'))
    await expect(ending).rejects.toThrow('enough')
    expect(await runs()).toMatchObject([{ status: 'failed', failure_reason: expect.stringContaining('agent') as string }])
    await until(async () => service.clock.sleepers() === 0)
  })

  test.each(ruleKindsOf(kind))('an abort stops its own running run; others waiting for it get a new one', async () => {
    const stopping = new AbortController()
    const ours = begin({ signal: stopping.signal })
    const { id: first } = await claim()
    const [theirs] = await beginMany(1)
    stopping.abort(new Error('enough'))
    await expect(ours).rejects.toThrow('enough')
    expect(await runs()).toMatchObject([{ stop_requested_by: organization.admin.caller.userId }])
    await end(first, { status: 'failed', reason: 'Stopped by admin.', stoppedBy: organization.admin.caller.userId })
    const { id: second } = await claim()
    await end(second)
    expect((await theirs!).id).toBe(second)
  })

  test.each(ruleKindsOf(kind))('an abort does not stop a run started by someone else', async () => {
    await runReference(service.services, organization.admin.caller, { shortId })
    const stopping = new AbortController()
    const ending = begin({ signal: stopping.signal })
    await whenWaiting()
    stopping.abort(new Error('enough'))
    await expect(ending).rejects.toThrow('enough')
    expect(await runs()).toMatchObject([{ status: 'pending', stop_requested_by: null }])
  })

  test.each(ruleKindsOf(kind))('restarts a run whose worker died, up to three times', async () => {
    const started: string[] = []
    const ending = begin({ onStarted: (run) => void started.push(run.id) })
    for (let time = 1; time <= 3; time++) await end((await claim()).id, { status: 'failed', reason: abandonedReason })
    expect(await ending).toMatchObject({ status: 'failed', failureReason: abandonedReason, number: 3 })
    expect(started).toHaveLength(3)
  })

  test.each(ruleKindsOf(kind))('passes on errors about parameters and unknown references', async () => {
    await expect(begin({ parameterValues: { n: 'many' } })).rejects.toMatchObject({ code: 'parameter_invalid' })
    await expect(begin({ parameterValues: { m: 1 } })).rejects.toMatchObject({ code: 'parameter_invalid' })
    await expect(begin({ shortId: 'abcdefghjk' })).rejects.toMatchObject({ code: 'reference_not_found' })
    expect(await runs()).toEqual([])
  })

  test.each(ruleKindsOf(kind))('reads the first rows of a result, and whether these are all', async () => {
    const ending = begin()
    const { id } = await claim()
    const result: EngineResult = {
      fields: [{ name: 'n', type: 'integer' }],
      batches: (async function* () {
        yield { rowCount: 3, json: Buffer.from('[1],[2],[3]') }
      })(),
      statistics: () => ({ rowsRead: null, rowsWritten: null }),
    }
    const { services, clock } = service
    await services.results.write({ runId: id, result, limits: { maxRows: 10, maxMb: 1 } })
    await end(id, { ...completed, rowCount: 3 })
    const run = await ending
    const { fields } = result
    expect(await firstRowsOf(services, run, { maxRows: 2 })).toEqual({ fields, rows: [[1], [2]], isWhole: false })
    expect(await firstRowsOf(services, run, { maxRows: 3 })).toEqual({ fields, rows: [[1], [2], [3]], isWhole: true })
    await clock.advance(services.resultLifetimeMs)
    await expect(firstRowsOf(services, run, { maxRows: 2 })).rejects.toMatchObject({ code: 'result_expired' })
  })
})
