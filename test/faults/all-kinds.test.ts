import { expect, test } from 'vitest'
import { checkDueTimes } from './all-kinds.ts'

const at = (minute: number, second = 0) => new Date(Date.UTC(2026, 0, 5, 9, minute, second))
const run = (minute: number, missedCount = 0) => ({ dueAt: at(minute), missedCount })
const from = { createdAt: at(0, 20), nextDueAt: at(5) }

test.for([
  ['each minute has its run', [run(1), run(2), run(3), run(4)], { due: 4, lost: 0, doubled: 0 }],
  ['a late run stands for those that were missed', [run(1), run(2, 2)], { due: 4, lost: 0, doubled: 0 }],
  ['the first one is missing', [run(2), run(3), run(4)], { due: 4, lost: 1, doubled: 0 }],
  ['one in the middle is missing', [run(1), run(2), run(4)], { due: 4, lost: 1, doubled: 0 }],
  ['the last one is missing', [run(1), run(2), run(3)], { due: 4, lost: 1, doubled: 0 }],
  ['one has two runs', [run(1), run(2), run(2), run(3), run(4)], { due: 4, lost: 0, doubled: 1 }],
  ['none has a run', [], { due: 4, lost: 4, doubled: 0 }],
] as const)('counts due times: %s', ([, runs, counts]) => {
  expect(checkDueTimes([...runs], from)).toEqual(counts)
})
