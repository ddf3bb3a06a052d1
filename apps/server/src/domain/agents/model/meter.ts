import type { ModelUsage } from '../../../model/agent-run.ts'
import type { Db } from '../../../store/db.ts'
import { addModelUsage } from '../../../store/model-budgets/add-model-usage.ts'
import { AgentFailure, type AgentTask } from '../../agent-runs/agent.ts'
import { requireModelBudget } from '../../model-budgets/require-model-budget.ts'
import { Refusal } from '../../refusal.ts'
import type { StepUsage } from './step-usage.ts'

/** Records what a run uses of the organization's budget, and stops it at a limit. */
export interface Meter {
  /** Called before each step. Throws an `AgentFailure` whose cause is the `model_budget_exhausted` refusal. */
  requireBudget(usedByRun: ModelUsage): Promise<void>
  /**
   * Records the tokens of one request to the model. They are billed even if the run starts over, so each attempt counts. If the process
   * dies, at most the request in flight is missing.
   */
  add(usage: StepUsage): Promise<void>
}

type MeteredTask = Pick<AgentTask, 'caller' | 'automationId' | 'evaluation' | 'chatId'>

export function openMeter(deps: { db: Db }, { task, model }: { task: MeteredTask; model: string }): Meter {
  const { organizationId, userId } = task.caller
  return {
    async requireBudget(usage) {
      try {
        await requireModelBudget(deps, task.caller)
      } catch (error) {
        throw error instanceof Refusal ? new AgentFailure(error.message, { usage, cause: error }) : error
      }
    },
    async add({ inputTokens, outputTokens }) {
      const sourceId = task.automationId ?? task.evaluation?.id ?? task.chatId
      await addModelUsage(deps.db, { organizationId, userId, sourceId, model, inputTokens, outputTokens })
    },
  }
}

export const isBudgetExhausted = (error: unknown): error is AgentFailure =>
  error instanceof AgentFailure && error.cause instanceof Refusal && error.cause.code === 'model_budget_exhausted'
