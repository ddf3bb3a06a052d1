import type { ConditionState, RunCondition as Condition } from '../../../model/automation.ts'
import { compares } from './compare-numbers.ts'

/** A new result of the watched reference, with the facts its condition depends on. */
export interface ResultFacts {
  runId: string
  /** The reference's title, used in findings. */
  title: string
  rowCount: number
  resultHash: string
  /** For a condition on a column's values. */
  column?: ColumnFacts
}

export type ColumnFacts =
  /** The first matching value; null if none matches. */
  | { kind: 'read'; found: string | null }
  | { kind: 'missing'; columns: string[] }
  /** The column's values are not numbers but of this type. */
  | { kind: 'not_numbers'; type: string }

export interface Judgment {
  state: ConditionState
  /** Whether the automation should run. */
  isTriggered: boolean
}

/** Pure: decides without side effects. */
export function judge(options: {
  condition: Condition
  facts: ResultFacts
  previous: ConditionState | null
  now: Date
}): Judgment {
  const { condition, facts, previous, now } = options
  const { isMet, finding } = evaluate(condition, facts, previous)
  if (isMet === undefined) return unjudged({ finding, previous, now })
  const wasMet = previous?.isMet ?? false
  const isTriggered = isMet && (condition.kind === 'changed' || condition.everyTime === true || !wasMet)
  const { runId, resultHash } = facts
  return { state: { runId, resultHash, isMet, judgedAt: now.toISOString(), finding }, isTriggered }
}

/** A result that cannot be evaluated changes nothing: the previous state is assumed to hold. */
export function unjudged(options: { finding: string; previous: ConditionState | null; now: Date }): Judgment {
  const { finding, previous, now } = options
  const before = previous ?? { runId: null, resultHash: null, isMet: false }
  return { state: { ...before, judgedAt: now.toISOString(), finding }, isTriggered: false }
}

interface Finding {
  /** Undefined if it cannot be determined. */
  isMet?: boolean
  finding: string
}

function evaluate(condition: Condition, facts: ResultFacts, previous: ConditionState | null): Finding {
  const reference = `the reference ${JSON.stringify(facts.title)}`
  switch (condition.kind) {
    case 'row_count':
      return evaluateRowCount(condition, facts, reference)
    case 'value':
      return evaluateValue(condition, facts, reference)
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

function evaluateRowCount(
  { comparison, number }: Condition & { kind: 'row_count' },
  { rowCount }: ResultFacts,
  reference: string,
): Finding {
  const isMet = compares(rowCount, comparison, number)
  const verb = isMet ? 'is' : 'is not'
  return { isMet, finding: `${capital(reference)} has ${rows(rowCount)}, which ${verb} ${comparison} ${number}.` }
}

function evaluateValue(
  { column, comparison, number }: Condition & { kind: 'value' },
  facts: ResultFacts,
  reference: string,
): Finding {
  const name = JSON.stringify(column)
  const read = facts.column
  if (!read) throw new Error('A condition on a column was evaluated without reading the column.')
  switch (read.kind) {
    case 'missing':
      return { finding: `The result of ${reference} has no column ${name}. It has ${listed(read.columns)}.` }
    case 'not_numbers':
      return { finding: `The column ${name} of ${reference} has values of type ${read.type}, which are not numbers.` }
    case 'read':
      if (read.found === null) {
        return { isMet: false, finding: `No row of ${reference} has ${name} ${comparison} ${number}.` }
      }
      return { isMet: true, finding: `A row of ${reference} has ${name} = ${read.found}, which is ${comparison} ${number}.` }
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
