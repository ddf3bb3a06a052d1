import { expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { makeLaneTurns } from './lane-turns.ts'

const rooms = new Map([
  ['we_b', 2],
  ['we_full', 0],
  ['we_a', 8],
])
const fromTheFirst = { afterLane: '', rooms }
const inTheMiddle = { afterLane: 'we_5', rooms }
const knownNow = { known: ['we_a', 'we_b'], tourInMs: 0 }

function afterTour(laneCount: number) {
  const clock = manualClock()
  const turns = makeLaneTurns({ clock })
  turns.noteVisit({ laneCount: laneCount - 1, isLast: false, tookMs: 8 })
  turns.noteVisit({ laneCount: 1, isLast: true, tookMs: 2 })
  return { turns, clock }
}

test('claims visit all lanes while there are few', () => {
  const { turns } = afterTour(99)
  expect([turns.next(fromTheFirst), turns.next(fromTheFirst)]).toEqual([{ laneCountMax: 500 }, { laneCountMax: 500 }])
})

test('claims visit all lanes if most of them are known, or none', () => {
  const { turns } = afterTour(400)
  const many = new Map(Array.from({ length: 101 }, (_, index) => [`we_${index}`, 1]))
  expect(turns.next({ afterLane: '', rooms: many })).toEqual({ laneCountMax: 500 })
  expect(turns.next({ afterLane: '', rooms: new Map([['we_full', 0]]) })).toEqual({ laneCountMax: 500 })
})

test('after a long tour, claims look at known lanes until the next tour begins', async () => {
  const { turns, clock } = afterTour(400)
  expect(turns.next(fromTheFirst)).toEqual({ ...knownNow, tourInMs: 90 })
  await clock.advance(89)
  expect(turns.next(fromTheFirst)).toEqual({ ...knownNow, tourInMs: 1 })
  await clock.advance(1)
  expect(turns.next(fromTheFirst)).toEqual({ laneCountMax: 100 })
})

test('a slow tour does not delay the next one by more than half a second', () => {
  const { turns } = afterTour(400)
  turns.noteVisit({ laneCount: 400, isLast: true, tookMs: 200 })
  expect(turns.next(fromTheFirst)).toEqual({ ...knownNow, tourInMs: 500 })
})

test('known lanes and those of a tour take turns', async () => {
  const { turns, clock } = afterTour(400)
  await clock.advance(90)
  expect([fromTheFirst, fromTheFirst, inTheMiddle, inTheMiddle, inTheMiddle].map(turns.next)).toEqual([
    knownNow,
    { laneCountMax: 100 },
    knownNow,
    { laneCountMax: 100 },
    knownNow,
  ])
})
