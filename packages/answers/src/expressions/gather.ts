import { add, compare, type Decimal, decimalText, divide, makeSum, readDecimal } from '../decimal.ts'
import { labelKey } from '../result-view.ts'
import { ExpressionError, type Operand } from './expression.ts'

/** A value of an operand: a number, or a cell of another kind. */
export type RawValue = { kind: 'number'; number: Decimal } | { kind: 'cell'; cell: unknown }

/** Takes the cells of the matching rows, one after another. */
export interface Gatherer {
  /** Returns true if this row is the one that the value comes from, so far. Its labels replace those of earlier rows. */
  add(cell: unknown, group: string): boolean
  /** Undefined if the value is NULL. */
  value(): RawValue | undefined
}

/** How many places averages and ratios have, which are rarely finite. */
export const quotientPlaces = 10
const two: Decimal = { units: 2n, scale: 0 }

export function makeGatherer(operand: Operand, isNumeric: boolean): Gatherer {
  if (operand.by.length === 0) return gathererOf(operand, isNumeric)
  return isNumeric ? ofSums(gathererOf(operand, isNumeric)) : refuse(operand.kind, operand.column!)
}

/** Adds up the cells of each group, and passes the sums on at the end. */
function ofSums(gatherer: Gatherer): Gatherer {
  const sums = new Map<string, Gatherer>()
  return {
    add(cell, group) {
      const sum = sums.get(group) ?? total('sum')
      sums.set(group, sum)
      sum.add(cell, group)
      return false
    },
    value() {
      for (const [group, sum] of sums) {
        const value = sum.value()
        if (value?.kind === 'number') gatherer.add(decimalText(value.number), group)
      }
      return gatherer.value()
    },
  }
}

function gathererOf({ kind, column, isDistinct }: Operand, isNumeric: boolean): Gatherer {
  switch (kind) {
    case 'rows':
    case 'count':
      return isDistinct ? countDistinct() : countCells(column === null)
    case 'value':
    case 'first':
      return firstCell(isNumeric)
    case 'last':
      return lastCell(isNumeric)
    case 'sum':
    case 'avg':
      return isNumeric ? total(kind) : refuse(kind, column!)
    case 'median':
      return isNumeric ? median() : refuse(kind, column!)
    case 'min':
      return extreme(-1, isNumeric)
    case 'max':
      return extreme(1, isNumeric)
  }
}

function refuse(kind: string, column: string): never {
  throw new ExpressionError(`${column} does not hold numbers, so ${kind}(…) has no meaning. Use count(distinct ${column}), min or max.`)
}

const isNull = (cell: unknown) => cell === null || cell === undefined

function readNumber(cell: unknown): Decimal {
  const number = readDecimal(cell)
  if (!number) throw new ExpressionError(`One of the values is ${labelKey(cell)}, which is not a number that can be computed with.`)
  return number
}

const valueOf = (cell: unknown, isNumeric: boolean): RawValue | undefined =>
  isNull(cell) ? undefined : isNumeric ? { kind: 'number', number: readNumber(cell) } : { kind: 'cell', cell }

const countOf = (count: number): RawValue => ({ kind: 'number', number: { units: BigInt(count), scale: 0 } })

function countCells(countsNulls: boolean): Gatherer {
  let count = 0
  return {
    add(cell) {
      if (countsNulls || !isNull(cell)) count++
      return false
    },
    value: () => countOf(count),
  }
}

function countDistinct(): Gatherer {
  const seen = new Set<string>()
  return {
    add(cell) {
      if (!isNull(cell)) seen.add(typeof cell === 'object' ? JSON.stringify(cell) : labelKey(cell))
      return false
    },
    value: () => countOf(seen.size),
  }
}

function firstCell(isNumeric: boolean): Gatherer {
  let found: { cell: unknown } | undefined
  return {
    add(cell) {
      if (found) return false
      found = { cell }
      return true
    },
    value: () => found && valueOf(found.cell, isNumeric),
  }
}

function lastCell(isNumeric: boolean): Gatherer {
  let found: unknown
  return {
    add(cell) {
      found = cell
      return true
    },
    value: () => valueOf(found, isNumeric),
  }
}

const notNumbers = new Set<unknown>(['NaN', 'Infinity', '-Infinity'])

function total(kind: 'sum' | 'avg'): Gatherer {
  const sum = makeSum()
  let count = 0
  return {
    add(cell) {
      if (isNull(cell)) return false
      if (notNumbers.has(cell)) readNumber(cell)
      sum.add(cell)
      count++
      return false
    },
    value() {
      const all = sum.total()
      if (!all) return undefined
      const number = kind === 'sum' ? all : divide(all, { units: BigInt(count), scale: 0 }, quotientPlaces)
      return { kind: 'number', number }
    },
  }
}

/** The exact median of at least one number. */
export function medianOf(numbers: readonly Decimal[]): Decimal {
  const sorted = numbers.toSorted(compare)
  const middle = sorted.length >> 1
  const upper = sorted[middle]!
  if (sorted.length % 2 === 1) return upper
  const both = add(sorted[middle - 1]!, upper)
  return divide(both, two, both.scale + 1)
}

function median(): Gatherer {
  const cells: unknown[] = []
  return {
    add(cell) {
      if (!isNull(cell)) cells.push(cell)
      return false
    },
    value() {
      if (cells.length === 0) return undefined
      return { kind: 'number', number: medianOf(cells.map(readNumber)) }
    },
  }
}

function extreme(direction: 1 | -1, isNumeric: boolean): Gatherer {
  let best: { cell: unknown; number?: Decimal } | undefined
  return {
    add(cell) {
      if (isNull(cell)) return false
      if (!isNumeric) {
        if (best && !(direction > 0 ? labelKey(cell) > labelKey(best.cell) : labelKey(cell) < labelKey(best.cell))) return false
        best = { cell }
        return true
      }
      const number = readNumber(cell)
      if (best && compare(number, best.number!) * direction <= 0) return false
      best = { cell, number }
      return true
    },
    value: () => best && (best.number ? { kind: 'number', number: best.number } : { kind: 'cell', cell: best.cell }),
  }
}
