import type { StoredResult } from '../draft.ts'
import { type ResultView, viewOf } from '../result-view.ts'
import { compareValues, type NumberValue, unitOf } from './compare-values.ts'
import { type Evaluated, evaluateAll } from './evaluate.ts'
import {
  type Comparison,
  ExpressionError,
  type Operand,
  operandsOf,
  type Placeholder,
  sourcesOf,
  type Style,
} from './expression.ts'
import { printCell, type PrintedValue, printNumber } from './print-value.ts'
import { writeExpression } from './write-expression.ts'

/** A figure with its value, and everything the judge needs to know about where it comes from. */
export interface ComputedFigure {
  /** As printed, without markup. */
  text: string
  value: string
  unit: string
  /** The run it links to. */
  runId: string
  /** All its runs. */
  runIds: string[]
  /** With run ids instead of names. */
  expression: string
  comparison: Comparison['kind'] | null
  subject: Evaluated
  /** What the subject is compared with. */
  base: Evaluated | null
  /** The sign of a change or difference; null for other figures. */
  direction: -1 | 0 | 1 | null
  style: Style | null
}

export type FigureOutcome = ComputedFigure | { problem: string }
export type Results = ReadonlyMap<string, StoredResult>

/** Computes figures; each result is read once for all of them. */
export function computeFigures(placeholders: readonly Placeholder[], results: Results): FigureOutcome[] {
  const operands = new Map<ResultView, Operand[]>()
  for (const { source, expression } of placeholders) {
    for (const operand of operandsOf(expression)) {
      const result = results.get(operand.source ?? source)
      if (!result) continue
      const view = viewOf(result)
      const those = operands.get(view)
      if (those) those.push(operand)
      else operands.set(view, [operand])
    }
  }
  const findView = (source: string) => viewOf(find(results, source))
  for (const [view, those] of operands) evaluateAll(view, those, findView)
  return placeholders.map((placeholder) => {
    try {
      return computeOne(placeholder, results)
    } catch (error) {
      if (error instanceof ExpressionError) return { problem: error.message }
      throw error
    }
  })
}

function computeOne({ source, expression, style }: Placeholder, results: Results): ComputedFigure {
  const findView = (name: string) => viewOf(find(results, name))
  const evaluate = (operand: Operand): Evaluated => {
    const [outcome] = evaluateAll(findView(operand.source ?? source), [operand], findView)
    if ('problem' in outcome!) throw new ExpressionError(outcome.problem)
    return outcome!
  }
  const main = find(results, source).runId
  const sources = operandsOf(expression).flatMap((operand) => sourcesOf(operand, source))
  // The run that the figure links to comes first.
  const runIds = [...new Set(sources.map((name) => find(results, name).runId))].toSorted((a, b) => Number(b === main) - Number(a === main))
  const text = writeExpression(expression, style, { mainRunId: main, runIdOf: (name) => find(results, name).runId })
  const shared = { runId: main, runIds, expression: text, style }
  if ('base' in expression) {
    const [base, subject] = [evaluate(expression.base), evaluate(expression.subject)]
    const value = compareValues(expression.kind, base, subject)
    const isDirected = expression.kind === 'change' || expression.kind === 'difference'
    const direction = isDirected ? directionOf(value) : null
    const printed = printNumber(value, { kind: expression.kind, style, isIdentifier: false })
    return { ...shared, ...printed, comparison: expression.kind, subject, base, direction }
  }
  const subject = evaluate(expression)
  return { ...shared, ...printOperand(subject, style), comparison: null, subject, base: null, direction: null }
}

function printOperand(evaluated: Evaluated, style: Style | null): PrintedValue {
  const { value, view, column } = evaluated
  if (value.kind === 'cell') return printCell(value.cell, { view, column: column!, style })
  const number = { number: value.number, rounded: null, unit: unitOf(evaluated) }
  return printNumber(number, { kind: null, style, isIdentifier: isName(evaluated) })
}

/** Identifiers and parts of the calendar are printed without separators. */
const isName = ({ column, operand }: Evaluated) => operand.kind !== 'count' && operand.kind !== 'rows' && column?.role === 'key'

const directionOf = ({ number: { units } }: NumberValue) => (units > 0n ? 1 : units < 0n ? -1 : 0)

function find(results: Results, name: string): StoredResult {
  const result = results.get(name)
  if (result) return result
  const names = [...results.keys()].filter((key) => key !== results.get(key)!.runId)
  const known = names.length > 0 ? `The runs are ${names.slice(0, 30).join(', ')}.` : 'Run a query first.'
  throw new ExpressionError(`There is no run ${name}. ${known}`)
}
