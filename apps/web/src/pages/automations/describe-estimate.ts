import type { ModelBacktest } from '../../api/automations.ts'
import { formatMoney } from '../agent-settings/model-use.ts'

/** What some summaries will cost, roughly, and how we know. */
export function describeEstimate({ estimate, currency }: Pick<ModelBacktest, 'estimate' | 'currency'>, summaryCount: number): string {
  if (!estimate) return 'No automation has completed a run with the model yet, so the cost can’t be estimated. It counts toward your budget.'
  const tokens = (estimate.inputTokens + estimate.outputTokens) * summaryCount
  const cost = estimate.cost === null || currency === null ? 'No price is set for the model.' : `That’s about ${formatMoney(estimate.cost * summaryCount, currency)}.`
  const whose = estimate.basis === 'automation' ? 'this automation' : 'your automations'
  const runs = estimate.runCount === 1 ? 'the last run' : `the last ${estimate.runCount} runs`
  return `About ${tokens.toLocaleString('en')} tokens, judging by ${runs} of ${whose}. ${cost}`
}
