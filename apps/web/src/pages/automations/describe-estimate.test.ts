import { expect, test } from 'vitest'
import { describeEstimate } from './describe-estimate.ts'

const estimate = { basis: 'automation' as const, runCount: 2, inputTokens: 1000, outputTokens: 200, cost: 0.25 }

test('multiplies the estimate by the number of summaries and says where it comes from', () => {
  expect(describeEstimate({ estimate, currency: 'EUR' }, 4)).toBe(
    'About 4,800 tokens, judging by the last 2 runs of this automation. That’s about 1.00 EUR.',
  )
  const other = { ...estimate, basis: 'organization' as const, runCount: 1, cost: null }
  expect(describeEstimate({ estimate: other, currency: null }, 1)).toBe(
    'About 1,200 tokens, judging by the last run of your automations. No price is set for the model.',
  )
})

test('says so if there is nothing to judge by', () => {
  expect(describeEstimate({ estimate: null, currency: 'EUR' }, 2)).toMatch(/can’t be estimated/)
})
