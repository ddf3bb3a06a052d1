import type { Agent } from '../../agent-runs/agent.ts'
import type { ModelAgentDeps } from './carry-out-task.ts'

/**
 * The *model agent* asks a model in *steps*. In each the model says something, or calls *tools*, or both; the tools'
 * answers are told to it in the next. What it says without calling a tool is the end.
 *
 * - The loop is ours and not the library's: what a step costs, what fails and what repeats itself is counted here
 *   (tally.ts).
 * - Everything is in the chat as it happens, each tool's call included.
 * - Nothing of a prompt, an answer or a key is logged; a step is one line with what it used.
 */
export function makeModelAgent(services: ModelAgentDeps): Agent {
  return async (task) => {
    // Loaded when it is first needed: the library takes 34 MB, which whoever has no model can do without.
    const { carryOutTask } = await import('./carry-out-task.ts')
    return carryOutTask(services, task)
  }
}
