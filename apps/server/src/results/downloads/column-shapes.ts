import type { Field, FieldType } from '../../engines/engine.ts'

/**
 * A stored result says that a column holds integers or decimals, not how large they are. Its *shape* is what its values need, found
 * out while they go by, and from it the narrowest Parquet type follows that keeps every one of them exact.
 */
export interface ColumnShape {
  type: FieldType
  /** Digits before and after the point. */
  integerDigits: number
  fractionDigits: number
  min: bigint
  max: bigint
  /** Some value is not of the usual form: a year beyond 9999, an infinite date. */
  isUnusual: boolean
}

export const newShape = ({ type }: Field): ColumnShape => ({
  type,
  integerDigits: 1,
  fractionDigits: 0,
  min: 0n,
  max: 0n,
  isUnusual: false,
})

/** Takes a value into account; `text` is a number's digits or a string's content. */
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
      if (!usualTimestamp.test(text)) shape.isUnusual = true
      else shape.fractionDigits = Math.max(shape.fractionDigits, text.length - timestampToPoint)
      return
    default:
  }
}

const usualDate = /^(?!0000)\d{4}-\d\d-\d\d$/
const usualTimestamp = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}Z$/
/** `2026-01-05T09:00:00.` and the `Z`. */
const timestampToPoint = 21

function widenInteger(shape: ColumnShape, text: string): void {
  // Up to 15 digits fit every type below, and nearly all integers have no more.
  if (text.length <= 15) return
  const value = BigInt(text)
  if (value < shape.min) shape.min = value
  if (value > shape.max) shape.max = value
  shape.integerDigits = Math.max(shape.integerDigits, text.replace('-', '').length)
}

function widenDecimal(shape: ColumnShape, text: string): void {
  const start = text.startsWith('-') ? 1 : 0
  const point = text.indexOf('.')
  const integerDigits = (point < 0 ? text.length : point) - start
  if (integerDigits > shape.integerDigits) shape.integerDigits = integerDigits
  if (point >= 0 && text.length - point - 1 > shape.fractionDigits) shape.fractionDigits = text.length - point - 1
}

const mostDecimalDigits = 38

/** DuckDB's name of the type. HUGEINT is none of them: DuckDB writes it to Parquet as floating point. */
export function parquetType(shape: ColumnShape): string {
  switch (shape.type) {
    case 'boolean':
      return 'BOOLEAN'
    case 'number':
      return 'DOUBLE'
    case 'json':
      return 'JSON'
    case 'integer':
      if (shape.min >= -(2n ** 63n) && shape.max < 2n ** 63n) return 'BIGINT'
      if (shape.min >= 0n && shape.max < 2n ** 64n) return 'UBIGINT'
      return shape.integerDigits <= mostDecimalDigits ? `DECIMAL(${mostDecimalDigits},0)` : 'VARCHAR'
    case 'decimal': {
      const digits = shape.integerDigits + shape.fractionDigits
      return digits <= mostDecimalDigits ? `DECIMAL(${Math.max(digits, 1)},${shape.fractionDigits})` : 'VARCHAR'
    }
    case 'date':
      return shape.isUnusual ? 'VARCHAR' : 'DATE'
    case 'timestamp':
      if (shape.isUnusual) return 'VARCHAR'
      return shape.fractionDigits > 6 ? 'TIMESTAMP_NS' : 'TIMESTAMPTZ'
    case 'string':
      return 'VARCHAR'
  }
}
