/**
 * A *column writer* turns the values of one column into JSON. It is created once per result from the column's type, `load`s each
 * chunk's vector, and then writes any row of it. Writers of nested types hold writers for their children.
 */
import duckdb, { type Vector } from '@duckdb/node-bindings'
import type { FieldType } from '../../../model/result.ts'
import { writeAscii, type JsonBytes } from '../../json-bytes.ts'

export interface ColumnWriter {
  readonly fieldType: FieldType
  load(vector: Vector, count: number): void
  write(out: JsonBytes, row: number): void
}

interface FixedData {
  bytes: Uint8Array
  view: DataView
}

export const everyRowIsValid = () => true

/** Which rows of a vector are not NULL. DuckDB returns no bitmap when every row is valid. */
export function validityOf(vector: Vector, count: number): (row: number) => boolean {
  const bits = duckdb.vector_get_validity(vector, Math.ceil(count / 64) * 8) as Uint8Array | null
  return bits === null ? everyRowIsValid : (row) => ((bits[row >> 3]! >> (row & 7)) & 1) === 1
}

/** A type whose values all take `width` bytes. `bind` is called once per chunk and returns the writer for its rows. */
export function fixedWidth(
  fieldType: FieldType,
  width: number,
  bind: (data: FixedData) => (out: JsonBytes, row: number) => void,
): ColumnWriter {
  let validity: Uint8Array | null = null
  const data: FixedData = { bytes: new Uint8Array(0), view: new DataView(new ArrayBuffer(0)) }
  let writeValue = bind(data)
  return {
    fieldType,
    load(vector, count) {
      data.bytes = duckdb.vector_get_data(vector, count * width)
      data.view = new DataView(data.bytes.buffer, data.bytes.byteOffset, data.bytes.byteLength)
      validity = duckdb.vector_get_validity(vector, Math.ceil(count / 64) * 8) as Uint8Array | null
      writeValue = bind(data)
    },
    write(out, row) {
      if (validity !== null && ((validity[row >> 3]! >> (row & 7)) & 1) === 0) writeAscii(out, 'null')
      else writeValue(out, row)
    },
  }
}

/** A signed 64-bit value as a number, or undefined when JavaScript cannot hold it exactly. */
export function safeInt64(view: DataView, at: number): number | undefined {
  const value = view.getInt32(at + 4, true) * 0x1_0000_0000 + view.getUint32(at, true)
  return value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER ? value : undefined
}

export function safeInt128(view: DataView, at: number): number | undefined {
  const upper = view.getInt32(at + 8, true)
  if (upper !== view.getInt32(at + 12, true) || upper !== view.getInt32(at + 4, true) >> 31) return undefined
  return safeInt64(view, at)
}

export function int128(view: DataView, at: number): bigint {
  return (view.getBigInt64(at + 8, true) << 64n) | view.getBigUint64(at, true)
}
