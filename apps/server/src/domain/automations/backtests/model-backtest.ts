import type { AutomationInFull } from '../../../model/automation.ts'
import type { Caller } from '../../../model/caller.ts'
import type { ReferenceInFull } from '../../../model/reference.ts'
import { abortAfter } from '../../../ports/clock.ts'
import { readUsageOfAutomation, readUsageOfAutomations } from '../../../store/agent-runs/read-recent-usage.ts'
import { endModelBacktestTurn, takeModelBacktestTurn } from '../../../store/automations/model-backtest-turns.ts'
import type { ResultToReplay } from '../../../store/history/archived-results-table.ts'
import { readModelBudget } from '../../../store/model-budgets/model-budgets-table.ts'
import { AgentFailure } from '../../agent-runs/agent.ts'
import { isBudgetExhausted } from '../../agents/model/meter.ts'
import { getModelAccess } from '../../agents/model/model-settings.ts'
import type { PastTask } from '../../agents/model/replay-task.ts'
import type { ModelAgentDeps } from '../../agents/model/run-task.ts'
import { requireModelBudget } from '../../model-budgets/require-model-budget.ts'
import { badInput } from '../../people/check-text.ts'
import { Refusal } from '../../refusal.ts'
import { getAutomation } from '../automations.ts'
import { checkInstructions } from '../check-automation.ts'
import { estimateSummary, type SummaryEstimate } from './estimate-summary.ts'
import type { PlannedDigest } from './plan-digests.ts'
import { readPastRuns } from './read-past-runs.ts'

/**
 * A *model backtest* has the model write the summaries of an automation's last runs again, from the results that were kept then. Each costs
 * money, so people see an estimate first, and each is a request of its own, which they can cancel.
 */
export interface ModelBacktest {
  model: string
  /** When summaries can be written for, newest first. */
  times: Date[]
  /** For each summary. Null without earlier runs to judge by. */
  estimate: SummaryEstimate | null
  currency: string | null
}

export interface ModelSummary {
  /** Markdown; null if the model did not write one. */
  summary: string | null
  failureReason: string | null
  /** How many of its figures could not be verified. They are struck through. */
  unverifiedCount: number
  inputTokens: number
  outputTokens: number
}

const timesMax = 5
const usagesMax = 20
const limitMs = 180_000
/** Longer than the limit, so that a turn never ends before its summary. */
const turnMs = limitMs + 60_000

/** Which past summaries the model can write, and what they would cost. */
export async function getModelBacktest(deps: ModelAgentDeps, caller: Caller, automationId: string): Promise<ModelBacktest> {
  const { organizationId } = caller
  const { automation, runs } = await readLastRuns(deps, caller, automationId)
  const { model } = await getModelAccess(deps, organizationId)
  const { prices, currency } = await readModelBudget(deps.db, organizationId)
  const estimate = estimateSummary({
    ofAutomation: await readUsageOfAutomation(deps.db, { organizationId, automationId: automation.id, count: usagesMax }),
    ofOrganization: await readUsageOfAutomations(deps.db, { organizationId, count: usagesMax }),
    price: prices.find((price) => price.model === model),
  })
  return { model, times: runs.map(({ at }) => at).toReversed(), estimate, currency }
}

/** Has the model write one past summary, with the automation's instructions or with others. Saves nothing. */
export async function writePastSummary(
  deps: ModelAgentDeps,
  caller: Caller,
  input: { automationId: string; at: string; instructions?: string | undefined; signal: AbortSignal },
): Promise<ModelSummary> {
  const { organizationId } = caller
  const { automation, references, runs } = await readLastRuns(deps, caller, input.automationId)
  const instructions = input.instructions === undefined ? automation.instructions : checkInstructions(input.instructions)
  const run = runs.find(({ at }) => at.getTime() === Date.parse(input.at))
  if (!run) throw badInput('/at', `must be one of the last ${timesMax} times at which the automation had a new result`)
  await requireModelBudget(deps, caller)
  const turn = await takeModelBacktestTurn(deps.db, { organizationId, leaseMs: turnMs })
  if (!turn) {
    throw new Refusal('model_backtest_running', 'The model is writing a past summary for your organization already. Wait until it has ended.')
  }
  try {
    return await replay(deps, { automationId: automation.id, instructions, references, ...run, caller, signal: input.signal })
  } finally {
    await endModelBacktestTurn(deps.db, turn)
  }
}

async function readLastRuns(
  deps: ModelAgentDeps,
  caller: Caller,
  automationId: string,
): Promise<{ automation: AutomationInFull; references: ReferenceInFull[]; runs: PlannedDigest<ResultToReplay>[] }> {
  const { organizationId } = caller
  const automation = await getAutomation(deps, caller, automationId)
  if (automation.agent !== 'model') {
    throw new Refusal('automation_without_model', 'The automation uses the digest, whose past summaries cost nothing. Preview them in its form.')
  }
  const found = await Promise.all(automation.references.map((shortId) => deps.findReference({ organizationId, shortId })))
  const references = found.filter((reference) => reference !== undefined)
  const runs = await readPastRuns(deps, caller, { references, schedule: automation.schedule, now: deps.clock.now() })
  return { automation, references, runs: runs.slice(-timesMax) }
}

/** Failures of the model are part of the answer: they would have been the run's. */
async function replay(deps: ModelAgentDeps, task: PastTask): Promise<ModelSummary> {
  const limit = abortAfter(deps.clock, limitMs)
  try {
    // Loaded on first use, like the model agent.
    const { replayTask } = await import('../../agents/model/replay-task.ts')
    const { summary, figures = [], usage } = await replayTask(deps, { ...task, signal: AbortSignal.any([task.signal, limit.signal]) })
    const unverifiedCount = figures.filter(({ isProven }) => !isProven).length
    return { summary, failureReason: null, unverifiedCount, ...tokensOf(usage) }
  } catch (error) {
    task.signal.throwIfAborted()
    if (isBudgetExhausted(error)) throw error.cause
    if (limit.signal.aborted) return failed(`The model took longer than ${limitMs / 1000} seconds.`)
    if (error instanceof AgentFailure) return failed(error.message, error.usage)
    throw error
  } finally {
    limit.cancel()
  }
}

type Tokens = Pick<ModelSummary, 'inputTokens' | 'outputTokens'>

const tokensOf = ({ inputTokens, outputTokens }: Tokens = { inputTokens: 0, outputTokens: 0 }): Tokens => ({ inputTokens, outputTokens })

const failed = (failureReason: string, usage?: Tokens): ModelSummary => ({
  summary: null,
  failureReason,
  unverifiedCount: 0,
  ...tokensOf(usage),
})
