import type { MemoryRun, MemoryRunInput, MemoryWork, WorkRules } from './memory-work.ts'

/** The results that runs read, like the SQL store's table and the trigger that settles it. */
export function insertRunInputs(work: MemoryWork, run: MemoryRun, inputs: readonly MemoryRun[]): void {
  for (const [position, input] of inputs.entries()) {
    work.insert('runInputs', { id: `${run.id} ${position}`, runId: run.id, inputRunId: input.id, ...outcomeOf(input) })
  }
}

export const inputsOf = (work: MemoryWork, runId: string): MemoryRunInput[] => [...work.runInputs.values()].filter((input) => input.runId === runId)

/** A failed input does not delay a run: then the run fails, too. */
export function hasItsInputs(work: MemoryWork, rules: WorkRules, { id }: MemoryRun): boolean {
  const inputs = inputsOf(work, id)
  return !rules.areInputsAwaited || inputs.some(({ status }) => status === 'failed') || inputs.every(({ status }) => status !== 'waiting')
}

/** In the transaction that ends a run: tells the runs that read it. */
export function settleInputs(work: MemoryWork, run: MemoryRun): void {
  for (const input of work.runInputs.values()) {
    if (input.inputRunId === run.id && input.status === 'waiting') work.write('runInputs', input, outcomeOf(run))
  }
}

/** For a broken store, which looks for the latest results when it claims a run. */
export function replaceInputs(work: MemoryWork, run: MemoryRun): void {
  for (const input of inputsOf(work, run.id)) {
    const { queryId } = work.runs.get(input.inputRunId)!
    const latest = [...work.runs.values()].findLast((each) => each.queryId === queryId && each.status === 'completed')
    if (latest && latest.id !== input.inputRunId) work.write('runInputs', input, { inputRunId: latest.id, ...outcomeOf(latest) })
  }
}

function outcomeOf({ status, resultHash }: MemoryRun): Pick<MemoryRunInput, 'status' | 'resultHash'> {
  return status === 'completed' || status === 'failed' ? { status, resultHash } : { status: 'waiting', resultHash: null }
}
