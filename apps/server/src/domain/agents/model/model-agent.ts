import type { Agent } from '../../agent-runs/agent.ts'
import type { ModelAgentDeps } from './run-task.ts'

/**
 * The *model agent* calls a model in *steps*. In each step the model writes text, calls *tools*, or both; the tools' answers are
 * sent with the next step. Text without a tool call is the final answer.
 *
 * - We run the loop ourselves instead of using the library's, so that cost, failures and repetition are counted (tally.ts).
 * - Everything appears in the chat as it happens, including each tool call.
 * - Prompts, answers and keys are never logged; a step writes one line with its usage.
 */
export function makeModelAgent(services: ModelAgentDeps): Agent {
  return async (task) => {
    // Loaded on first use: the library takes 34 MB, which installations without a model can save.
    const { runTask } = await import('./run-task.ts')
    return runTask(services, task)
  }
}
