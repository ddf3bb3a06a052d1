import { compare, decimalText, divide, readColumns, readDecimal } from '@querypost/answers'
import { isPercent } from './cell-formatter.ts'
import { type ColumnSettings, findSettings, type TotalKind } from './column-settings.ts'
import { makeExactSum, writtenDecimals } from './exact-sum.ts'
import { type Field, isNumeric, numberOf } from './fields.ts'

/** Sums are exact, and averages are rounded to this many decimals more than the sum has. */
const moreDecimalsOfAverage = 2

export interface Total {
  kind: TotalKind
  /** Exact, as results hold numbers; null if there is nothing to add up. */
  value: string | null
}

/** The totals of the columns, in the order of the fields; null where a column has none. */
export function columnTotals(
  fields: readonly Field[],
  rows: readonly (readonly unknown[])[],
  columns: readonly ColumnSettings[] = [],
): (Total | null)[] {
  const roles = readColumns([...fields]).map(({ role }) => role)
  return fields.map((field, at) => {
    // Rates, averages and identifiers add up to nothing.
    const isSummed = isNumeric(field) && roles[at] === 'measure' && !isPercent(field)
    const kind = findSettings(columns, field.name)?.total ?? (isSummed ? 'sum' : undefined)
    return kind ? { kind, value: totalOf(kind, rows.map((row) => row[at])) } : null
  })
}

/** Null if no value is a number; a count is never null. */
export function totalOf(kind: TotalKind, values: Iterable<unknown>): string | null {
  const aggregate = makeAggregate(kind)
  for (const value of values) aggregate.add(value)
  return aggregate.result()
}

/** Combines the values of a column into one. */
export interface Aggregate {
  add(value: unknown): void
  /** Adds everything that another aggregate of the same kind has seen. */
  absorb(other: Aggregate): void
  result(): string | null
  /** The simpler aggregates that it is made of. */
  parts: readonly Aggregate[]
}

export function makeAggregate(kind: TotalKind): Aggregate {
  switch (kind) {
    case 'count':
      return makeCount((value) => value !== null && value !== undefined)
    case 'sum':
      return makeSum()
    case 'average':
      return makeAverage()
    case 'min':
      return makeExtreme(-1)
    case 'max':
      return makeExtreme(1)
  }
}

function makeSum(): Aggregate {
  const sum = makeExactSum()
  return { add: sum.add, absorb: (other) => sum.add(other.result()), result: sum.result, parts: [] }
}

function makeCount(isCounted: (value: unknown) => boolean): Aggregate {
  let count = 0
  return {
    add(value) {
      if (isCounted(value)) count++
    },
    absorb(other) {
      count += Number(other.result())
    },
    result: () => String(count),
    parts: [],
  }
}

function makeAverage(): Aggregate {
  const parts = [makeSum(), makeCount((value) => readDecimal(value) !== undefined)] as const
  const [sum, count] = parts
  return {
    add(value) {
      for (const part of parts) part.add(value)
    },
    absorb(other) {
      for (const [at, part] of parts.entries()) part.absorb(other.parts[at]!)
    },
    result() {
      const total = sum.result()
      if (total === null) return null
      return decimalText(divide(readDecimal(total)!, readDecimal(count.result())!, writtenDecimals(total) + moreDecimalsOfAverage))
    },
    parts,
  }
}

/** The lowest or the highest number. Rounding to a double never reverses an order, so digits decide only if the doubles are equal. */
function makeExtreme(direction: -1 | 1): Aggregate {
  let found: { value: unknown; rounded: number } | null = null
  function add(value: unknown) {
    const rounded = numberOf(value)
    if (rounded === null) return
    const order = found === null ? 1 : (rounded - found.rounded || compare(readDecimal(value)!, readDecimal(found.value)!)) * direction
    if (order > 0) found = { value, rounded }
  }
  return { add, absorb: (other) => add(other.result()), result: () => found && String(found.value), parts: [] }
}
