import type { BrokenEngine } from './broken-engine.ts'

export const brokenRunInputs: readonly BrokenEngine[] = [
  {
    // The run would fail, or read a result from before.
    name: 'run started before its inputs have ended',
    noticedBy: ['run inputs'],
    workRules: { areInputsAwaited: false },
  },
  {
    // Two inputs would be of different times, and nobody could say which results were read.
    name: 'run reads the latest results instead of the chosen ones',
    noticedBy: ['run inputs'],
    workRules: { areInputsPinned: false },
  },
  {
    name: 'run waits for an input that has failed',
    noticedBy: ['run inputs', 'runs', 7],
    workRules: { areFailedInputsNoted: false },
  },
]
