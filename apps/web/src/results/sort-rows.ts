import type { Field } from '../api/first-rows.ts'

/**
 * Sorts rows by one or more columns. Each type is compared by its meaning: numbers exactly, whatever their length; timestamps by
 * time; text by the rules of the reader's language. Nulls come last in both directions, and equal rows keep their order.
 */
export interface SortBy {
  fieldIndex: number
  isDescending: boolean
}

/** Indexes into `rows`. */
export type Order = Uint32Array

export function sortRows(rows: unknown[][], fields: Field[], sorting: SortBy[]): Order | null {
  if (sorting.length === 0) return null
  const order = Uint32Array.from(rows, (_, at) => at)
  const compares = sorting.map(({ fieldIndex, isDescending }) => {
    const values = rows.map((row) => row[fieldIndex] ?? null)
    return inDirection(comparison(fields[fieldIndex]!.type, values), values, isDescending)
  })
  return order.sort((a, b) => {
    for (const compare of compares) {
      const result = compare(a, b)
      if (result !== 0) return result
    }
    return a - b
  })
}

/** Compares the values at two indexes, neither of them null. */
type Compare = (a: number, b: number) => number

function inDirection(compare: Compare, values: unknown[], isDescending: boolean): Compare {
  return (a, b) => {
    const isNullA = values[a] === null
    const isNullB = values[b] === null
    if (isNullA || isNullB) return Number(isNullA) - Number(isNullB)
    return isDescending ? -compare(a, b) : compare(a, b)
  }
}

/** Prepares each value once rather than in every comparison. */
function comparison(type: Field['type'], values: unknown[]): Compare {
  switch (type) {
    case 'integer':
    case 'number':
    case 'decimal':
      return numbers(values)
    case 'boolean':
      return (a, b) => Number(values[a]) - Number(values[b])
    case 'date':
    case 'timestamp':
      return timestamps(values)
    default:
      return texts(values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))))
  }
}

/**
 * Rounding to a double never reverses an order, it only makes close values equal. So compare digits only if the doubles are equal
 * and at least one value is text, which is how long integers and decimals arrive. NaN is the largest, as in databases.
 */
function numbers(values: unknown[]): Compare {
  const rounded = Float64Array.from(values, (value) => Number(value))
  return (a, b) => {
    const [roundedA, roundedB] = [rounded[a]!, rounded[b]!]
    if (roundedA < roundedB) return -1
    if (roundedA > roundedB) return 1
    if (roundedA !== roundedB) return Number(Number.isNaN(roundedA)) - Number(Number.isNaN(roundedB))
    const hasText = typeof values[a] === 'string' || typeof values[b] === 'string'
    return hasText ? compareDigits(String(values[a]), String(values[b])) : 0
  }
}

const plainNumber = /^(-?)0*(\d*)\.?(\d*?)0*$/

function compareDigits(a: string, b: string): number {
  const [partsA, partsB] = [plainNumber.exec(a), plainNumber.exec(b)]
  // A value with an exponent is not an exact decimal, so comparing the doubles was enough.
  if (!partsA || !partsB) return 0
  const [, signA, wholeA = '', fractionA = ''] = partsA
  const [, signB, wholeB = '', fractionB = ''] = partsB
  const isZero = wholeA + fractionA === '' && wholeB + fractionB === ''
  if (isZero || signA !== signB) return isZero ? 0 : signA === '-' ? -1 : 1
  const result = wholeA.length - wholeB.length || compareText(wholeA, wholeB) || compareText(fractionA, fractionB)
  return signA === '-' ? -result : result
}

/** Compares `2025-01-31T09:30:00.5Z` as text after comparing the years, which may be negative or longer than four digits. */
function timestamps(values: unknown[]): Compare {
  const texts = values.map((value) => (typeof value === 'string' ? value.replace(/Z$/, '') : ''))
  const years = Float64Array.from(texts, yearOf)
  return (a, b) => years[a]! - years[b]! || compareText(texts[a]!, texts[b]!)
}

function yearOf(text: string): number {
  if (text.endsWith('infinity')) return text.startsWith('-') ? Number.MIN_SAFE_INTEGER : Number.MAX_SAFE_INTEGER
  return Number.parseInt(text, 10) || 0
}

function texts(values: string[]): Compare {
  // Without options: they make it three times slower, half a second for 100,000 texts.
  const { compare } = new Intl.Collator()
  // Break ties between texts that the language treats as equal.
  return (a, b) => compare(values[a]!, values[b]!) || compareText(values[a]!, values[b]!)
}

const compareText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
