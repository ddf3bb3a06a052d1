import { expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { type LaneTurn, lanesAtOnce, makeLaneTurns } from './lane-turns.ts'

const fromTheFirst = { afterLane: '', unfinished: ['we_a'] }
const inTheMiddle = { ...fromTheFirst, afterLane: 'we_5' }
const allLanes: LaneTurn = { isLikelyFirst: false, tourLaneMax: lanesAtOnce, tourOf: 'all', restMs: 0 }
const dueLanes: LaneTurn = { ...allLanes, tourOf: 'due' }
const besideLikely: LaneTurn = { isLikelyFirst: true, tourLaneMax: 100, tourOf: 'due', restMs: 0 }
/** So many unfinished lanes that visiting all lanes takes no longer. */
const withMany = { afterLane: '', unfinished: Array.from({ length: 101 }, (_, index) => `we_${index}`) }

/** A tour of two claims that took 10 ms has just ended. */
function afterTour(laneCount: number, { tookMs = 10, isFull = false } = {}) {
  const clock = manualClock()
  const turns = makeLaneTurns({ clock })
  turns.note({ ...allLanes, tourLaneCount: laneCount - 1, isTourOver: false, isFull: false, areManyRetriesDue: false, tookMs: tookMs - 2 })
  turns.note({ ...allLanes, tourLaneCount: 1, isTourOver: true, isFull, areManyRetriesDue: false, tookMs: 2 })
  return { turns, clock }
}

test('claims visit all lanes while there are few', () => {
  expect(afterTour(99).turns.next(fromTheFirst)).toEqual(allLanes)
  expect(makeLaneTurns({ clock: manualClock() }).next(fromTheFirst)).toEqual(allLanes)
})

test('claims visit all lanes in order if many of them are unfinished', () => {
  expect(afterTour(400).turns.next(withMany)).toEqual(dueLanes)
  expect(afterTour(404).turns.next(withMany)).toEqual({ ...besideLikely, restMs: 90 })
})

test('after a long tour, claims visit only likely lanes until the next tour begins', async () => {
  const { turns, clock } = afterTour(400)
  expect(turns.next(fromTheFirst)).toEqual({ ...besideLikely, restMs: 90 })
  await clock.advance(89)
  expect(turns.next(fromTheFirst)).toEqual({ ...besideLikely, restMs: 1 })
  await clock.advance(1)
  expect(turns.next(fromTheFirst)).toEqual(besideLikely)
  expect(turns.next(inTheMiddle)).toEqual(besideLikely)
})

test('a tour leaves out lanes in which nothing is due for a minute after one has met many lanes', async () => {
  const { turns, clock } = afterTour(100)
  expect(turns.next(withMany)).toEqual(dueLanes)
  turns.note({ ...dueLanes, tourLaneCount: 100, isTourOver: true, isFull: false, areManyRetriesDue: false, tookMs: 1 })
  await clock.advance(59_999)
  expect(turns.next(withMany)).toEqual(dueLanes)
  await clock.advance(1)
  expect(turns.next(withMany)).toEqual(allLanes)
})

test('a tour visits all lanes for a second after one has met many due retries', async () => {
  const { turns, clock } = afterTour(400)
  turns.note({ ...dueLanes, tourLaneCount: 400, isTourOver: true, isFull: false, areManyRetriesDue: true, tookMs: 1 })
  expect(turns.next(withMany)).toEqual(allLanes)
  turns.note({ ...allLanes, tourLaneCount: 400, isTourOver: true, isFull: false, areManyRetriesDue: false, tookMs: 1 })
  await clock.advance(1_000)
  expect(turns.next(withMany)).toEqual(dueLanes)
})

test('a full claim between two tours is followed by one in the order of the lanes', () => {
  const { turns } = afterTour(400)
  const turn = turns.next(fromTheFirst)
  turns.noteBetween({ isFull: false })
  expect(turns.next(fromTheFirst)).toEqual(turn)
  turns.noteBetween({ isFull: true })
  expect(turns.next(fromTheFirst)).toEqual(dueLanes)
})

test('a slow tour does not delay the next one by more than half a second', () => {
  expect(afterTour(400, { tookMs: 200 }).turns.next(fromTheFirst).restMs).toBe(500)
})

test('a claim that found more than it could take is followed by one in the order of the lanes', () => {
  const { turns } = afterTour(400, { isFull: true })
  expect(turns.next(fromTheFirst)).toEqual(dueLanes)
})

test('a tour that begins again counts its lanes from the start', () => {
  const { turns } = afterTour(99)
  turns.next(fromTheFirst)
  turns.note({ ...allLanes, tourLaneCount: 60, isTourOver: false, isFull: false, areManyRetriesDue: false, tookMs: 1 })
  turns.next(fromTheFirst)
  turns.note({ ...allLanes, tourLaneCount: 60, isTourOver: true, isFull: false, areManyRetriesDue: false, tookMs: 1 })
  expect(turns.next(fromTheFirst)).toEqual(allLanes)
})
