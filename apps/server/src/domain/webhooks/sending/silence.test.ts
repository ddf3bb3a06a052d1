import { expect, test } from 'vitest'
import { chooseSilent, renewSilenceBudget, silenceBudgetAtFirst, silentAtOnce, silentPerSecond, spendSilenceBudget } from './silence.ts'

test('the budget is renewed over time, up to what may begin at once', () => {
  const spent = spendSilenceBudget(silenceBudgetAtFirst, silentAtOnce)
  expect(spent.requests).toBe(0)
  expect(renewSilenceBudget(spent, 250).requests).toBe(silentPerSecond / 4)
  expect(renewSilenceBudget(renewSilenceBudget(spent, 125), 250).requests).toBe(silentPerSecond / 4)
  expect(renewSilenceBudget(spent, 60_000).requests).toBe(silentAtOnce)
})

test('the endpoints that have waited the longest get the requests', () => {
  const lanes = [5, 3, 9].map((usedMs) => ({ usedMs }))
  const chosenWith = (requests: number) => chooseSilent(lanes, { requests, atMs: 0 }).map(({ usedMs }) => usedMs)
  expect([-1, 0.9, 1, 2.5, 10].map(chosenWith)).toEqual([[], [], [3], [3, 5], [3, 5, 9]])
})
