import { expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { localWakeups } from '../store/wakeups.ts'
import type { WorkKind } from './kind.ts'
import { makeWorker } from './worker.ts'

/** How often a worker has recovered the work of others, this many milliseconds after its start. */
async function recoveriesAfter(ms: number, options: { isStoreShared: boolean }): Promise<number> {
  const clock = manualClock()
  let recoveries = 0
  const kind: WorkKind<{ id: string; leaseNumber: number }, string> = {
    name: 'thing',
    channel: 'runs',
    lookEveryMs: 2_000,
    leaseMs: 30_000,
    inHandMax: 1,
    claimMax: 1,
    claim: async () => ({ items: [], next: 'when_woken' }),
    carryOut: async () => 'done',
    abandonment: { afterMs: 1_000, outcomeOf: () => 'left' },
    recording: { batchMax: 1, atOnce: 1 },
    record: async () => new Set(),
    renewal: {
      everyMs: 10_000,
      renew: async () => new Set(),
      async recover() {
        recoveries += 1
      },
    },
  }
  const worker = makeWorker(kind, { clock, log: silentLog, wakeups: localWakeups(), workerId: 'a', ...options })
  worker.start()
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  await settle()
  for (let passedMs = 0; passedMs < ms; passedMs += 1_000) {
    await clock.advance(1_000)
    await settle()
  }
  const counted = recoveries
  await worker.stop({ graceMs: 0 })
  return counted
}

test('a process on a shared store gives the others time to renew their leases before it recovers their work', async () => {
  expect(await recoveriesAfter(15_000, { isStoreShared: true })).toBe(0)
  expect(await recoveriesAfter(35_000, { isStoreShared: true })).toBeGreaterThan(0)
})

test('the only process on a store recovers abandoned work at once', async () => {
  expect(await recoveriesAfter(0, { isStoreShared: false })).toBe(1)
})
