import fc from 'fast-check'
import type { ListName } from '../../src/model/page.ts'

/**
 * A history of the two lists as data. Numbers called `pick` select among the items that exist when the command runs, so that any
 * list of commands is a valid history, and so is any part of one.
 */
export type Command =
  | { kind: 'begin' }
  | { kind: 'end'; pick: number; commits: boolean }
  | { kind: 'clock'; byMs: number }
  | { kind: 'prune'; pick: number; batchSize: number }
  | { kind: 'start'; list: ListName; limit: number; concurrently: Write | null }
  | { kind: 'next'; pick: number; back: number; limit: number; concurrently: Write | null }
  | Write

/** A command that changes rows. `by` selects one of the open transactions, or none. */
export type Write =
  | { kind: 'add query'; by: number }
  | { kind: 'add reference'; by: number; pick: number; isOptimistic: boolean }
  | { kind: 'change reference'; by: number; pick: number; change: Change; savepoint: 'none' | 'released' | 'undone' }
  | { kind: 'delete reference'; by: number; pick: number }
  | { kind: 'restore reference'; by: number; pick: number }
  | { kind: 'add run'; by: number; pick: number }
  | { kind: 'claim run'; by: number }
  | { kind: 'end run'; by: number; pick: number; completes: boolean }
  | { kind: 'fail pending run'; by: number; pick: number }
  | { kind: 'fail abandoned runs' }
  | { kind: 'renew leases' }
  | { kind: 'expire unsaved queries' }
  | { kind: 'commit'; pick: number }

export type Change = 'title' | 'description' | 'no description' | 'query'

const pick = fc.nat(1000)
const by = fc.nat(11)
const kind = <const Kind extends string>(value: Kind) => fc.constant(value)

const write: fc.Arbitrary<Write> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: kind('add query'), by }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('add reference'), by, pick, isOptimistic: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: kind('change reference'),
      by,
      pick,
      change: fc.constantFrom<Change>('title', 'description', 'no description', 'query', 'query'),
      savepoint: fc.constantFrom('none', 'none', 'released', 'undone'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind('delete reference'), by, pick }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('restore reference'), by, pick }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('add run'), by, pick }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('claim run'), by }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('end run'), by, pick, completes: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('fail pending run'), by, pick }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('fail abandoned runs') }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('renew leases') }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('expire unsaved queries') }) },
)

const list = fc.constantFrom<ListName>('queries', 'references')
const limit = fc.integer({ min: 1, max: 5 })
const concurrently = fc.option(fc.oneof(write, fc.record({ kind: kind('commit'), pick })))

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 30, arbitrary: write },
  { weight: 5, arbitrary: fc.record({ kind: kind('begin') }) },
  { weight: 5, arbitrary: fc.record({ kind: kind('end'), pick, commits: fc.nat(3).map((n) => n > 0) }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('clock'), byMs: fc.constantFrom(-3_600_000, -1, 1, 2000) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('prune'), pick, batchSize: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 5, arbitrary: fc.record({ kind: kind('start'), list, limit, concurrently }) },
  { weight: 10, arbitrary: fc.record({ kind: kind('next'), pick, back: fc.nat(7), limit, concurrently }) },
)

export const histories = fc.array(command, { minLength: 20, maxLength: 90, size: 'max' })
