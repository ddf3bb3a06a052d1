import { expect, test } from 'vitest'
import { describeUse, fillDays, formatMoney, limitProgress } from './model-use.ts'

const use = { inputTokens: 12_000, outputTokens: 300, requestCount: 4, cost: 0.421 }

test('fills in the days without use', () => {
  const days = fillDays([{ day: '2026-01-04', ...use }], { from: '2026-01-03', days: 3 })
  expect(days.map(({ day, requestCount }) => [day, requestCount])).toEqual([
    ['2026-01-03', 0],
    ['2026-01-04', 4],
    ['2026-01-05', 0],
  ])
})

test('describes tokens, and their cost if it is known', () => {
  expect(describeUse(use, 'EUR')).toBe('12,300 tokens, 0.42 EUR')
  expect(describeUse({ ...use, cost: null }, 'EUR')).toBe('12,300 tokens')
  expect(describeUse({ ...use, inputTokens: 1, outputTokens: 0, cost: null }, null)).toBe('1 token')
})

test.each([
  [0, '0.00 EUR'],
  [0.0012, '0.0012 EUR'],
  [1234.5, '1,234.50 EUR'],
])('formats %d', (amount, text) => expect(formatMoney(amount, 'EUR')).toBe(text))

test('shows how much of each limit is used, at most all of it', () => {
  const spent = [
    { scope: 'organization', period: 'day', tokens: 500, money: 3 },
    { scope: 'person', period: 'month', tokens: 2000, money: 12 },
  ] as const
  const limits = [
    { scope: 'organization', period: 'day', unit: 'tokens', amount: 1000 },
    { scope: 'person', period: 'month', unit: 'money', amount: 10 },
    { scope: 'person', period: 'day', unit: 'tokens', amount: 0 },
  ] as const
  expect(limitProgress({ currency: 'EUR', limits: [...limits], prices: [] }, [...spent])).toEqual([
    { label: 'Organization, today', used: '500 tokens', limit: '1,000 tokens', fraction: 0.5 },
    { label: 'You, this month', used: '12.00 EUR', limit: '10.00 EUR', fraction: 1 },
  ])
})
