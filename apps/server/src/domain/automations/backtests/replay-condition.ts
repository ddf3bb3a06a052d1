import type { ConditionState, RunCondition } from '../../../model/automation.ts'
import { compares } from '../conditions/compare-numbers.ts'
import { type ColumnFacts, judge, type Judgment, type ResultFacts, unjudged } from '../conditions/judge.ts'
import { type Backtest, type BacktestPoint, type Firing, summarizePoints } from './replay-alert.ts'

/** What is known of a past result: its facts, or why they cannot be read. */
export interface PastResult {
  at: Date
  facts: ResultFacts
  fault: string | null
  /** What the condition looks at. */
  value: string | null
}

/** Replays a condition that starts runs over past results, oldest first, with the same decisions as in service. Pure. */
export function replayCondition(condition: RunCondition, results: readonly PastResult[]): Backtest {
  const points: BacktestPoint[] = []
  const firings: Firing[] = []
  let previous: ConditionState | null = null
  // Each of these runs is an event of its own, which does not last.
  const isMomentary = condition.kind === 'changed' || condition.everyTime === true
  for (const { at, facts, fault, value } of results) {
    const judgment: Judgment = fault === null ? judge({ condition, facts, previous, now: at }) : unjudged({ finding: fault, previous, now: at })
    previous = judgment.state
    const { isMet, finding } = judgment.state
    const open = firings.at(-1)
    if (open && !isMet) open.to ??= at
    if (judgment.isTriggered) firings.push({ from: at, to: isMomentary ? at : null, severity: 'info', finding })
    points.push({ at, runId: facts.runId, value, status: fault !== null ? 'failing' : isMet ? 'firing' : 'ok' })
  }
  return { ...summarizePoints(points), firings, messageCount: firings.length }
}

/** The name under which it is stored whether a column has a value that equals a number. */
export const equalName = ({ column, number }: RunCondition & { kind: 'value' }): string => `= ${number} ${column}`

/** The measures that say whether a value matches: mostly the lowest or the highest value. */
export function measuresOfCondition(condition: RunCondition): string[] {
  if (condition.kind !== 'value') return []
  const { column, comparison } = condition
  switch (comparison) {
    case '>':
    case '>=':
      return [`max ${column}`]
    case '<':
    case '<=':
      return [`min ${column}`]
    case '!=':
      return [`min ${column}`, `max ${column}`]
    case '=':
      return [equalName(condition)]
  }
}

/** A value that matches, from the values of `measuresOfCondition`. */
export function columnFacts(condition: RunCondition & { kind: 'value' }, values: readonly (string | null)[]): ColumnFacts {
  const { comparison, number } = condition
  return { kind: 'read', found: values.find((value) => value !== null && compares(value, comparison, number)) ?? null }
}
