import { expect, test } from 'vitest'
import { fullBudget, renewBudget, spendBudget, waitForBudgetMs } from './request-budget.ts'

const pace = { atOnce: 16, perSecond: 32 }

test('is renewed over time, up to what may begin at once', () => {
  const spent = spendBudget(fullBudget(pace), 16)
  expect(spent.requests).toBe(0)
  expect(renewBudget(spent, pace, 250).requests).toBe(8)
  expect(renewBudget(renewBudget(spent, pace, 125), pace, 250).requests).toBe(8)
  expect(renewBudget(spent, pace, 60_000).requests).toBe(16)
})

test('says how long until the next request may begin', () => {
  expect([-1, 0, 0.5, 1, 9].map((requests) => waitForBudgetMs({ requests, atMs: 0 }, pace))).toEqual([62.5, 31.25, 15.625, 0, 0])
})
