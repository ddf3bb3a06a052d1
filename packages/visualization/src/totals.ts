import { add, compare, type Decimal, decimalText, divide, makeSum, readColumns, readDecimal } from '@querypost/answers'
import { isPercent } from './cell-formatter.ts'
import { type ColumnSettings, findSettings, type TotalKind } from './column-settings.ts'
import { type Field, isNumeric } from './fields.ts'

/** Sums are exact, and averages are rounded to this many decimals more than the values have. */
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

export interface Aggregate {
  add(value: unknown): void
  result(): string | null
}

export function makeAggregate(kind: TotalKind): Aggregate {
  switch (kind) {
    case 'count':
      return makeCount()
    case 'sum':
      return makeExactSum()
    case 'average':
      return makeAverage()
    case 'min':
      return makeExtreme((value, known) => compare(value, known) < 0)
    case 'max':
      return makeExtreme((value, known) => compare(value, known) > 0)
  }
}

const textOf = (number: Decimal | null): string | null => (number ? decimalText(number) : null)

function makeCount(): Aggregate {
  let count = 0
  return {
    add(value) {
      if (value !== null && value !== undefined) count++
    },
    result: () => String(count),
  }
}

/** With as many decimals as the values are written with: `1.50` and `1.50` make `3.00`. */
function makeExactSum(): Aggregate {
  const sum = makeSum()
  let decimals = 0
  return {
    add(value) {
      sum.add(value)
      if (typeof value === 'string') decimals = Math.max(decimals, writtenDecimals(value))
    },
    result() {
      const total = sum.total()
      return total && padDecimals(decimalText(total), decimals)
    },
  }
}

export const writtenDecimals = (text: string): number => /^-?\d+\.(\d+)$/.exec(text)?.[1]?.length ?? 0

export function padDecimals(text: string, decimals: number): string {
  const missing = decimals - writtenDecimals(text)
  if (missing <= 0) return text
  return `${text}${text.includes('.') ? '' : '.'}${'0'.repeat(missing)}`
}

function makeAverage(): Aggregate {
  let total: Decimal = { units: 0n, scale: 0 }
  let [count, decimals] = [0n, 0]
  return {
    add(value) {
      const number = readDecimal(value)
      if (!number) return
      total = add(total, number)
      decimals = Math.max(decimals, number.scale)
      count++
    },
    result: () => (count === 0n ? null : decimalText(divide(total, { units: count, scale: 0 }, decimals + moreDecimalsOfAverage))),
  }
}

function makeExtreme(isFurther: (value: Decimal, known: Decimal) => boolean): Aggregate {
  let found: Decimal | null = null
  return {
    add(value) {
      const number = readDecimal(value)
      if (number && (found === null || isFurther(number, found))) found = number
    },
    result: () => textOf(found),
  }
}
