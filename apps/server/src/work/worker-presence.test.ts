import { expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { absentFor, judgeAbsences, makeWorkerPresence, noAbsences } from './worker-presence.ts'

const lookAt = (ms: number, ...absent: string[]) => ({
  beganMs: ms,
  endedMs: ms + 10,
  isLate: false,
  seen: ['a', 'b'].map((id) => ({ id, isAbsent: absent.includes(id) })),
})
const goneAfter = (...looks: ReturnType<typeof lookAt>[]) => absentFor(looks.reduce(judgeAbsences, noAbsences), 1_000)

test('a worker is gone when it has been absent for a second', () => {
  expect(goneAfter(lookAt(0, 'a'))).toEqual([])
  expect(goneAfter(lookAt(0, 'a'), lookAt(1_009, 'a'))).toEqual([])
  expect(goneAfter(lookAt(0, 'a'), lookAt(1_010, 'a', 'b'))).toEqual(['a'])
})

test('a worker that returns is not gone', () => {
  expect(goneAfter(lookAt(0, 'a'), lookAt(1_010, 'a'), lookAt(2_020))).toEqual([])
  expect(goneAfter(lookAt(0, 'a'), lookAt(1_010), lookAt(2_020, 'a'))).toEqual([])
})

test('after a long pause between looks, everybody gets the time to return again', () => {
  const late = { ...lookAt(9_000, 'a'), isLate: true }
  expect(goneAfter(lookAt(0, 'a'), late)).toEqual([])
  expect(goneAfter(lookAt(0, 'a'), late, lookAt(10_010, 'a'))).toEqual(['a'])
})

test('claims name the worker only while it is known to be present, and what was seen is not used for long', async () => {
  const clock = manualClock()
  const workers = new Map([['worker_dead', { isAbsent: true }]])
  const removed: string[] = []
  const found: string[] = []
  const presence = makeWorkerPresence({
    clock,
    workerIds: { present: 'worker_1', other: 'worker_2' },
    registry: {
      async enter(id) {
        workers.set(id, { isAbsent: false })
        return true
      },
      look: async () => [...workers].map(([id, worker]) => ({ id, ...worker })),
      async remove(ids) {
        removed.push(...ids)
      },
    },
    onGone: () => found.push(...presence.goneWorkers()),
  })
  expect([presence.workerId(), presence.goneWorkers()]).toEqual(['worker_2', []])
  await presence.look()
  expect([presence.workerId(), presence.goneWorkers()]).toEqual(['worker_1', []])
  await clock.advance(1_000)
  await presence.look()
  expect([presence.workerId(), presence.goneWorkers(), found]).toEqual(['worker_1', ['worker_dead'], ['worker_dead']])

  workers.set('worker_1', { isAbsent: true })
  await clock.advance(1_000)
  await presence.look()
  expect([presence.workerId(), presence.goneWorkers(), found]).toEqual(['worker_1', ['worker_dead'], ['worker_dead']])
  await clock.advance(3_000)
  expect([presence.workerId(), presence.goneWorkers()]).toEqual(['worker_2', []])

  for (let second = 0; second < 62; second++) {
    await presence.look()
    await clock.advance(1_000)
  }
  expect(removed).toContain('worker_dead')
})
