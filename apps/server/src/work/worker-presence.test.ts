import { expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { yieldToEventLoop } from '../ports/yield-to-event-loop.ts'
import { absentForMs, goneOf, isUndecided, judgeAbsences, makeWorkerPresence, noAbsences } from './worker-presence.ts'

const lookAt = (ms: number, ...absent: string[]) => ({
  beganMs: ms,
  endedMs: ms + 10,
  isAfterOutage: false,
  seen: ['a', 'b'].map((id) => ({ id, isAbsent: absent.includes(id) })),
})
const goneAfter = (...looks: ReturnType<typeof lookAt>[]) => goneOf(looks.reduce(judgeAbsences, noAbsences))

test('a worker is gone when it has been absent for half a second', () => {
  expect(goneAfter(lookAt(0, 'a'))).toEqual([])
  expect(goneAfter(lookAt(0, 'a'), lookAt(509, 'a'))).toEqual([])
  expect(goneAfter(lookAt(0, 'a'), lookAt(510, 'a', 'b'))).toEqual(['a'])
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
  const shown = () => [presence.workerId(), presence.goneWorkers()]
  async function beginLook() {
    const looking = presence.look()
    // Up to its pause, if it looks twice.
    await yieldToEventLoop()
    return { looking }
  }
  async function look() {
    const { looking } = await beginLook()
    await clock.advance(absentForMs)
    return looking
  }
  expect(shown()).toEqual(['worker_2', []])
  const { looking } = await beginLook()
  await clock.advance(absentForMs - 1)
  expect(shown()).toEqual(['worker_1', []])
  await clock.advance(1)
  expect(await looking).toBe('claim')
  expect(shown()).toEqual(['worker_1', ['worker_dead']])
  expect(await look()).toBeUndefined()

  // A look is valid only briefly. A late look, or the end of this worker's own session, may mean that there was an outage.
  await clock.advance(3_000)
  expect(shown()).toEqual(['worker_2', []])
  await look()
  await look()
  expect(shown()).toEqual(['worker_1', []])
  workers.set('worker_dead', { isAbsent: false })
  await look()
  workers.set('worker_dead', { isAbsent: true })
  workers.set('worker_1', { isAbsent: true })
  await look()
  await look()
  expect(shown()).toEqual(['worker_1', []])

  for (let second = 0; second < 62; second++) {
    await look()
    await clock.advance(500)
  }
  expect(removed).toContain('worker_dead')
})

test('looks again only while someone may be found to be gone', () => {
  const undecidedAfter = (...looks: ReturnType<typeof lookAt>[]) => isUndecided(looks.reduce(judgeAbsences, noAbsences))
  expect(undecidedAfter(lookAt(0))).toBe(false)
  expect(undecidedAfter(lookAt(0, 'a'))).toBe(true)
  expect(undecidedAfter(lookAt(0, 'a'), lookAt(510, 'a'))).toBe(false)
  expect(undecidedAfter(lookAt(0, 'a'), lookAt(510, 'a', 'b'))).toBe(true)
  expect(undecidedAfter({ ...lookAt(0, 'a'), isAfterOutage: true })).toBe(false)
})
