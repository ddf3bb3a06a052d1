import { expect, test } from 'vitest'
import { makeClaimFloor } from './claim-floor.ts'

const at = (ms: number) => new Date(Date.parse('2026-03-01T12:00:00.000Z') + ms)
const wholeLanes = new Date(0)
const ofDeliveries = { atLeast: 2_000, atMost: 60_000 }

function makeClaims(fullEveryMs = ofDeliveries) {
  let monotonicMs = 0
  const floor = makeClaimFloor({ clock: { monotonicMs: () => monotonicMs }, fullEveryMs })
  /** Makes a claim at `ms` that takes `tookMs`; returns the due time it scanned from. */
  return (
    ms: number,
    found: { earliest?: number; tookMs?: number; afterLane?: string; nextAfterLane?: string; workerId?: string; storeMs?: number } = {},
  ): Date => {
    const tookMs = found.tookMs ?? 1
    monotonicMs = ms - tookMs
    const dueFrom = floor.dueFrom({ workerId: found.workerId ?? 'worker_1', afterLane: found.afterLane ?? '' })
    monotonicMs = ms
    const earliestDueAt = found.earliest === undefined ? null : at(found.earliest)
    floor.note({ nextAfterLane: found.nextAfterLane ?? '', earliestDueAt, claimedAt: at(found.storeMs ?? ms) })
    return dueFrom
  }
}

test('scans whole lanes first, then from the earliest due time', () => {
  const claim = makeClaims()
  expect(claim(0, { earliest: -60_000 })).toEqual(wholeLanes)
  expect(claim(1)).toEqual(at(-60_000))
  expect(claim(1999)).toEqual(at(-60_000))
})

test('allows two seconds for transactions that have not committed yet', () => {
  const claim = makeClaims()
  claim(0, { earliest: -10 })
  expect(claim(1)).toEqual(at(-2000))
})

test('scans whole lanes again after two seconds', () => {
  const claim = makeClaims()
  claim(0)
  expect(claim(2001, { earliest: -30_000 })).toEqual(wholeLanes)
  expect(claim(2002)).toEqual(at(-30_000))
})

test('a tour of several claims uses their earliest due time, and all its claims are of one kind', () => {
  const claim = makeClaims()
  expect(claim(0, { nextAfterLane: 'we_5', earliest: -7000 })).toEqual(wholeLanes)
  expect(claim(10, { afterLane: 'we_5', nextAfterLane: 'we_8', earliest: -9000 })).toEqual(wholeLanes)
  expect(claim(20, { afterLane: 'we_8', earliest: -8000 })).toEqual(wholeLanes)
  expect(claim(2019, { nextAfterLane: 'we_5' })).toEqual(at(-9000))
  expect(claim(5000, { afterLane: 'we_5' })).toEqual(at(-9000))
  expect(claim(5002)).toEqual(wholeLanes)
})

test('a tour that restarts before its end finds no floor', () => {
  const claim = makeClaims()
  claim(0, { nextAfterLane: 'we_5' })
  expect(claim(10)).toEqual(wholeLanes)
  expect(claim(11)).toEqual(at(-1990))
})

test('slow full tours are made less often, but at least once a minute', () => {
  const claim = makeClaims()
  claim(0, { tookMs: 500 })
  expect(claim(9999)).toEqual(at(-2000))
  expect(claim(60_001, { tookMs: 50_000 })).toEqual(wholeLanes)
  expect(claim(120_000)).toEqual(at(58_001))
  expect(claim(120_002)).toEqual(wholeLanes)
})

test('another worker starts with its own floor', () => {
  const claim = makeClaims()
  claim(0)
  expect(claim(1, { workerId: 'worker_2' })).toEqual(wholeLanes)
})

test('without a minimum interval, a floor is used only after a slow tour, for twenty times its duration', () => {
  const claim = makeClaims({ atLeast: 0, atMost: 2_000 })
  claim(0, { tookMs: 0 })
  expect(claim(1, { tookMs: 1 })).toEqual(wholeLanes)
  expect(claim(30, { tookMs: 10 })).toEqual(at(-1999))
  expect(claim(40, { tookMs: 10 })).toEqual(wholeLanes)
  expect(claim(239)).toEqual(at(-1960))
  expect(claim(241)).toEqual(wholeLanes)
})

test('scans whole lanes again when the store’s clock was set back', () => {
  const claim = makeClaims()
  claim(0, { storeMs: 3_600_000 })
  expect(claim(1, { storeMs: 10 })).toEqual(at(3_598_000))
  expect(claim(2, { storeMs: 11 })).toEqual(wholeLanes)
  expect(claim(3, { storeMs: 12 })).toEqual(at(-1989))
})
