import type { ModelUsage } from '../../../model/agent-run.ts'
import type { ModelPrice } from '../../../model/model-budget.ts'

/** What one past summary will use of the model, roughly. */
export interface SummaryEstimate {
  /** Whose earlier runs it is an average of. */
  basis: 'automation' | 'organization'
  runCount: number
  inputTokens: number
  outputTokens: number
  /** Null if the model has no price. */
  cost: number | null
}

/** The average of the automation's own runs; without any, of the organization's. Null if there are none to judge by. Pure. */
export function estimateSummary(options: {
  ofAutomation: readonly ModelUsage[]
  ofOrganization: readonly ModelUsage[]
  price: ModelPrice | undefined
}): SummaryEstimate | null {
  const { ofAutomation, ofOrganization, price } = options
  const basis = ofAutomation.length > 0 ? 'automation' : 'organization'
  const runs = basis === 'automation' ? ofAutomation : ofOrganization
  if (runs.length === 0) return null
  const average = (count: (usage: ModelUsage) => number) => Math.round(runs.reduce((sum, usage) => sum + count(usage), 0) / runs.length)
  const inputTokens = average((usage) => usage.inputTokens)
  const outputTokens = average((usage) => usage.outputTokens)
  const cost = price ? (inputTokens * price.inputPrice + outputTokens * price.outputPrice) / 1_000_000 : null
  return { basis, runCount: runs.length, inputTokens, outputTokens, cost }
}
