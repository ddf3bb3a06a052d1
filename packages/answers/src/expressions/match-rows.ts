import type { Column } from '../classify-columns.ts'
import { compare, type Decimal, readDecimal } from '../decimal.ts'
import { labelKey, type ResultView } from '../result-view.ts'
import { readTime } from '../time-steps.ts'
import { type Condition, ExpressionError, type Literal, type Operator } from './expression.ts'

export type Row = readonly unknown[]
type Test = (row: Row) => boolean

const maxListed = 30

/** Finds a column by its name; upper and lower case matter only if two columns differ in nothing else. */
export function findColumn({ columns }: ResultView, name: string): Column {
  const exact = columns.find((column) => column.name === name)
  if (exact) return exact
  const similar = columns.filter((column) => column.name.toLowerCase() === name.toLowerCase())
  if (similar.length === 1) return similar[0]!
  const names = columns.slice(0, maxListed).map((column) => column.name)
  throw new ExpressionError(`There is no column ${name}. The columns are ${names.join(', ')}${columns.length > maxListed ? ', …' : ''}.`)
}

/** A test for rows that meet all conditions. As in SQL, a comparison with NULL is never true. */
export function makeTest(view: ResultView, conditions: readonly Condition[], findView: (source: string) => ResultView): Test {
  const tests = conditions.map((condition) => testOf(view, condition, findView))
  if (tests.length === 1) return tests[0]!
  return (row) => tests.every((test) => test(row))
}

function testOf(view: ResultView, condition: Condition, findView: (source: string) => ResultView): Test {
  const column = findColumn(view, condition.column)
  const { index } = column
  const isNull = (row: Row) => row[index] === null || row[index] === undefined
  if (condition.kind === 'null') return condition.isNegated ? (row) => !isNull(row) : isNull
  if (condition.kind === 'in_source') {
    const labels = labelsIn(findView(condition.source), condition)
    return (row) => !isNull(row) && labels.has(labelKey(row[index])) !== condition.isNegated
  }
  const comparer = makeComparer(view, column)
  if (condition.kind === 'in') {
    const tests = condition.literals.map(comparer)
    return (row) => !isNull(row) && tests.some((compareWith) => compareWith(row[index]) === 0) !== condition.isNegated
  }
  const compareWith = comparer(condition.literal)
  const holds = holdsFor[condition.operator]
  return (row) => {
    if (isNull(row)) return false
    const order = compareWith(row[index])
    return order !== undefined && holds(order)
  }
}

function labelsIn(view: ResultView, { column: name, source }: { column: string; source: string }): ReadonlyMap<string, unknown> {
  const column = findColumn(view, name)
  const labels = view.labelColumns.find((one) => one.column === column)?.labels
  if (!labels) throw new ExpressionError(`${name} does not name rows, so it cannot be looked up in ${source}.`)
  return labels
}

const holdsFor: Record<Operator, (order: number) => boolean> = {
  '=': (order) => order === 0,
  '!=': (order) => order !== 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
}

/** How a cell compares with a literal; undefined if it cannot be compared, as NaN. */
type CompareWith = (value: unknown) => number | undefined

function makeComparer({ result }: ResultView, column: Column): (literal: Literal) => CompareWith {
  const { type, name } = result.fields[column.index]!
  switch (type) {
    case 'integer':
    case 'number':
    case 'decimal':
      return (literal) => {
        const number = literal.kind === 'boolean' ? undefined : readDecimal(literal.text)
        if (!number) throw new ExpressionError(`${name} holds numbers; ${literal.text} is not one.`)
        return (value) => compareNumber(value, number)
      }
    case 'date':
    case 'timestamp':
      return (literal) => {
        const ms = readTimeLiteral(literal.text)
        if (ms === undefined) throw new ExpressionError(`${name} holds dates; write them as '2025-12-01'.`)
        return (value) => {
          const time = readTime(value)
          return time === undefined ? undefined : time - ms
        }
      }
    case 'boolean':
      return (literal) => {
        const text = literal.text.toLowerCase()
        if (text !== 'true' && text !== 'false') throw new ExpressionError(`${name} is true or false; ${literal.text} is neither.`)
        return (value) => (String(value) === text ? 0 : text === 'true' ? -1 : 1)
      }
    case 'string':
      return ({ text }) => (value) => (value === text ? 0 : String(value) < text ? -1 : 1)
    case 'json':
      throw new ExpressionError(`${name} holds JSON, which cannot be compared. Extract the field in SQL.`)
  }
}

function compareNumber(value: unknown, number: Decimal): number | undefined {
  const read = readDecimal(value)
  return read && compare(read, number)
}

/** A month may be written as `2025-12`, a year as `2025`. */
function readTimeLiteral(text: string): number | undefined {
  const iso = text.trim().replace(' ', 'T')
  if (/^\d{4}$/.test(iso)) return readTime(`${iso}-01-01`)
  return readTime(/^\d{4}-\d\d$/.test(iso) ? `${iso}-01` : iso)
}
