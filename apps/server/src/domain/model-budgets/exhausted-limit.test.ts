import { describe, expect, test } from 'vitest'
import type { ModelLimit, SpentAmount } from '../../model/model-budget.ts'
import { describeExhaustedLimit, findExhaustedLimit } from './exhausted-limit.ts'

const now = new Date('2026-12-31T22:30:00Z')
const limit = (changes: Partial<ModelLimit> = {}): ModelLimit => ({
  scope: 'organization',
  period: 'day',
  unit: 'tokens',
  amount: 1000,
  ...changes,
})
const spent: SpentAmount[] = [
  { scope: 'organization', period: 'day', tokens: 999, money: 4 },
  { scope: 'organization', period: 'month', tokens: 5000, money: 20 },
  { scope: 'person', period: 'day', tokens: 100, money: 0.4 },
  { scope: 'person', period: 'month', tokens: 800, money: 3 },
]
const find = (...limits: ModelLimit[]) => findExhaustedLimit({ limits, spent, now })

describe('a limit', () => {
  test('is exhausted when the amount is reached, and not before', () => {
    expect(find(limit())).toBeUndefined()
    expect(find(limit({ amount: 999 }))).toMatchObject({ limit: { amount: 999 } })
    expect(find(limit({ amount: 0, scope: 'person' }))).toBeDefined()
    expect(find()).toBeUndefined()
  })

  test.each([
    ['organization', 'day', 'money', 4],
    ['organization', 'month', 'tokens', 5000],
    ['person', 'day', 'tokens', 100],
    ['person', 'month', 'money', 3],
  ] as const)('for %s, %s and %s is compared with its own use', (scope, period, unit, used) => {
    expect(find(limit({ scope, period, unit, amount: used }))).toBeDefined()
    expect(find(limit({ scope, period, unit, amount: used + 0.01 }))).toBeUndefined()
  })

  test('resets at midnight UTC after its day or month', () => {
    expect(find(limit({ amount: 1 }))!.resetsAt).toEqual(new Date('2027-01-01T00:00:00Z'))
    expect(findExhaustedLimit({ limits: [limit({ amount: 1, period: 'month' })], spent, now: new Date('2026-02-28T23:59:59Z') })).toEqual({
      limit: limit({ amount: 1, period: 'month' }),
      resetsAt: new Date('2026-03-01T00:00:00Z'),
    })
  })

  test('that resets last is named if several are exhausted', () => {
    const today = new Date('2026-01-05T09:00:00Z')
    const limits = [limit({ amount: 1 }), limit({ amount: 2, period: 'month' })]
    expect(findExhaustedLimit({ limits, spent, now: today })).toMatchObject({ limit: { amount: 2 } })
  })
})

test('the message says which limit is reached and when it resets', () => {
  const resetsAt = new Date('2026-02-01T00:00:00Z')
  expect(describeExhaustedLimit({ limit: limit({ amount: 1_500_000 }), resetsAt }, null)).toBe(
    'The daily limit of 1,500,000 tokens for the organization is reached. It resets at 2026-02-01 00:00 UTC. ' +
      'An admin can raise it in the agent settings.',
  )
  expect(describeExhaustedLimit({ limit: limit({ amount: 1 }), resetsAt }, null)).toContain('limit of 1 token for')
  const money = limit({ scope: 'person', period: 'month', unit: 'money', amount: 12.5 })
  expect(describeExhaustedLimit({ limit: money, resetsAt }, 'EUR')).toMatch(/^The monthly limit of 12\.50 EUR per person is reached\. /)
})
