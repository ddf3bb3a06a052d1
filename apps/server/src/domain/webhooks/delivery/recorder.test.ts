import { describe, expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import type { AttemptRecord, DeliveryStore } from './delivery-store.ts'
import { makeRecorder } from './recorder.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))
const recordOf = (deliveryId: string) => ({ deliveryId }) as AttemptRecord

/** A store whose writes the test ends one by one. */
function storeInHand() {
  const batches: { ids: string[]; succeed(): Promise<unknown>; fail(): Promise<unknown> }[] = []
  const record: DeliveryStore['record'] = (records) =>
    new Promise((resolve, reject) => {
      const ids = records.map(({ deliveryId }) => deliveryId)
      batches.push({
        ids,
        succeed: () => (resolve({ recorded: new Set(ids) }), settle()),
        fail: () => (reject(new Error('the store is away')), settle()),
      })
    })
  return { batches, store: { record } as DeliveryStore }
}

function start() {
  const clock = manualClock()
  const { batches, store } = storeInHand()
  return { clock, batches, recorder: makeRecorder({ store, clock, log: silentLog }) }
}

describe('recording', () => {
  test('begins at once, and what ends meanwhile makes the next batch', async () => {
    const { recorder, batches } = start()
    for (const id of ['a', 'b', 'c']) recorder.record(recordOf(id))
    expect(batches.map(({ ids }) => ids)).toEqual([['a']])
    await batches[0]!.succeed()
    expect(batches[1]!.ids).toEqual(['b', 'c'])
    expect(recorder.waiting()).toBe(2)
    await batches[1]!.succeed()
    expect(recorder.waiting()).toBe(0)
    recorder.record(recordOf('d'))
    expect(batches[2]!.ids).toEqual(['d'])
  })

  test('forgets nothing while the store is away', async () => {
    const { recorder, batches, clock } = start()
    recorder.record(recordOf('a'))
    for (let round = 0; round < 20; round++) {
      await batches.at(-1)!.fail()
      await clock.advance(500)
    }
    expect(recorder.waiting()).toBe(1)
    await batches.at(-1)!.succeed()
    expect(recorder.waiting()).toBe(0)
  })

  test('one record that cannot be written does not keep the others waiting', async () => {
    const { recorder, batches, clock } = start()
    const written = new Set<string>()
    for (const id of ['a', 'poison', 'b', 'c', 'd']) recorder.record(recordOf(id))
    for (let round = 0; round < 12; round++) {
      const batch = batches.at(-1)!
      if (batch.ids.includes('poison')) {
        await batch.fail()
        await clock.advance(500)
      } else {
        for (const id of batch.ids) written.add(id)
        await batch.succeed()
      }
    }
    expect([...written].sort()).toEqual(['a', 'b', 'c', 'd'])
    expect(recorder.waiting()).toBe(1)
  })

  test('catching up tries at once, together with whoever is trying, and only when it is behind', async () => {
    const { recorder, batches, clock } = start()
    await recorder.catchUp()
    recorder.record(recordOf('a'))
    await batches[0]!.fail()
    const caughtUp = Promise.all([recorder.catchUp(), recorder.catchUp()])
    expect(batches).toHaveLength(2)
    await batches[1]!.succeed()
    await caughtUp
    expect(recorder.waiting()).toBe(0)
    await recorder.catchUp()
    await clock.advance(500)
    expect(batches).toHaveLength(2)
    recorder.record(recordOf('b'))
    expect(batches[2]!.ids).toEqual(['b'])
  })

  test('stopping waits for the store, but not for ever', async () => {
    const { recorder, batches, clock } = start()
    recorder.record(recordOf('a'))
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
