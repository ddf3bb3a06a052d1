import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { manualClock, type ManualClock } from '../../../testing/manual-clock.ts'
import { makeStage } from '../../../testing/lists/list-world.ts'
import { addQueries } from '../../../testing/lists/page-cost.ts'
import { openTestStore, storeKinds, type TestStore } from '../../../testing/store/test-store.ts'
import { makeResultLedger } from '../results/result-ledger.ts'
import { claimRun } from './claim-run.ts'
import { endRun, failAbandonedRuns, type HeldRun, type RunOutcome } from './end-run.ts'
import { renewRunLeases } from './run-leases.ts'
import { findRun, insertRun } from './runs-table.ts'

const leaseMs = 30_000
const completed: RunOutcome = {
  status: 'completed',
  rowCount: 1,
  sizeBytes: 10,
  hash: 'h',
  statistics: { rowsRead: 1, rowsWritten: 0 },
}
const failed: RunOutcome = { status: 'failed', reason: 'it failed' }

describe.each(storeKinds)('the end of a run on %s', (kind) => {
  let store: TestStore
  let clock: ManualClock
  let held: HeldRun
  let organizationId: string

  beforeEach(async () => {
    clock = manualClock()
    store = await openTestStore(kind, { clock })
    const { caller, configId } = await makeStage(store, `ends ${kind}`)
    organizationId = caller.organizationId
    await addQueries({ caller, configId, store }, 1)
    const { id: queryId } = await store.db.selectFrom('queries').select('id').executeTakeFirstOrThrow()
    const run = { id: 'run_1', organizationId, queryId, triggerId: caller.userId, runAt: clock.now(), renderedSql: 'select 1' }
    await insertRun(store.db, { ...run, parameterValues: {}, parameterTypes: {} })
    const { run: claimed } = await claimRun(store.db, { workerId: 'worker_1', leaseMs, fullDatabaseConfigIds: [] })
    await claimed!.committed
    held = { ...claimed!, workerId: 'worker_1' }
  })
  afterEach(() => store.close())

  const status = async () => (await findRun(store.db, { organizationId, runId: 'run_1' }))!.status
  const abandon = () => failAbandonedRuns(store.db, { reason: 'its worker died' })

  test.each([completed, failed])('is idempotent under one lease ($status)', async (outcome) => {
    expect(await endRun(store.db, held, outcome)).toBe(true)
    expect(await endRun(store.db, held, outcome)).toBe(true)
    expect(await status()).toBe(outcome.status)
  })

  test('is rejected with another outcome the second time', async () => {
    await endRun(store.db, held, completed)
    expect(await endRun(store.db, held, failed)).toBe(false)
    expect(await status()).toBe('completed')
  })

  test('is rejected under another lease and for another worker', async () => {
    expect(await endRun(store.db, { ...held, leaseNumber: held.leaseNumber + 1 }, completed)).toBe(false)
    expect(await endRun(store.db, { ...held, workerId: 'worker_2' }, completed)).toBe(false)
    expect(await status()).toBe('running')
  })

  describe('with a small result', () => {
    const unstored = Buffer.from('compressed bytes')
    const found = () => makeResultLedger(store).find('run_1')

    test('stores it once', async () => {
      expect(await endRun(store.db, held, completed, { unstored })).toBe(true)
      expect(await endRun(store.db, held, completed, { unstored })).toBe(true)
      expect(await found()).toEqual({ place: 'postgres', sizeBytes: unstored.length, beginning: unstored })
    })

    test('stores nothing if it is rejected', async () => {
      expect(await endRun(store.db, { ...held, workerId: 'worker_2' }, completed, { unstored })).toBe(false)
      expect(await found()).toBeUndefined()
    })
  })

  test('is rejected once the lease was revoked, even if the outcome is the same', async () => {
    clock.leap(leaseMs)
    expect(await abandon()).toEqual(['run_1'])
    expect(await endRun(store.db, held, completed)).toBe(false)
    expect(await endRun(store.db, held, failed)).toBe(false)
    expect(await status()).toBe('failed')
  })

  test('does not revoke a lease before it has expired by the store’s time', async () => {
    clock.leap(leaseMs - 1)
    expect(await abandon()).toEqual([])
    const renewed = await renewRunLeases(store.db, { workerId: 'worker_1', leases: [held], leaseMs })
    expect([...renewed]).toEqual(['run_1'])
    clock.leap(leaseMs - 1)
    expect(await abandon()).toEqual([])
    clock.leap(1)
    expect(await abandon()).toEqual(['run_1'])
    expect([...(await renewRunLeases(store.db, { workerId: 'worker_1', leases: [held], leaseMs }))]).toEqual([])
  })
})
