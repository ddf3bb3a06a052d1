import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeStage } from '../../../testing/lists/list-world.ts'
import { addQueries } from '../../../testing/lists/page-cost.ts'
import { manualClock, type ManualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openStatementCosts } from '../../../testing/store/statement-cost.ts'
import { openTestStore, ruleKindsOf, storeKinds, type TestStore } from '../../../testing/store/test-store.ts'
import type { EventType } from '../../model/event-type.ts'
import { claimRun } from '../../store/runs/claim-run.ts'
import { makeResultLedger } from '../../store/results/result-ledger.ts'
import { endRun, failAbandonedRuns, type HeldRun, type RunOutcome } from '../../store/runs/end-run.ts'
import { findRun, insertRun } from '../../store/runs/runs-table.ts'
import { addListener } from '../../store/webhooks/event-listeners.ts'
import { makePublishRunEnd, stopPendingRun } from './publish-run-end.ts'

const leaseMs = 30_000
const statistics = { rowsRead: 1, rowsWritten: 0 }
const completed: RunOutcome = { status: 'completed', rowCount: 7, sizeBytes: 10, hash: 'hash_1', statistics }

describe.each(storeKinds)('the event of a run’s end on %s', (kind) => {
  const random = seededRandom('run ends')
  let store: TestStore
  let clock: ManualClock
  let organizationId: string
  let userId: string
  let queryId: string

  beforeEach(async () => {
    clock = manualClock()
    store = await openTestStore(kind, { clock })
    const { caller, configId } = await makeStage(store, `run ends ${kind}`)
    ;({ organizationId, userId } = caller)
    await addQueries({ caller, configId, store }, 1)
    queryId = (await store.db.selectFrom('queries').select('id').executeTakeFirstOrThrow()).id
    const run = { id: 'run_1', organizationId, queryId, triggerId: userId, runAt: clock.now(), renderedSql: 'select 1' }
    await insertRun(store.db, { ...run, parameterValues: {}, parameterTypes: {} })
  })
  afterEach(() => store.close())

  const deps = () => ({ db: store.db, clock, random, baseUrl: 'https://querypost.test' })
  const publish = () => makePublishRunEnd(deps())
  async function claim(): Promise<HeldRun> {
    const { run } = await claimRun(store.db, { workerId: 'worker_1', leaseMs, fullDatabaseConfigIds: [] })
    await run!.committed
    return { ...run!, workerId: 'worker_1' }
  }
  async function addEndpoint(types: EventType[]) {
    const now = clock.now()
    const times = { created_at: now, updated_at: now }
    const endpoint = { id: 'we_1', organization_id: organizationId, url: 'https://hooks.example/', event_types: types }
    await store.db
      .insertInto('webhook_endpoints')
      .values({ ...endpoint, ...times, state: 'enabled', secret: new Uint8Array([1]), created_by: userId })
      .execute()
  }
  /** By run: two events of one millisecond may be stored in either order. */
  async function published() {
    const rows = await store.db.selectFrom('webhook_events').select(['type', 'body']).execute()
    const events = rows.map(({ type, body }) => ({ type, data: (JSON.parse(body) as { data: { runId: string } }).data }))
    return events.toSorted((a, b) => a.data.runId.localeCompare(b.data.runId))
  }
  const deliveryCount = async () => (await store.db.selectFrom('webhook_deliveries').select('id').execute()).length
  const status = async () => (await findRun(store.db, { organizationId, runId: 'run_1' }))!.status
  const unsaved = { runId: 'run_1', referenceShortId: null, title: null, permalink: null }

  test.each(ruleKindsOf(kind))('is published with the end, to endpoints that chose it', async () => {
    await addEndpoint(['query.run.completed'])
    const held = await claim()
    expect(await endRun(store.db, held, completed, { publish: publish() })).toBe(true)
    expect(await endRun(store.db, held, completed, { publish: publish() })).toBe(true)
    const data = { ...unsaved, queryId, rowCount: 7, resultHash: 'hash_1' }
    expect(await published()).toEqual([{ type: 'query.run.completed', data }])
    expect(await deliveryCount()).toBe(1)
    expect(await status()).toBe('completed')
  })

  test('names the saved query', async () => {
    await addEndpoint(['query.run.failed'])
    const saved = { id: 'ref_1', organization_id: organizationId, short_id: 'k7Rm2QwXn4', title: 'Revenue', query_id: queryId }
    const times = { created_at: clock.now(), updated_at: clock.now() }
    await store.db.insertInto('query_references').values({ ...saved, ...times, created_by: userId, is_optimistic: false, parameters: '[]' }).execute()
    await endRun(store.db, await claim(), { status: 'failed', reason: 'no such table' }, { publish: publish() })
    const reference = { referenceShortId: 'k7Rm2QwXn4', title: 'Revenue', permalink: 'https://querypost.test/q/k7Rm2QwXn4' }
    const data = { runId: 'run_1', queryId, ...reference, reason: 'no such table', isStopped: false }
    expect(await published()).toEqual([{ type: 'query.run.failed', data }])
  })

  test.each(ruleKindsOf(kind))('is neither written nor ended twice if the event cannot be written', async () => {
    await addEndpoint(['query.run.completed'])
    const held = await claim()
    const unstored = Buffer.from('a small result')
    const failing = endRun(store.db, held, completed, { publish: () => Promise.reject(new Error('no space left')), unstored })
    await expect(failing).rejects.toThrow('no space left')
    expect(await status()).toBe('running')
    expect(await published()).toEqual([])
    expect(await makeResultLedger(store).find('run_1')).toBeUndefined()
    expect(await endRun(store.db, held, completed, { publish: publish(), unstored })).toBe(true)
    expect(await makeResultLedger(store).find('run_1')).toMatchObject({ beginning: unstored })
  })

  test('is published for a run whose worker died, and for one that a person stopped before it started', async () => {
    await addEndpoint(['query.run.failed'])
    await claim()
    clock.leap(leaseMs)
    expect(await failAbandonedRuns(store.db, { reason: 'its worker died' }, publish())).toEqual(['run_1'])
    const run = { id: 'run_2', organizationId, queryId, triggerId: userId, runAt: clock.now(), renderedSql: 'select 1' }
    await insertRun(store.db, { ...run, parameterValues: {}, parameterTypes: {} })
    expect(await stopPendingRun(deps(), { runId: 'run_2', reason: 'Stopped by Ada.', stoppedBy: userId })).toBe(true)
    expect(await published()).toEqual([
      { type: 'query.run.failed', data: { ...unsaved, queryId, reason: 'its worker died', isStopped: false } },
      { type: 'query.run.failed', data: { ...unsaved, runId: 'run_2', queryId, reason: 'Stopped by Ada.', isStopped: true } },
    ])
  })

  test.each(ruleKindsOf(kind))('is published while a listener asks for it', async () => {
    const listener = { id: 'listener_1', organizationId, keyId: 'key_1', eventTypes: ['query.run.completed' as const] }
    await addListener(store.db, { ...listener, until: new Date(clock.now().getTime() + 60_000) }, { now: clock.now(), maxOfKey: 1 })
    await endRun(store.db, await claim(), completed, { publish: publish() })
    expect((await published()).map(({ type }) => type)).toEqual(['query.run.completed'])
    expect(await deliveryCount()).toBe(0)
  })

  test.each(ruleKindsOf(kind))('does not exist if nobody chose it, and costs no statement', async () => {
    await addEndpoint(['automation.run.completed', 'automation.run.failed', 'query.run.failed'])
    const held = await claim()
    const refuse = () => Promise.reject(new Error('published'))
    if (kind !== 'postgres') return void (await endRun(store.db, held, completed, { publish: refuse }))
    const statements = openStatementCosts(store.url!, { now: clock.now() })
    const { costs } = await statements.measureEach((db) => endRun(db, held, completed, { publish: refuse }))
    await statements.close()
    expect(costs).toHaveLength(1)
    expect(await published()).toEqual([])
    expect(await status()).toBe('completed')
  })
})
