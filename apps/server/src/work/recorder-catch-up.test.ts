import { expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { silentLog } from '../../testing/silent-log.ts'
import type { Ended, Item } from './kind.ts'
import { makeRecorder } from './recorder.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A recorder that is writing two batches at the same time. */
function recordTwo() {
  const clock = manualClock()
  const writes: { ids: string[]; succeed(): void; fail(): void }[] = []
  const recorder = makeRecorder<Item, string>({
    clock,
    log: silentLog,
    name: 'thing',
    batchMax: 1,
    atOnce: 2,
    write: (batch: Ended<Item, string>[]) =>
      new Promise((resolve, reject) => {
        const ids = batch.map(({ item }) => item.id)
        writes.push({ ids, succeed: () => resolve(new Set(ids)), fail: () => reject(new Error('away')) })
      }),
    onRecorded() {},
  })
  // The second writer starts when two outcomes wait while the first writer is busy.
  for (const id of ['a', 'b', 'c']) recorder.record({ id, leaseNumber: 1 }, 'done')
  return { clock, writes, recorder }
}

async function isOver(promise: Promise<void>): Promise<boolean> {
  let over = false
  void promise.then(() => (over = true))
  await settle()
  return over
}

test('catching up resolves when the second of two writers fails after the first', async () => {
  const { writes, recorder } = recordTwo()
  writes[0]!.fail()
  await settle()
  const caughtUp = recorder.catchUp()
  writes[1]!.fail()
  await settle()
  // The remaining writer retries.
  for (const write of writes.slice(2)) write.fail()
  const again = recorder.catchUp()
  await settle()
  for (const write of writes.slice(2)) write.succeed()
  expect(await isOver(caughtUp)).toBe(true)
  expect(await isOver(again)).toBe(true)
})

test('catching up resolves when the second of two writers succeeds after the first failed', async () => {
  const { writes, recorder } = recordTwo()
  writes[0]!.fail()
  await settle()
  const caughtUp = recorder.catchUp()
  writes[1]!.succeed()
  expect(await isOver(caughtUp)).toBe(true)
})
