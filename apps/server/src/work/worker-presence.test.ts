import { expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { goneOf, judgeAbsences, makeWorkerPresence, noAbsences } from './worker-presence.ts'

const lookAt = (ms: number, ...absent: string[]) => ({
  beganMs: ms,
  endedMs: ms + 10,
  isAfterOutage: false,
  seen: ['a', 'b'].map((id) => ({ id, isAbsent: absent.includes(id) })),
})
const goneAfter = (...looks: ReturnType<typeof lookAt>[]) => goneOf(looks.reduce(judgeAbsences, noAbsences))

test('a worker is gone when it has been absent for a second', () => {
  expect(goneAfter(lookAt(0, 'a'))).toEqual([])
  expect(goneAfter(lookAt(0, 'a'), lookAt(1_009, 'a'))).toEqual([])
  expect(goneAfter(lookAt(0, 'a'), lookAt(1_010, 'a', 'b'))).toEqual(['a'])
})

test('a worker that returns is not gone', () => {
  expect(goneAfter(lookAt(0, 'a'), lookAt(1_010, 'a'), lookAt(2_020))).toEqual([])
  expect(goneAfter(lookAt(0, 'a'), lookAt(1_010), lookAt(2_020, 'a'))).toEqual([])
})

test('a worker that is absent after an outage is not taken for gone until it has been seen again', () => {
  const after = { ...lookAt(9_000, 'a'), isAfterOutage: true }
  expect(goneAfter(lookAt(0, 'a'), after)).toEqual([])
  expect(goneAfter(lookAt(0, 'a'), after, lookAt(10_010, 'a'), lookAt(40_010, 'a'))).toEqual([])
  expect(goneAfter(after, lookAt(10_000), lookAt(11_000, 'a'), lookAt(12_010, 'a'))).toEqual(['a'])
})

test('claims name the worker only while it is known to be present, and judge others only by looks without an outage', async () => {
  const clock = manualClock()
  const workers = new Map([['worker_dead', { isAbsent: true }]])
  const removed: string[] = []
  const presence = makeWorkerPresence({
    clock,
    workerIds: { present: 'worker_1', other: 'worker_2' },
    registry: {
      async enter(id) {
        workers.set(id, { isAbsent: false })
        return true
      },
      look: async () => [...workers].map(([id, { isAbsent }]) => ({ id, isAbsent })),
      async remove(ids) {
        removed.push(...ids)
      },
    },
  })
  expect([presence.workerId(), presence.goneWorkers()]).toEqual(['worker_2', []])
  await presence.look()
  expect([presence.workerId(), presence.goneWorkers()]).toEqual(['worker_1', []])
  await clock.advance(1_000)
  expect(await presence.look()).toBe('claim')
  expect([presence.workerId(), presence.goneWorkers()]).toEqual(['worker_1', ['worker_dead']])
  expect(await presence.look()).toBeUndefined()

  // A look is valid only briefly. A late look, or the end of this worker's own session, may mean that there was an outage.
  await clock.advance(3_000)
  expect([presence.workerId(), presence.goneWorkers()]).toEqual(['worker_2', []])
  await presence.look()
  await clock.advance(1_000)
  await presence.look()
  expect([presence.workerId(), presence.goneWorkers()]).toEqual(['worker_1', []])
  workers.set('worker_dead', { isAbsent: false })
  await presence.look()
  workers.set('worker_dead', { isAbsent: true })
  workers.set('worker_1', { isAbsent: true })
  await presence.look()
  await clock.advance(1_000)
  await presence.look()
  expect([presence.workerId(), presence.goneWorkers()]).toEqual(['worker_1', []])

  for (let second = 0; second < 62; second++) {
    await presence.look()
    await clock.advance(1_000)
  }
  expect(removed).toContain('worker_dead')
})
