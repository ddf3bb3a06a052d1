import { expect, test } from 'vitest'
import { estimateSummary } from './estimate-summary.ts'

const usage = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens, steps: 2 })
const price = { model: 'large', inputPrice: 10, outputPrice: 50 }

test('averages the automation’s own runs, and the organization’s without any', () => {
  const runs = { ofAutomation: [usage(1000, 100), usage(2001, 200)], ofOrganization: [usage(9000, 900)] }
  expect(estimateSummary({ ...runs, price })).toEqual({
    basis: 'automation',
    runCount: 2,
    inputTokens: 1501,
    outputTokens: 150,
    cost: (1501 * 10 + 150 * 50) / 1_000_000,
  })
  expect(estimateSummary({ ...runs, ofAutomation: [], price })).toMatchObject({ basis: 'organization', runCount: 1, inputTokens: 9000 })
})

test('states no cost without a price, and nothing without earlier runs', () => {
  expect(estimateSummary({ ofAutomation: [usage(1, 1)], ofOrganization: [], price: undefined })).toMatchObject({ cost: null })
  expect(estimateSummary({ ofAutomation: [], ofOrganization: [], price })).toBeNull()
})
