import type { Condition, ConditionState } from '../../../model/automation.ts'
import { compares } from './compare-numbers.ts'

/** A new result of the watched reference, with what its condition asks about it. */
export interface ResultFacts {
  runId: string
  /** The reference's title, which findings call it by. */
  title: string
  rowCount: number
  resultHash: string
  /** For a condition about a column's values. */
  column?: ColumnFacts
}

export type ColumnFacts =
  /** The first value that compares as the condition says; null when none does. */
  | { kind: 'read'; found: string | null }
  | { kind: 'missing'; columns: string[] }
  /** Its values are no numbers, but of this type. */
  | { kind: 'not_numbers'; type: string }

export interface Judgement {
  state: ConditionState
  /** Whether the automation is to run. */
  isTriggered: boolean
}

/** Decides, and does nothing. */
export function judge(options: {
  condition: Condition
  facts: ResultFacts
  previous: ConditionState | null
  now: Date
}): Judgement {
  const { condition, facts, previous, now } = options
  const { isMet, finding } = look(condition, facts, previous)
  if (isMet === undefined) return unjudged({ finding, previous, now })
  const wasMet = previous?.isMet ?? false
  const isTriggered = isMet && (condition.kind === 'changed' || condition.everyTime === true || !wasMet)
  const { runId, resultHash } = facts
  return { state: { runId, resultHash, isMet, judgedAt: now.toISOString(), finding }, isTriggered }
}

/** A result that cannot be judged ends nothing and begins nothing: what was so before is taken to be so still. */
export function unjudged(options: { finding: string; previous: ConditionState | null; now: Date }): Judgement {
  const { finding, previous, now } = options
  const before = previous ?? { runId: null, resultHash: null, isMet: false }
  return { state: { ...before, judgedAt: now.toISOString(), finding }, isTriggered: false }
}

interface Finding {
  /** Undefined where it cannot be said. */
  isMet?: boolean
  finding: string
}

function look(condition: Condition, facts: ResultFacts, previous: ConditionState | null): Finding {
  const reference = `the reference ${JSON.stringify(facts.title)}`
  switch (condition.kind) {
    case 'row_count':
      return lookAtRowCount(condition, facts, reference)
    case 'value':
      return lookAtValue(condition, facts, reference)
    case 'changed': {
      const before = previous?.resultHash ?? null
      if (before === null) {
        return { isMet: false, finding: `This is the first result of ${reference}; the next one is compared with it.` }
      }
      const isMet = before !== facts.resultHash
      const change = `has changed since last time. It has ${rows(facts.rowCount)} now.`
      return { isMet, finding: `The result of ${reference} ${isMet ? change : 'is the same as last time.'}` }
    }
  }
}

function lookAtRowCount(
  { comparison, number }: Condition & { kind: 'row_count' },
  { rowCount }: ResultFacts,
  reference: string,
): Finding {
  const isMet = compares(rowCount, comparison, number)
  const verb = isMet ? 'is' : 'is not'
  return { isMet, finding: `${capital(reference)} has ${rows(rowCount)}, which ${verb} ${comparison} ${number}.` }
}

function lookAtValue(
  { column, comparison, number }: Condition & { kind: 'value' },
  facts: ResultFacts,
  reference: string,
): Finding {
  const name = JSON.stringify(column)
  const read = facts.column
  if (!read) throw new Error('A condition about a column is judged without having read it.')
  switch (read.kind) {
    case 'missing':
      return { finding: `The result of ${reference} has no column ${name}. It has ${listed(read.columns)}.` }
    case 'not_numbers':
      return { finding: `The column ${name} of ${reference} holds values of the type ${read.type}, which are no numbers.` }
    case 'read':
      if (read.found === null) {
        return { isMet: false, finding: `No row of ${reference} has a ${name} that is ${comparison} ${number}.` }
      }
      return { isMet: true, finding: `A row of ${reference} has the ${name} ${read.found}, which is ${comparison} ${number}.` }
  }
}

const rows = (count: number) => (count === 1 ? '1 row' : `${count} rows`)
const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)

const listedMax = 20

function listed(columns: string[]): string {
  const names = columns.slice(0, listedMax).map((name) => JSON.stringify(name))
  if (columns.length > listedMax) names.push(`${columns.length - listedMax} more`)
  return names.join(', ')
}
