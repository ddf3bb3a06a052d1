import { expect, test } from 'vitest'
import { findSlowSpells, outsideOf } from './processor-gauge.ts'

const samples = (...worksMs: number[]) =>
  worksMs.map((workMs, index) => ({ startedMs: index * 10, endedMs: index * 10 + workMs, workMs }))

test('finds the times at which the same work took much longer than at best', () => {
  expect(findSlowSpells(samples(1, 1.2, 4, 1.4, 1, 8, 9))).toEqual([
    { fromMs: 11.2, toMs: 30 },
    { fromMs: 41, toMs: Infinity },
  ])
  expect(findSlowSpells(samples(1, 1.1, 1.2))).toEqual([])
  expect(findSlowSpells(samples(...Array.from({ length: 20 }, () => 1)).with(0, { startedMs: 0, endedMs: 3, workMs: 3 }))).toEqual([
    { fromMs: -Infinity, toMs: 10 },
  ])
})

test('keeps requests that were answered before a slow spell or sent after it', () => {
  const spells = [
    { fromMs: 100, toMs: 120 },
    { fromMs: 10, toMs: 20 },
  ]
  const request = (sentMs: number, tookMs: number) => ({ sentMs, tookMs })
  const outside = [request(0, 10), request(20, 5), request(50, 50), request(120, 400)]
  const inside = [request(0, 10.1), request(12, 1), request(19, 300), request(99, 2), request(119, 2)]
  expect(outsideOf(spells, [...inside, ...outside])).toEqual(outside)
  expect(outsideOf([], inside)).toEqual(inside)
})
