import type { Column } from '../classify-columns.ts'
import type { FieldType } from '../field.ts'
import { labelKey, type ResultView } from '../result-view.ts'
import { ExpressionError, type Operand } from './expression.ts'
import { type Gatherer, makeGatherer, type RawValue } from './gather.ts'
import { findColumn, makeTest, type Row } from './match-rows.ts'
import { conditionText } from './write-expression.ts'

/** The value of an operand, and which rows it comes from. */
export interface Evaluated {
  operand: Operand
  view: ResultView
  /** Null for counts of rows. */
  column: Column | null
  value: RawValue
  selection: Selection
}

export interface Selection {
  /** How many rows it was computed from. */
  rowCount: number
  /** Whether these are all rows of the result. */
  isAll: boolean
  /** The labels of these rows by the index of their column, unless these are all rows. */
  labels: Map<number, Set<string>>
  /** For minima and maxima: the labels of the row with that value. */
  extremeLabels: Map<number, string> | null
}

export type Outcome = Evaluated | { problem: string }

const known = new WeakMap<ResultView, Map<string, Outcome>>()

/** Finds another result that a condition names. */
export type FindView = (source: string) => ResultView

/** Evaluates operands over one result in a single pass over its rows. Outcomes are kept with the view. */
export function evaluateAll(view: ResultView, operands: readonly Operand[], findView: FindView): Outcome[] {
  const memory = known.get(view) ?? new Map<string, Outcome>()
  known.set(view, memory)
  const keys = operands.map((operand) => JSON.stringify({ ...operand, source: null }))
  const missing = new Map<string, Operand>()
  for (const [at, key] of keys.entries()) if (!memory.has(key)) missing.set(key, operands[at]!)
  if (missing.size > 0) evaluateMissing(view, { missing, memory, findView })
  return keys.map((key) => memory.get(key)!)
}

interface Work {
  key: string
  operand: Operand
  column: Column | null
  test: ((row: Row) => boolean) | null
  /** The columns whose values form groups. */
  groups: number[]
  gatherer: Gatherer
  selection: Selection
}

function evaluateMissing(
  view: ResultView,
  { missing, memory, findView }: { missing: Map<string, Operand>; memory: Map<string, Outcome>; findView: FindView },
): void {
  let works: Work[] = []
  for (const [key, operand] of missing) {
    const work = orProblem(() => makeWork(view, { key, operand, findView }))
    if ('problem' in work) memory.set(key, work)
    else works.push(work)
  }
  for (const row of view.result.rows) {
    let hasFailed = false
    for (const work of works) {
      try {
        takeRow(view, work, row)
      } catch (error) {
        memory.set(work.key, problemOf(error))
        hasFailed = true
      }
    }
    if (hasFailed) works = works.filter(({ key }) => !memory.has(key))
  }
  for (const work of works) memory.set(work.key, orProblem(() => finish(view, work)))
}

function orProblem<T>(act: () => T): T | { problem: string } {
  try {
    return act()
  } catch (error) {
    return problemOf(error)
  }
}

function problemOf(error: unknown): { problem: string } {
  if (error instanceof ExpressionError) return { problem: error.message }
  throw error
}

const numericTypes = new Set<FieldType>(['integer', 'number', 'decimal'])

function makeWork(view: ResultView, { key, operand, findView }: { key: string; operand: Operand; findView: FindView }): Work {
  const column = operand.column === null ? null : findColumn(view, operand.column)
  const type = column && view.result.fields[column.index]!.type
  if (type === 'json' && operand.kind !== 'count') throw new ExpressionError(`${column!.name} holds JSON. Extract the field in SQL.`)
  const isNumeric = type !== null && numericTypes.has(type)
  if (column && isNumeric && column.isIdentifier && ['sum', 'avg', 'median'].includes(operand.kind)) {
    throw new ExpressionError(`${column.name} identifies rows, so ${operand.kind}(…) has no meaning. Use count(distinct ${column.name}).`)
  }
  const test = operand.conditions.length > 0 ? makeTest(view, operand.conditions, findView) : null
  const selection: Selection = { rowCount: 0, isAll: false, labels: new Map(), extremeLabels: null }
  const groups = operand.by.map((name) => findColumn(view, name).index)
  return { key, operand, column, test, groups, gatherer: makeGatherer(operand, isNumeric), selection }
}

const picksOneRow = ({ kind }: Operand) => kind === 'first' || kind === 'last'

function takeRow(view: ResultView, { operand, column, test, groups, gatherer, selection }: Work, row: Row): void {
  if (test && !test(row)) return
  selection.rowCount++
  const isSource = gatherer.add(column ? row[column.index] : row, groups.length > 0 ? JSON.stringify(groups.map((index) => row[index])) : '')
  if (picksOneRow(operand)) {
    if (isSource) selection.labels = oneByOne(labelsOf(view, row))
    return
  }
  if (isSource && (operand.kind === 'min' || operand.kind === 'max')) selection.extremeLabels = labelsOf(view, row)
  if (test || operand.kind === 'value' || view.rowCount === 1) {
    for (const { column: { index } } of view.labelColumns) {
      const cell = row[index]
      if (cell === null || cell === undefined) continue
      const labels = selection.labels.get(index)
      if (labels) labels.add(labelKey(cell))
      else selection.labels.set(index, new Set([labelKey(cell)]))
    }
  }
}

function labelsOf({ labelColumns }: ResultView, row: Row): Map<number, string> {
  const labels = new Map<number, string>()
  for (const { column: { index } } of labelColumns) {
    const cell = row[index]
    if (cell !== null && cell !== undefined) labels.set(index, labelKey(cell))
  }
  return labels
}

const oneByOne = (labels: Map<number, string>) => new Map([...labels].map(([index, key]) => [index, new Set([key])]))

function finish(view: ResultView, { operand, column, gatherer, selection }: Work): Outcome {
  const { kind, conditions } = operand
  const where = conditions.map((condition) => conditionText(condition)).join(' and ')
  if (selection.rowCount === 0 && kind !== 'count' && kind !== 'rows') return { problem: noRow(view, operand, where) }
  if (kind === 'value' && selection.rowCount > 1) return { problem: severalRows(view, operand, selection, where) }
  const value = gatherer.value()
  if (!value) return { problem: `${operand.column} is NULL${where === '' ? '' : ` where ${where}`}.` }
  if (picksOneRow(operand)) selection.rowCount = 1
  // The only row of a result can be named by its labels, several rows together cannot.
  selection.isAll = selection.rowCount === view.rowCount && view.rowCount !== 1
  return { operand, view, column, value, selection }
}

const maxExamples = 8

function noRow(view: ResultView, { conditions }: Operand, where: string): string {
  if (where === '') return 'The result has no rows.'
  const hints = conditions.flatMap((condition) => {
    const column = findColumn(view, condition.column)
    const labels = view.labelColumns.find((one) => one.column === column)?.labels
    if (!labels) return []
    const examples = [...labels.keys()].slice(0, maxExamples).map((key) => `'${key.slice(0, 60)}'`)
    return [`${column.name} holds ${examples.join(', ')}${labels.size > maxExamples ? ', …' : ''}`]
  })
  return `No row matches ${where}.${hints.length > 0 ? ` ${hints.join('; ')}.` : ''}`
}

function severalRows(view: ResultView, { column }: Operand, { rowCount, labels }: Selection, where: string): string {
  const differing = view.labelColumns.filter(({ column: { index } }) => (labels.get(index)?.size ?? 0) > 1)
  const narrow = differing.map(({ column: { name, index } }) => `${name} = '${[...labels.get(index)!][0]!.slice(0, 60)}'`).slice(0, 3)
  const how = narrow.length > 0 ? `Narrow it with where, for example ${narrow.join(' and ')}, or use` : 'Use'
  const which = where === '' ? `The result has ${rowCount} rows` : `${rowCount} rows match ${where}`
  return `${which}; ${column} needs exactly one. ${how} first, last, sum, avg, min, max or median.`
}
