/** Values of DuckDB in the encodings of Snowflake's SQL API: each is a text or null. */
import {
  type DuckDBMaterializedResult, DuckDBBlobValue, DuckDBDateValue, DuckDBDecimalValue, DuckDBListValue, DuckDBTimestampTZValue,
  DuckDBTimestampValue, DuckDBTimeValue, DuckDBTypeId, type DuckDBType, type DuckDBValue,
} from '@duckdb/node-api'
import { withByteOrderMarks } from './snowflake-double-sql.ts'

const integers = new Set([
  DuckDBTypeId.TINYINT, DuckDBTypeId.SMALLINT, DuckDBTypeId.INTEGER, DuckDBTypeId.BIGINT, DuckDBTypeId.HUGEINT, DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UINTEGER,
])

const names = new Map<DuckDBTypeId, string>([
  [DuckDBTypeId.DOUBLE, 'real'], [DuckDBTypeId.FLOAT, 'real'], [DuckDBTypeId.BOOLEAN, 'boolean'], [DuckDBTypeId.DATE, 'date'],
  [DuckDBTypeId.TIME, 'time'], [DuckDBTypeId.TIMESTAMP, 'timestamp_ntz'], [DuckDBTypeId.TIMESTAMP_TZ, 'timestamp_tz'],
  [DuckDBTypeId.BLOB, 'binary'], [DuckDBTypeId.LIST, 'array'],
])

function typeOf(type: DuckDBType): { type: string; scale: number | null } {
  if (integers.has(type.typeId)) return { type: 'fixed', scale: 0 }
  if (type.typeId === DuckDBTypeId.DECIMAL) return { type: 'fixed', scale: (type as { scale?: number }).scale ?? 0 }
  if (type.alias === 'JSON') return { type: 'variant', scale: null }
  return { type: names.get(type.typeId) ?? 'text', scale: null }
}

export const columnsOf = (result: DuckDBMaterializedResult) =>
  result.columnTypes().map((column, index) => {
    const { type, scale } = typeOf(column)
    return { name: withByteOrderMarks(result.columnName(index)), type, scale, nullable: true, length: null, precision: null }
  })

export function rowsOf(result: DuckDBMaterializedResult, firstChunk: number, chunkCount: number): (string | null)[][] {
  const rows: (string | null)[][] = []
  for (let index = firstChunk; index < Math.min(firstChunk + chunkCount, result.chunkCount); index++) {
    for (const row of result.getChunk(index).getRows()) rows.push(row.map(encoded))
  }
  return rows
}

function encoded(value: DuckDBValue): string | null {
  if (value === null) return null
  if (value instanceof DuckDBDateValue) return String(value.days)
  if (value instanceof DuckDBTimestampTZValue) return `${seconds(value.micros)} 1500`
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimeValue) return seconds(value.micros)
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('hex').toUpperCase()
  if (value instanceof DuckDBListValue) return json(value)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? 'inf' : '-inf'
  return value instanceof DuckDBDecimalValue ? value.toString() : withByteOrderMarks(String(value))
}

/** With nine fractional digits, and a sign in front of all of them. */
function seconds(micros: bigint): string {
  const digits = String(micros < 0n ? -micros : micros).padStart(7, '0')
  return `${micros < 0n ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}000`
}

/** NULL in an array is `undefined`. */
function json(value: DuckDBValue): string {
  if (value === null) return 'undefined'
  if (value instanceof DuckDBListValue) return `[${value.items.map(json).join(',')}]`
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}
