import duckdb, { type LogicalType } from '@duckdb/node-bindings'
import type { FieldType } from '../../../model/result.ts'
import { everyRowIsValid, fixedWidth, validityOf, type ColumnWriter } from './column-writer.ts'
import { writeAscii, writeBytes, writeJsonString, writeJsonText, type JsonBytes } from '../../json-bytes.ts'
import { stringVector } from './strings.ts'

const { Type } = duckdb

export function enumWriter(type: LogicalType): ColumnWriter {
  const names = Array.from({ length: duckdb.enum_dictionary_size(type) }, (_, index) =>
    Buffer.from(duckdb.enum_dictionary_value(type, index)))
  const writeName = (out: JsonBytes, index: number) => writeJsonString(out, names[index]!, 0, names[index]!.length)
  switch (duckdb.enum_internal_type(type)) {
    case Type.UTINYINT:
      return fixedWidth('string', 1, ({ view }) => (out, row) => writeName(out, view.getUint8(row)))
    case Type.USMALLINT:
      return fixedWidth('string', 2, ({ view }) => (out, row) => writeName(out, view.getUint16(row * 2, true)))
    default:
      return fixedWidth('string', 4, ({ view }) => (out, row) => writeName(out, view.getUint32(row * 4, true)))
  }
}

/** A type stored as byte strings. `write` gets the bytes of one value. */
function bytesWriter(
  fieldType: FieldType,
  write: (out: JsonBytes, bytes: Uint8Array, start: number, end: number) => void,
): ColumnWriter {
  const strings = stringVector()
  let isValid: (row: number) => boolean = everyRowIsValid
  return {
    fieldType,
    load(vector, count) {
      isValid = validityOf(vector, count)
      strings.load(vector, count, isValid)
    },
    write(out, row) {
      if (!isValid(row)) return writeAscii(out, 'null')
      strings.select(row)
      write(out, strings.bytes, strings.start, strings.end)
    },
  }
}

export const textWriter = () => bytesWriter('string', writeJsonString)

export const blobWriter = () =>
  bytesWriter('string', (out, bytes, start, end) =>
    writeAscii(out, `"${Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('base64')}"`))

/**
 * DuckDB accepts more than valid JSON (trailing commas, NaN), so each value is parsed before it is embedded verbatim. Invalid JSON
 * is written as a string.
 */
export const jsonWriter = () =>
  bytesWriter('json', (out, bytes, start, end) => {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString()
    try {
      JSON.parse(text)
    } catch {
      return writeJsonText(out, text)
    }
    return writeBytes(out, bytes.subarray(start, end))
  })
