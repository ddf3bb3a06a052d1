import type { ModelUsage } from '../../../model/agent-run.ts'
import type { StepUsage } from './step-usage.ts'
import { bounds } from './model-limits.ts'

/**
 * Counts what a run has used and checks it against the limits. Each check returns the reason why the run has to end, or undefined
 * if it may continue.
 */
export interface Tally {
  usage(): ModelUsage
  addUsage(used: StepUsage): void
  /** Called before each step. */
  beginStep(): string | undefined
  stepsLeft(): number
  /** Called before each tool call. */
  beginCall(call: { name: string; input: unknown }): string | undefined
  /** Called after it; `error` is the error sent to the model if the call failed. */
  endCall(error: string | undefined): string | undefined
}

export function openTally(): Tally {
  const usage: ModelUsage = { inputTokens: 0, outputTokens: 0, steps: 0 }
  const timesCalled = new Map<string, number>()
  let callCount = 0
  let errorsInARow = 0
  return {
    usage: () => ({ ...usage }),
    addUsage({ inputTokens, outputTokens }) {
      usage.inputTokens += inputTokens
      usage.outputTokens += outputTokens
    },
    beginStep() {
      if (usage.steps >= bounds.steps) {
        return `The model did not finish within ${bounds.steps} steps. ${advice}`
      }
      const tokens = usage.inputTokens + usage.outputTokens
      if (tokens >= bounds.totalTokens) {
        return `The model has used ${grouped(tokens)} tokens; a run may use ${grouped(bounds.totalTokens)}. ${advice}`
      }
      usage.steps++
      return undefined
    },
    stepsLeft: () => bounds.steps - usage.steps,
    beginCall({ name, input }) {
      const key = JSON.stringify([name, withSortedKeys(input)])
      const times = (timesCalled.get(key) ?? 0) + 1
      timesCalled.set(key, times)
      if (times >= bounds.sameCalls) {
        return `The model repeated itself: it called ${name} ${times} times with the same input. ${advice}`
      }
      callCount++
      return callCount > bounds.toolCalls
        ? `The model called tools more than ${bounds.toolCalls} times. ${advice}`
        : undefined
    },
    endCall(error) {
      errorsInARow = error === undefined ? 0 : errorsInARow + 1
      return errorsInARow >= bounds.toolErrorsInARow
        ? `The last ${errorsInARow} tool calls failed. Last error: ${error} ${advice}`
        : undefined
    },
  }
}

const advice = 'Make the task smaller or clearer, or choose another model.'

const grouped = (count: number) => count.toLocaleString('en-US')

/** The value with object keys in sorted order. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, withSortedKeys(inner)])
}
