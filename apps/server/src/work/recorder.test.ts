import { describe, expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { makeRecorder } from './recorder.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))
const item = (id: string) => ({ id, leaseNumber: 1 })

/** A recorder whose writes the test completes one by one. */
function start({ batchMax = 500, atOnce = 1 } = {}) {
  const clock = manualClock()
  const batches: { ids: string[]; agoMs: number[]; succeed(): Promise<unknown>; fail(): Promise<unknown> }[] = []
  const recorded: string[] = []
  const recorder = makeRecorder<{ id: string; leaseNumber: number }, string>({
    clock,
    log: silentLog,
    name: 'test',
    batchMax,
    atOnce,
    write: (batch) =>
      new Promise((resolve, reject) => {
        const ids = batch.map((ended) => ended.item.id)
        batches.push({
          ids,
          agoMs: batch.map(({ agoMs }) => agoMs),
          succeed: () => (resolve(new Set(ids)), settle()),
          fail: () => (reject(new Error('the store is away')), settle()),
        })
      }),
    onRecorded: (ended, isRecorded) => void recorded.push(`${ended.item.id} ${isRecorded}`),
  })
  return { clock, batches, recorded, record: (id: string) => recorder.record(item(id), `outcome of ${id}`), recorder }
}

describe('recording', () => {
  test('starts at once, and batches the outcomes that arrive during a write', async () => {
    const { record, batches, recorded } = start()
    for (const id of ['a', 'b', 'c']) record(id)
    expect(batches.map(({ ids }) => ids)).toEqual([['a']])
    await batches[0]!.succeed()
    expect(batches[1]!.ids).toEqual(['b', 'c'])
    await batches[1]!.succeed()
    expect(recorded).toEqual(['a true', 'b true', 'c true'])
    record('d')
    expect(batches[2]!.ids).toEqual(['d'])
  })

  test('keeps everything while the store is unavailable, and records how long ago each item ended', async () => {
    const { record, batches, clock, recorded } = start()
    record('a')
    for (let round = 0; round < 20; round++) {
      await batches.at(-1)!.fail()
      await clock.advance(500)
    }
    expect(recorded).toEqual([])
    await batches.at(-1)!.succeed()
    expect(batches.at(-1)!.agoMs).toEqual([10_000])
    expect(recorded).toEqual(['a true'])
  })

  test('an outcome that cannot be written does not block the others', async () => {
    const { record, batches, clock, recorded } = start()
    for (const id of ['a', 'poison', 'b', 'c', 'd']) record(id)
    for (let round = 0; round < 12; round++) {
      const batch = batches.at(-1)!
      if (batch.ids.includes('poison')) {
        await batch.fail()
        await clock.advance(500)
      } else await batch.succeed()
    }
    expect(recorded.sort()).toEqual(['a true', 'b true', 'c true', 'd true'])
  })

  test('several writers share the queue, and only one retries after a failure', async () => {
    const { record, batches, clock, recorded } = start({ batchMax: 1, atOnce: 3 })
    for (const id of ['a', 'b', 'c', 'd', 'e']) record(id)
    expect(batches.map(({ ids }) => ids)).toEqual([['a'], ['b'], ['c']])
    // All fail at the same moment.
    await Promise.all(batches.map((batch) => batch.fail()))
    expect(batches).toHaveLength(3)
    await clock.advance(500)
    expect(batches).toHaveLength(4)
    await batches[3]!.succeed()
    expect(batches).toHaveLength(7)
    for (const batch of batches.slice(4)) await batch.succeed()
    await batches[7]!.succeed()
    expect(recorded.sort()).toEqual(['a true', 'b true', 'c true', 'd true', 'e true'])
  })

  test('catching up retries at once, joins a running retry, and does nothing unless a write has failed', async () => {
    const { recorder, record, batches, clock, recorded } = start()
    await recorder.catchUp()
    record('a')
    await batches[0]!.fail()
    const caughtUp = Promise.all([recorder.catchUp(), recorder.catchUp()])
    await settle()
    expect(batches).toHaveLength(2)
    await batches[1]!.succeed()
    await caughtUp
    expect(recorded).toEqual(['a true'])
    await recorder.catchUp()
    await clock.advance(500)
    expect(batches).toHaveLength(2)
    record('b')
    expect(batches[2]!.ids).toEqual(['b'])
  })

  test('stopping resolves while writes are in progress and more outcomes wait', async () => {
    const { recorder, record, batches, clock, recorded } = start({ batchMax: 1, atOnce: 2 })
    for (const id of ['a', 'b', 'c', 'd']) record(id)
    const stopping = recorder.stop({ graceMs: 1000 })
    await clock.advance(1000)
    await settle()
    // It has given up by now, but still waits for the write in progress.
    for (const batch of batches) await batch.succeed()
    await stopping
    expect(recorded).toEqual(['a true', 'b true'])
  })

  test('stopping waits for the store, but not forever', async () => {
    const { recorder, record, batches, clock } = start()
    record('a')
    let isStopped = false
    const stopping = recorder.stop({ graceMs: 1000 }).then(() => (isStopped = true))
    await batches[0]!.fail()
    expect(isStopped).toBe(false)
    await clock.advance(2000)
    await batches.at(-1)?.fail()
    await stopping
    expect(isStopped).toBe(true)
  })
})
