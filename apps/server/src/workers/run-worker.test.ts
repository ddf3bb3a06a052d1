import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Engine, EngineError } from '../engines/engine.ts'
import type { EngineResult, RowBatch } from '../model/result.ts'
import type { Run } from '../model/run.ts'
import { openFileResults } from '../results/file-results.ts'
import type { ResultStore } from '../results/result-store.ts'
import type { Db, Store } from '../store/db.ts'
import { insertDatabase } from '../store/databases/databases-table.ts'
import { insertQuery } from '../store/queries/queries-table.ts'
import { requestStop } from '../store/runs/run-leases.ts'
import { findRun, insertRun } from '../store/runs/runs-table.ts'
import { type ManualClock, manualClock } from '../../testing/manual-clock.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { openTestStore, ruleKindsOf, storeKinds } from '../../testing/store/test-store.ts'
import { addMember, createOrganization, createUser } from '../domain/people/organizations.ts'
import { newId, newUuid } from '../domain/ids.ts'
import type { Worker } from '../work/worker.ts'
import { makeSqlRunStore, type RunStore } from '../store/runs/run-store.ts'
import { makeRunWorker } from './run-worker.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

/** An engine whose statements wait until the test releases them. */
function heldEngine() {
  const statements: { sql: string; signal: AbortSignal; complete(): void; fail(error: Error): void }[] = []
  const engine: Engine = {
    dialect: 'duckdb',
    run: ({ sql, signal }) =>
      new Promise<EngineResult>((resolve, reject) => {
        const complete = () =>
          resolve({
            fields: [{ name: 'n', type: 'integer' }],
            batches: (async function* (): AsyncGenerator<RowBatch> {
              yield { rowCount: 1, json: Buffer.from('[1]') }
            })(),
            statistics: () => ({ rowsRead: 7, rowsWritten: 0, bytesRead: 56 }),
          })
        signal.addEventListener('abort', () => reject(new EngineError('stopped', 'stopped')))
        statements.push({ sql, signal, complete, fail: reject })
      }),
    test: async () => ({ version: 'held' }),
    describe: async () => [],
    close: async () => {},
  }
  return { engine, statements }
}

describe.each(storeKinds)('the run worker on %s', (kind) => {
  let store: Store
  let clock: ManualClock
  let results: ResultStore
  let folder: string
  let organizationId: string
  let userId: string
  const random = seededRandom(`run worker ${kind}`)
  const workers: Worker[] = []
  let held: ReturnType<typeof heldEngine>

  beforeEach(async () => {
    clock = manualClock()
    store = await openTestStore(kind, { clock })
    folder = await mkdtemp(path.join(tmpdir(), 'querypost-worker-'))
    results = await openFileResults({ folder, clock })
    held = heldEngine()
    await store.db.transaction().execute(async (tx) => {
      const deps = { tx, clock, random }
      organizationId = (await createOrganization(deps, { name: 'Shop' })).id
      userId = (await createUser(deps, { email: 'ada@shop.test', name: 'Ada', passwordHash: 'none' })).id
      await addMember(deps, { organizationId, userId, role: 'admin' })
    })
  })
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop({ graceMs: 0 })))
    endedStatuses.length = 0
    await store.close()
    await rm(folder, { recursive: true })
  })

  const endedStatuses: string[] = []
  function startWorker(options: { runTimeoutSeconds?: number; db?: Db; commit?: Promise<void> } = {}): Worker {
    const runs = makeSqlRunStore({ db: options.db ?? store.db, clock, publishRunEnd: async () => {} })
    const { commit } = options
    const claim: RunStore['claim'] = async (of) => {
      const run = await runs.claim(of)
      // Tests read the run as soon as its statement has started.
      await run?.committed
      return run && { ...run, committed: commit }
    }
    const worker = makeRunWorker({
      runs: { ...runs, claim },
      wakeups: store.wakeups,
      clock,
      random,
      log: silentLog,
      results,
      engines: { engineOf: () => held.engine },
      limits: { maxRows: 1000, maxMb: 1 },
      runTimeoutSeconds: options.runTimeoutSeconds ?? 300,
      onRunEnded: ({ status }) => endedStatuses.push(status),
    })
    worker.start()
    workers.push(worker)
    return worker
  }

  async function addDatabase(): Promise<string> {
    const id = newId(random, 'db')
    const now = clock.now()
    await insertDatabase(store.db, {
      id,
      organizationId,
      name: id,
      engine: 'duckdb',
      settings: { file: 'x.duckdb' },
      createdBy: userId,
      createdAt: now,
    })
    return id
  }

  async function addRun(databaseId: string): Promise<string> {
    // Every run is created later than the previous one.
    await clock.advance(1)
    const query = { id: newUuid({ clock, random }), sql: 'select 1', createdBy: userId }
    await insertQuery(store.db, { ...query, organizationId, analyticalDatabaseConfigId: databaseId, now: clock.now() })
    const run = await insertRun(store.db, {
      id: newId(random, 'run'),
      organizationId,
      queryId: query.id,
      triggerId: userId,
      parameterValues: {},
      parameterTypes: {},
      renderedSql: 'select 1',
      runAt: clock.now(),
    })
    return run!.id
  }

  async function until<Value>(look: () => Promise<Value | undefined | false> | Value | undefined | false): Promise<Value> {
    for (;;) {
      const value = await look()
      if (value) return value
      await settle()
    }
  }
  const stateOf = async (runId: string) => (await findRun(store.db, { organizationId, runId }))!
  const whenEnded = (runId: string) =>
    until(async () => {
      const run = await stateOf(runId)
      return (run.status === 'completed' || run.status === 'failed') && run
    })
  const whenRunning = (count: number) => until(() => held.statements.length === count)

  test.each(ruleKindsOf(kind))('a run completes with the engine’s result and statistics', async () => {
    const runId = await addRun(await addDatabase())
    startWorker()
    await whenRunning(1)
    expect(await stateOf(runId)).toMatchObject({ status: 'running', completedAt: null })
    await clock.advance(1500)
    held.statements[0]!.complete()
    expect(await whenEnded(runId)).toMatchObject({
      status: 'completed',
      rowCount: 1,
      rowsRead: 7,
      rowsWritten: 0,
      bytesRead: 56,
      failureReason: null,
      startedAt: new Date('2026-01-05T09:00:00.001Z'),
      completedAt: new Date('2026-01-05T09:00:01.501Z'),
    })
    expect(await results.open(runId)).toBeDefined()
  })

  async function completeBeforeCommit() {
    const commit = Promise.withResolvers<void>()
    startWorker({ commit: commit.promise })
    const runId = await addRun(await addDatabase())
    await whenRunning(1)
    held.statements[0]!.complete()
    for (let turn = 0; turn < 20; turn += 1) await settle()
    expect(await results.open(runId)).toBeUndefined()
    return { runId, commit }
  }

  test('a result is stored only once the claim is committed', async () => {
    const { runId, commit } = await completeBeforeCommit()
    commit.resolve()
    expect(await whenEnded(runId)).toMatchObject({ status: 'completed' })
    expect(await results.open(runId)).toBeDefined()
  })

  test('a run whose claim is lost leaves no result and no end', async () => {
    const { runId, commit } = await completeBeforeCommit()
    commit.reject(new Error('away'))
    await until(() => held.statements[0]!.signal.aborted)
    await workers[0]!.stop({ graceMs: 0 })
    expect(await results.open(runId)).toBeUndefined()
    expect(await stateOf(runId)).toMatchObject({ status: 'running' })
  })

  test('a running run shows its progress, and no longer once it has ended', async () => {
    startWorker({ runTimeoutSeconds: 1_000_000 })
    const [begun, more, done] = [0, 1, 2].map(() => Promise.withResolvers<void>())
    const row = { rowCount: 1, json: Buffer.from('[1]') }
    held.engine.run = async ({ onProgress }) => {
      onProgress?.(12.5)
      await begun!.promise
      return {
        fields: [{ name: 'n', type: 'integer' }],
        batches: (async function* (): AsyncGenerator<RowBatch> {
          yield row
          yield row
          await more!.promise
          yield row
          await done!.promise
        })(),
        statistics: () => ({ rowsRead: 3, rowsWritten: 0 }),
      }
    }
    const runId = await addRun(await addDatabase())
    // Five repeated tasks, plus the run's time limit. Advance the clock when all of them sleep.
    const allWait = () => until(() => clock.sleepers() === 6)
    const shows = (expected: Partial<Run>) =>
      until(async () => {
        await allWait()
        await clock.advance(2000)
        const run = await stateOf(runId)
        return Object.entries(expected).every(([name, value]) => run[name as keyof Run] === value)
      })
    await shows({ status: 'running', progress: 12.5, rowCountSoFar: null })
    begun!.resolve()
    await shows({ status: 'running', progress: null, rowCountSoFar: 2 })
    more!.resolve()
    await shows({ status: 'running', progress: null, rowCountSoFar: 3 })
    await allWait()
    done!.resolve()
    expect(await whenEnded(runId)).toMatchObject({ status: 'completed', rowCount: 3, rowCountSoFar: null, progress: null })
  })

  test.each(ruleKindsOf(kind))('keeps the position of an error, unless the run was interrupted', async () => {
    startWorker()
    const databaseId = await addDatabase()
    const [wrong, stopped] = [await addRun(databaseId), await addRun(databaseId)]
    await whenRunning(2)
    const fault = () => new EngineError('failed', 'Parser Error', { position: { line: 3, column: 7 } })
    held.statements[0]!.fail(fault())
    expect(await whenEnded(wrong)).toMatchObject({ errorPosition: { line: 3, column: 7 } })
    await requestStop(store.db, { runId: stopped, userId })
    store.wakeups.wake('run_stops')
    expect(await whenEnded(stopped)).toMatchObject({ failureReason: 'Stopped by Ada.', isStopped: true, errorPosition: null })
  })

  test.each(ruleKindsOf(kind))('shows the engine’s error message; an internal error only points to the log', async () => {
    startWorker()
    const databaseId = await addDatabase()
    const [refused, broken] = [await addRun(databaseId), await addRun(databaseId)]
    await whenRunning(2)
    const of = (n: number) => held.statements[n]!
    of(0).fail(new EngineError('failed', 'Parser Error: syntax error at or near "selec"'))
    of(1).fail(new TypeError('cannot read properties of undefined'))
    expect((await whenEnded(refused)).failureReason).toBe('Parser Error: syntax error at or near "selec"')
    const { failureReason } = await whenEnded(broken)
    expect(failureReason).toContain(broken)
    expect(failureReason).not.toContain('undefined')
  })

  test('wakes waiters when a run ends, even if its worker died', async () => {
    let wakes = 0
    store.wakeups.listen('run_ends', () => wakes++)
    startWorker()
    const databaseId = await addDatabase()
    await addRun(databaseId)
    await whenRunning(1)
    expect(wakes).toBe(0)
    held.statements[0]!.complete()
    await until(() => wakes > 0)
    const abandoned = await addRun(databaseId)
    await whenRunning(2)
    await store.db
      .updateTable('runs')
      .set({ lease_owner: 'worker_dead', lease_expires_at: clock.now() })
      .where('id', '=', abandoned)
      .execute()
    wakes = 0
    await until(() => clock.sleepers() === 6)
    await clock.advance(10_000)
    await until(() => wakes > 0)
    expect((await stateOf(abandoned)).status).toBe('failed')
  })

  test.each(ruleKindsOf(kind))('a run is stopped at the time limit', async () => {
    startWorker({ runTimeoutSeconds: 5 })
    const runId = await addRun(await addDatabase())
    await whenRunning(1)
    await clock.advance(4999)
    expect(held.statements[0]!.signal.aborted).toBe(false)
    await clock.advance(1)
    expect((await whenEnded(runId)).failureReason).toContain('time limit of 5 seconds')
  })

  test.each(ruleKindsOf(kind))('a person can stop a run, and the reason names them', async () => {
    startWorker()
    const runId = await addRun(await addDatabase())
    await whenRunning(1)
    await requestStop(store.db, { runId, userId })
    store.wakeups.wake('run_stops')
    expect(await whenEnded(runId)).toMatchObject({ failureReason: 'Stopped by Ada.', isStopped: true })
    expect(held.statements[0]!.signal.aborted).toBe(true)
    await expect.poll(() => endedStatuses).toEqual(['stopped'])
  })

  test.each(ruleKindsOf(kind))('a database takes at most two slots, so that others get their turn', async () => {
    startWorker()
    const [slow, other] = [await addDatabase(), await addDatabase()]
    const slowRuns = [await addRun(slow), await addRun(slow), await addRun(slow), await addRun(slow)]
    const otherRun = await addRun(other)
    await whenRunning(3)
    const statuses = await Promise.all([...slowRuns, otherRun].map(async (id) => (await stateOf(id)).status))
    expect(statuses).toEqual(['running', 'running', 'pending', 'pending', 'running'])
    held.statements[0]!.complete()
    await whenRunning(4)
    expect((await stateOf(slowRuns[2]!)).status).toBe('running')
  })

  test.each(ruleKindsOf(kind))('several workers never claim the same run', async () => {
    for (let count = 0; count < 3; count++) startWorker()
    const databases = await Promise.all(Array.from({ length: 6 }, addDatabase))
    const runs = await Promise.all(databases.flatMap((id) => [addRun(id), addRun(id)]))
    await whenRunning(12)
    for (const statement of held.statements) statement.complete()
    const ended = await Promise.all(runs.map(whenEnded))
    expect(ended.every(({ status }) => status === 'completed')).toBe(true)
    expect(held.statements).toHaveLength(12)
  })

  test('a run whose worker died fails with a reason once its lease has expired, not before', async () => {
    const runId = await addRun(await addDatabase())
    await store.db
      .updateTable('runs')
      .set({
        status: 'running',
        started_at: clock.now(),
        lease_owner: 'worker_dead',
        lease_expires_at: new Date(clock.now().getTime() + 30_000),
      })
      .execute()
    startWorker()
    await clock.advance(29_000)
    await settle()
    expect((await stateOf(runId)).status).toBe('running')
    // It may still be in its last poll; advance the clock until the next one.
    const whenTimeHasPassed = async () => {
      await clock.advance(1000)
      const run = await stateOf(runId)
      return run.status === 'failed' && run
    }
    expect((await until(whenTimeHasPassed)).failureReason).toContain('process running it crashed')
  })

  test.each(ruleKindsOf(kind))('a live worker keeps its lease, however long the run takes', async () => {
    startWorker({ runTimeoutSeconds: 3600 })
    startWorker({ runTimeoutSeconds: 3600 })
    const runId = await addRun(await addDatabase())
    await whenRunning(1)
    // Each worker has five repeated tasks, plus the run's time limit. Advance the clock when all of them sleep.
    const allWait = () => until(() => clock.sleepers() === 11)
    for (let step = 1; step <= 12; step++) {
      await allWait()
      await clock.advance(10_000)
    }
    await allWait()
    expect((await stateOf(runId)).status).toBe('running')
    held.statements[0]!.complete()
    expect((await whenEnded(runId)).status).toBe('completed')
  })

  test('a worker that was presumed dead cannot overwrite the recorded outcome', async () => {
    startWorker()
    const runId = await addRun(await addDatabase())
    await whenRunning(1)
    await store.db
      .updateTable('runs')
      .set({ status: 'failed', failure_reason: 'taken for dead', completed_at: clock.now(), lease_owner: null })
      .where('id', '=', runId)
      .execute()
    held.statements[0]!.complete()
    await until(async () => (await results.open(runId)) === undefined)
    await workers[0]!.stop({ graceMs: 0 })
    expect(await stateOf(runId)).toMatchObject({ status: 'failed', failureReason: 'taken for dead' })
    expect(await results.open(runId)).toBeUndefined()
  })

  test.each(ruleKindsOf(kind))('a stop lets running runs end, and leaves pending ones for the next start', async () => {
    const worker = startWorker()
    const databaseId = await addDatabase()
    const running = await addRun(databaseId)
    await whenRunning(1)
    // Five repeated tasks and the run's time limit sleep: nothing is being claimed now.
    await until(() => clock.sleepers() === 6)
    const stopping = worker.stop({ graceMs: 5000 })
    const pending = await addRun(databaseId)
    held.statements[0]!.complete()
    await stopping
    expect((await stateOf(running)).status).toBe('completed')
    expect((await stateOf(pending)).status).toBe('pending')
  })

  test.each(ruleKindsOf(kind))('a stop does not wait longer than its grace period', async () => {
    const worker = startWorker()
    const runId = await addRun(await addDatabase())
    await whenRunning(1)
    const stopping = worker.stop({ graceMs: 5000 })
    // Still sleeping: the two lease tasks, the run's time limit and the grace period.
    await until(() => clock.sleepers() === 4)
    await clock.advance(4999)
    expect(held.statements[0]!.signal.aborted).toBe(false)
    await clock.advance(1)
    await stopping
    expect((await stateOf(runId)).failureReason).toContain('service shut down')
  })
})
