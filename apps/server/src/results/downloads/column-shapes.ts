import type { Field, FieldType } from '../../model/result.ts'

/**
 * A stored result says that a column holds integers or decimals, but not how large they are. A column's *shape* records what
 * its values need, collected while they are read. It determines the narrowest type of a typed format that keeps every value
 * exact.
 */
export interface ColumnShape {
  type: FieldType
  /** Digits before and after the decimal point. */
  integerDigits: number
  fractionDigits: number
  min: bigint
  max: bigint
  /** Some value has an unusual form: a year beyond 9999, an infinite date, a decimal NaN. */
  isUnusual: boolean
  /** Some timestamp is outside the years 1678 to 2261, in which nanoseconds fit into 64 bits. */
  isFar: boolean
}

export const newShape = ({ type }: Field): ColumnShape => ({
  type,
  integerDigits: 1,
  fractionDigits: 0,
  min: 0n,
  max: 0n,
  isUnusual: false,
  isFar: false,
})

/** Widens the shape to fit a value. `text` is a number's digits or a string's content. */
export function widen(shape: ColumnShape, text: string): void {
  switch (shape.type) {
    case 'integer':
      return widenInteger(shape, text)
    case 'decimal':
      return widenDecimal(shape, text)
    case 'date':
      if (!usualDate.test(text)) shape.isUnusual = true
      return
    case 'timestamp':
      return widenTimestamp(shape, text)
    default:
  }
}

const usualDecimal = /^-?\d+(\.\d+)?$/
const usualDate = /^(?!0000)\d{4}-\d\d-\d\d$/
const usualTimestamp = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}Z$/
/** `2026-01-05T09:00:00.` and the `Z`. */
const timestampToPoint = 21

function widenTimestamp(shape: ColumnShape, text: string): void {
  if (!usualTimestamp.test(text)) {
    shape.isUnusual = true
    return
  }
  const year = text.slice(0, 4)
  if (year < '1678' || year > '2261') shape.isFar = true
  shape.fractionDigits = Math.max(shape.fractionDigits, text.length - timestampToPoint)
}

function widenInteger(shape: ColumnShape, text: string): void {
  // Up to 15 digits fit every type below, and nearly all integers are that short.
  if (text.length <= 15) return
  const value = BigInt(text)
  if (value < shape.min) shape.min = value
  if (value > shape.max) shape.max = value
  shape.integerDigits = Math.max(shape.integerDigits, text.replace('-', '').length)
}

function widenDecimal(shape: ColumnShape, text: string): void {
  // PostgreSQL's decimals may be NaN or infinite.
  if (!usualDecimal.test(text)) {
    shape.isUnusual = true
    return
  }
  const start = text.startsWith('-') ? 1 : 0
  const point = text.indexOf('.')
  const integerDigits = (point < 0 ? text.length : point) - start
  if (integerDigits > shape.integerDigits) shape.integerDigits = integerDigits
  if (point >= 0 && text.length - point - 1 > shape.fractionDigits) shape.fractionDigits = text.length - point - 1
}

const maxDecimalDigits = 38

/**
 * The type a column needs, in terms common to Parquet and Arrow. `text` if no other type keeps all values exact.
 */
export type NeededType =
  | { kind: 'boolean' | 'double' | 'json' | 'int64' | 'uint64' | 'date' | 'text' }
  | { kind: 'decimal'; precision: number; scale: number }
  /** In UTC. */
  | { kind: 'timestamp'; unit: 'us' | 'ns' }

export function neededType(shape: ColumnShape): NeededType {
  switch (shape.type) {
    case 'boolean':
      return { kind: 'boolean' }
    case 'number':
      return { kind: 'double' }
    case 'json':
      return { kind: 'json' }
    case 'string':
      return { kind: 'text' }
    case 'integer':
      if (shape.min >= -(2n ** 63n) && shape.max < 2n ** 63n) return { kind: 'int64' }
      if (shape.min >= 0n && shape.max < 2n ** 64n) return { kind: 'uint64' }
      if (shape.integerDigits > maxDecimalDigits) return { kind: 'text' }
      return { kind: 'decimal', precision: maxDecimalDigits, scale: 0 }
    case 'decimal': {
      const precision = shape.integerDigits + shape.fractionDigits
      if (shape.isUnusual || precision > maxDecimalDigits) return { kind: 'text' }
      return { kind: 'decimal', precision: Math.max(precision, 1), scale: shape.fractionDigits }
    }
    case 'date':
      return { kind: shape.isUnusual ? 'text' : 'date' }
    case 'timestamp':
      if (shape.isUnusual) return { kind: 'text' }
      if (shape.fractionDigits <= 6) return { kind: 'timestamp', unit: 'us' }
      return shape.isFar ? { kind: 'text' } : { kind: 'timestamp', unit: 'ns' }
  }
}

const duckdbNames = {
  boolean: 'BOOLEAN',
  double: 'DOUBLE',
  json: 'JSON',
  int64: 'BIGINT',
  uint64: 'UBIGINT',
  date: 'DATE',
  text: 'VARCHAR',
}

/** DuckDB's name of the type. HUGEINT is never used, because DuckDB writes it to Parquet as floating point. */
export function parquetType(shape: ColumnShape): string {
  const needed = neededType(shape)
  if (needed.kind === 'decimal') return `DECIMAL(${needed.precision},${needed.scale})`
  if (needed.kind === 'timestamp') return needed.unit === 'ns' ? 'TIMESTAMP_NS' : 'TIMESTAMPTZ'
  return duckdbNames[needed.kind]
}
