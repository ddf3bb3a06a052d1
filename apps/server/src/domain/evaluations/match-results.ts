import type { Field } from '../../model/result.ts'

/** A result to compare. Rows that people wrote have no fields. */
export interface ComparedResult {
  fields: Field[] | null
  rows: unknown[][]
}

/**
 * Compares a result with the expected one. Returns how they differ, or undefined if they are equal:
 *
 * - They have the same number of columns. Values are compared by position; the names of columns do not matter.
 * - Rows are compared as a multiset: in any order, but equally often. With `isOrdered`, the order must be the same.
 * - Numbers are equal if they differ by at most `tolerance`, or by a billionth of their size, which covers rounding in floating point. An
 *   integer equals a decimal of the same value.
 * - A timestamp at midnight equals the date. Text, booleans and null equal only themselves; JSON is compared by value.
 */
export function findDifference(
  expected: ComparedResult,
  actual: ComparedResult,
  { isOrdered, tolerance }: { isOrdered: boolean; tolerance: number },
): string | undefined {
  const expectedWidth = widthOf(expected)
  const actualWidth = widthOf(actual)
  if (expectedWidth !== undefined && actualWidth !== undefined && expectedWidth !== actualWidth) {
    return `Expected ${count(expectedWidth, 'column')}, got ${count(actualWidth, 'column')}.`
  }
  if (expected.rows.length !== actual.rows.length) {
    return `Expected ${count(expected.rows.length, 'row')}, got ${count(actual.rows.length, 'row')}.`
  }
  const isNumeric = Array.from({ length: expectedWidth ?? 0 }, (_, column) => [expected, actual].some((side) => hasNumbers(side, column)))
  const wanted = expected.rows.map((row) => row.map((value, column) => normalize(value, isNumeric[column]!)))
  const found = actual.rows.map((row) => row.map((value, column) => normalize(value, isNumeric[column]!)))
  const equals = (one: Cell[], other: Cell[]) => one.every((cell, column) => areEqual(cell, other[column]!, tolerance))
  if (isOrdered) {
    const at = wanted.findIndex((row, index) => !equals(row, found[index]!))
    return at === -1 ? undefined : `Row ${at + 1} differs. Expected ${printed(expected.rows[at]!)}, got ${printed(actual.rows[at]!)}.`
  }
  const missing = findUnmatched(wanted, found, equals)
  return missing === undefined ? undefined : `A row is missing or differs. Expected ${printed(expected.rows[missing]!)}.`
}

const widthOf = ({ fields, rows }: ComparedResult) => fields?.length ?? rows[0]?.length

const count = (number: number, noun: string) => `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`

const numericTypes = new Set<Field['type']>(['integer', 'number', 'decimal'])

function hasNumbers({ fields, rows }: ComparedResult, column: number): boolean {
  return fields ? numericTypes.has(fields[column]!.type) : rows.some((row) => typeof row[column] === 'number')
}

/** A number, or the text of any other value. */
type Cell = { number: number; text: string } | { text: string }

/** Exact decimals and large integers are texts in a result. */
function normalize(value: unknown, isNumeric: boolean): Cell {
  if (typeof value === 'number') return { number: value, text: decimalText(String(value)) }
  if (typeof value !== 'string') return { text: JSON.stringify(sorted(value)) }
  if (isNumeric && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value.trim())) {
    return { number: Number(value), text: decimalText(value.trim()) }
  }
  return { text: JSON.stringify(value.replace(/^(\d{4}-\d\d-\d\d)T00:00:00(\.0+)?Z$/, '$1')) }
}

/** Without a sign, zeros or a point that do not matter, so that equal decimals of any length have the same text. */
function decimalText(text: string): string {
  if (!/^[+-]?\d*\.?\d*$/.test(text)) return text
  const [, sign, integer, fraction] = /^([+-]?)0*(\d*)\.?(\d*?)0*$/.exec(text)!
  const digits = `${integer || '0'}${fraction ? `.${fraction}` : ''}`
  return sign === '-' && digits !== '0' ? `-${digits}` : digits
}

/** The value with object keys in sorted order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]))
}

const roundingError = 1e-9

function areEqual(one: Cell, other: Cell, tolerance: number): boolean {
  if (one.text === other.text) return true
  if (!('number' in one) || !('number' in other)) return false
  // Beyond this, doubles cannot tell neighbors apart, and only the text counts.
  const largest = Math.max(Math.abs(one.number), Math.abs(other.number))
  if (largest > Number.MAX_SAFE_INTEGER && tolerance === 0) return false
  const difference = Math.abs(one.number - other.number)
  return difference <= tolerance * (1 + roundingError) || (!areIntegers(one.number, other.number) && difference <= largest * roundingError)
}

const areIntegers = (one: number, other: number) => Number.isInteger(one) && Number.isInteger(other)

/**
 * The index of an expected row that has no counterpart; undefined if every row has its own. Rows with the same text are paired first.
 * The others differ in their numbers. With a tolerance, one row may equal several, so they are paired to match as many as possible.
 */
function findUnmatched(wanted: Cell[][], found: Cell[][], equals: (one: Cell[], other: Cell[]) => boolean): number | undefined {
  const keyOf = (row: Cell[]) => row.map(({ text }) => text).join('\u0000')
  const byKey = new Map<string, number[]>()
  found.forEach((row, index) => byKey.set(keyOf(row), [...(byKey.get(keyOf(row)) ?? []), index]))
  const free = new Set(found.keys())
  const left: number[] = []
  wanted.forEach((row, index) => {
    const match = byKey.get(keyOf(row))?.pop()
    if (match === undefined) left.push(index)
    else free.delete(match)
  })
  // Only rows that agree in everything but numbers can be equal.
  const groupOf = (row: Cell[]) => row.map((cell) => ('number' in cell ? '' : cell.text)).join('\u0000')
  const groups = Map.groupBy(free, (index) => groupOf(found[index]!))
  const takenBy = new Map<number, number>()
  const pair = (index: number, tried: Set<number>): boolean =>
    (groups.get(groupOf(wanted[index]!)) ?? []).some((candidate) => {
      if (tried.has(candidate) || !equals(wanted[index]!, found[candidate]!)) return false
      tried.add(candidate)
      const holder = takenBy.get(candidate)
      if (holder !== undefined && !pair(holder, tried)) return false
      takenBy.set(candidate, index)
      return true
    })
  return left.find((index) => !pair(index, new Set()))
}

const printedMaxCharacters = 200

function printed(row: unknown[]): string {
  const text = JSON.stringify(row)
  return text.length > printedMaxCharacters ? `${text.slice(0, printedMaxCharacters - 1)}…` : text
}
