import { expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { type LaneTurn, lanesAtOnce, makeLaneTurns } from './lane-turns.ts'

const rooms = new Map([
  ['we_b', 2],
  ['we_full', 0],
  ['we_a', 8],
])
const fromTheFirst = { afterLane: '', rooms }
const inTheMiddle = { afterLane: 'we_5', rooms }
const allLanes: LaneTurn = { known: [], tourLaneMax: lanesAtOnce, restMs: 0 }
const known = ['we_b', 'we_a']

/** A tour of two claims that took 10 ms has just ended. */
function afterTour(laneCount: number, { tookMs = 10, isFull = false } = {}) {
  const clock = manualClock()
  const turns = makeLaneTurns({ clock })
  turns.note({ ...allLanes, tourLaneCount: laneCount - 1, isTourOver: false, isFull: false, tookMs: tookMs - 2 })
  turns.note({ ...allLanes, tourLaneCount: 1, isTourOver: true, isFull, tookMs: 2 })
  return { turns, clock }
}

test('claims visit all lanes while there are few', () => {
  expect(afterTour(99).turns.next(fromTheFirst)).toEqual(allLanes)
  expect(makeLaneTurns({ clock: manualClock() }).next(fromTheFirst)).toEqual(allLanes)
})

test('claims visit all lanes if many of them are known, or none', () => {
  const { turns } = afterTour(400)
  const many = new Map(Array.from({ length: 101 }, (_, index) => [`we_${index}`, 1]))
  expect(turns.next({ afterLane: '', rooms: many })).toEqual(allLanes)
  expect(turns.next({ afterLane: '', rooms: new Map([['we_full', 0]]) })).toEqual(allLanes)
})

test('after a long tour, claims visit only known lanes until the next tour begins', async () => {
  const { turns, clock } = afterTour(400)
  expect(turns.next(fromTheFirst)).toEqual({ known, tourLaneMax: 0, restMs: 90 })
  await clock.advance(89)
  expect(turns.next(fromTheFirst)).toEqual({ known, tourLaneMax: 0, restMs: 1 })
  await clock.advance(1)
  expect(turns.next(fromTheFirst)).toEqual({ known, tourLaneMax: 100, restMs: 0 })
  expect(turns.next(inTheMiddle)).toEqual({ known, tourLaneMax: 100, restMs: 0 })
})

test('a claim during the rest does not count as a tour', () => {
  const { turns } = afterTour(400)
  const turn = turns.next(fromTheFirst)
  turns.note({ ...turn, tourLaneCount: 0, isTourOver: true, isFull: false, tookMs: 1 })
  expect(turns.next(fromTheFirst)).toEqual(turn)
})

test('a slow tour does not delay the next one by more than half a second', () => {
  expect(afterTour(400, { tookMs: 200 }).turns.next(fromTheFirst).restMs).toBe(500)
})

test('a claim that found more than it could take is followed by one in the order of all lanes', () => {
  const { turns } = afterTour(400, { isFull: true })
  expect(turns.next(fromTheFirst)).toEqual(allLanes)
})

test('a tour that begins again counts its lanes from the start', () => {
  const { turns } = afterTour(99)
  turns.next(fromTheFirst)
  turns.note({ ...allLanes, tourLaneCount: 60, isTourOver: false, isFull: false, tookMs: 1 })
  turns.next(fromTheFirst)
  turns.note({ ...allLanes, tourLaneCount: 60, isTourOver: true, isFull: false, tookMs: 1 })
  expect(turns.next(fromTheFirst)).toEqual(allLanes)
})
