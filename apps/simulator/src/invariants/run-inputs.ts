import type { WorkChange } from '../store/memory-work.ts'
import { inputsOf } from '../store/memory-run-inputs.ts'
import type { Judge, Observed } from '../world/observed.ts'
import { firstOf } from './1-reaches-its-end.ts'

type RunChange = Extract<WorkChange, { table: 'runs' }>
type InputChange = Extract<WorkChange, { table: 'runInputs' }>

/**
 * Runs that read the results of others. A run starts only after all its inputs have ended, or one of them has failed. It reads the results of
 * the runs that were chosen when it was requested, whatever has run since. It completes only if all its inputs have.
 */
export function runInputs(observed: Observed): Judge {
  const { tables } = observed.work!

  function judgeRun({ before, after }: RunChange): string | undefined {
    if (!before || before.status === after.status) return undefined
    const inputs = inputsOf(tables, after.id).map(({ inputRunId }) => tables.runs.get(inputRunId)!)
    if (after.status === 'running' && !inputs.some(({ status }) => status === 'failed')) {
      const open = inputs.find(({ status }) => status !== 'completed')
      if (open) return `run ${after.id} started while its input ${open.id} was ${open.status}`
    }
    const failed = inputs.find(({ status }) => status === 'failed')
    return after.status === 'completed' && failed ? `run ${after.id} completed although its input ${failed.id} failed` : undefined
  }

  function judgeInput({ before, after }: InputChange): string | undefined {
    const { runId, inputRunId, status, resultHash } = after
    if (before && before.inputRunId !== inputRunId) return `run ${runId} reads ${inputRunId} instead of ${before.inputRunId}`
    if (before && before.status !== 'waiting') return `the input ${inputRunId} of run ${runId} was ${before.status} and was written again`
    const input = tables.runs.get(inputRunId)!
    if (status === 'waiting') return undefined
    return input.status === status && input.resultHash === resultHash ? undefined : `run ${runId} reads ${resultHash} of ${inputRunId}, which is ${input.status} with ${input.resultHash}`
  }

  return {
    invariant: 'run inputs',
    committed: ({ work: changes }) =>
      firstOf(changes, (change) =>
        change.table === 'runs' ? judgeRun(change) : change.table === 'runInputs' ? judgeInput(change) : undefined,
      ),
    stepped: () => undefined,
    ended: () =>
      firstOf(tables.runInputs.values(), ({ runId, inputRunId, status }) =>
        status === 'waiting' ? `run ${runId} still waits for ${inputRunId} at the end` : undefined,
      ),
  }
}
