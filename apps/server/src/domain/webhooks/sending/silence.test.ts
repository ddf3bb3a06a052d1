import { expect, test } from 'vitest'
import { chooseSilent } from './silence.ts'

test('the endpoints that have waited the longest get the requests', () => {
  const lanes = [5, 3, 9].map((usedMs) => ({ usedMs }))
  const chosenWith = (requests: number) => chooseSilent(lanes, { requests, atMs: 0 }).map(({ usedMs }) => usedMs)
  expect([-1, 0.9, 1, 2.5, 10].map(chosenWith)).toEqual([[], [], [3], [3, 5], [3, 5, 9]])
})
