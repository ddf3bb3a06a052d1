import duckdb, { type LogicalType } from '@duckdb/node-bindings'
import { fixedWidth, int128, safeInt128, safeInt64, type ColumnWriter } from './column-writer.ts'
import { writeAscii } from '../../json-bytes.ts'
import { nestedWriter } from './nested.ts'
import { writeBigDecimal, writeBigInteger, writeDecimal, writeDouble, writeFloat, writeInteger } from './encode-numbers.ts'
import { libraryWriter } from './rare-types.ts'
import { blobWriter, enumWriter, jsonWriter, textWriter } from './encode-texts.ts'
import { writeDate, writeInfinity, writeTime } from './encode-times.ts'
import { timestampWriter } from './encode-timestamps.ts'

const { Type } = duckdb

export function columnWriter(type: LogicalType): ColumnWriter {
  switch (duckdb.get_type_id(type)) {
    case Type.BOOLEAN:
      return fixedWidth('boolean', 1, (data) => (out, row) => writeAscii(out, data.bytes[row] ? 'true' : 'false'))
    case Type.TINYINT:
      return fixedWidth('integer', 1, ({ view }) => (out, row) => writeInteger(out, view.getInt8(row)))
    case Type.UTINYINT:
      return fixedWidth('integer', 1, ({ view }) => (out, row) => writeInteger(out, view.getUint8(row)))
    case Type.SMALLINT:
      return fixedWidth('integer', 2, ({ view }) => (out, row) => writeInteger(out, view.getInt16(row * 2, true)))
    case Type.USMALLINT:
      return fixedWidth('integer', 2, ({ view }) => (out, row) => writeInteger(out, view.getUint16(row * 2, true)))
    case Type.INTEGER:
      return fixedWidth('integer', 4, ({ view }) => (out, row) => writeInteger(out, view.getInt32(row * 4, true)))
    case Type.UINTEGER:
      return fixedWidth('integer', 4, ({ view }) => (out, row) => writeInteger(out, view.getUint32(row * 4, true)))
    case Type.BIGINT:
      return fixedWidth('integer', 8, ({ view }) => (out, row) => {
        const value = safeInt64(view, row * 8)
        if (value === undefined) writeBigInteger(out, view.getBigInt64(row * 8, true))
        else writeInteger(out, value)
      })
    case Type.UBIGINT:
      return fixedWidth('integer', 8, ({ view }) => (out, row) => writeBigInteger(out, view.getBigUint64(row * 8, true)))
    case Type.HUGEINT:
      return fixedWidth('integer', 16, ({ view }) => (out, row) => {
        const value = safeInt128(view, row * 16)
        if (value === undefined) writeBigInteger(out, int128(view, row * 16))
        else writeInteger(out, value)
      })
    case Type.UHUGEINT:
      return fixedWidth('integer', 16, ({ view }) => (out, row) =>
        writeBigInteger(out, BigInt.asUintN(128, int128(view, row * 16))))
    case Type.FLOAT:
      return fixedWidth('number', 4, ({ view }) => (out, row) => writeFloat(out, view.getFloat32(row * 4, true)))
    case Type.DOUBLE:
      return fixedWidth('number', 8, ({ view }) => (out, row) => writeDouble(out, view.getFloat64(row * 8, true)))
    case Type.DECIMAL:
      return decimalWriter(type)
    case Type.DATE:
      return fixedWidth('date', 4, ({ view }) => (out, row) => {
        const days = view.getInt32(row * 4, true)
        if (Math.abs(days) === 0x7fff_ffff) writeInfinity(out, days < 0)
        else writeDate(out, days)
      })
    case Type.TIMESTAMP:
    case Type.TIMESTAMP_TZ:
      return timestampWriter(1_000_000)
    case Type.TIMESTAMP_S:
      return timestampWriter(1)
    case Type.TIMESTAMP_MS:
      return timestampWriter(1000)
    case Type.TIMESTAMP_NS:
      return timestampWriter(1_000_000_000)
    case Type.TIME:
      return fixedWidth('string', 8, ({ view }) => (out, row) => writeTime(out, Number(view.getBigInt64(row * 8, true))))
    case Type.UUID:
      return fixedWidth('string', 16, ({ view }) => (out, row) => writeAscii(out, uuidText(int128(view, row * 16))))
    case Type.ENUM:
      return enumWriter(type)
    case Type.VARCHAR:
      return duckdb.logical_type_get_alias(type) === 'JSON' ? jsonWriter() : textWriter()
    case Type.BLOB:
      return blobWriter()
    case Type.SQLNULL:
      return { fieldType: 'string', load: () => {}, write: (out) => writeAscii(out, 'null') }
    case Type.LIST:
    case Type.ARRAY:
    case Type.STRUCT:
    case Type.MAP:
    case Type.UNION:
      return nestedWriter(type, columnWriter)
    default:
      return libraryWriter(type)
  }
}

function decimalWriter(type: LogicalType): ColumnWriter {
  const scale = duckdb.decimal_scale(type)
  switch (duckdb.decimal_internal_type(type)) {
    case Type.SMALLINT:
      return fixedWidth('decimal', 2, ({ view }) => (out, row) => writeDecimal(out, view.getInt16(row * 2, true), scale))
    case Type.INTEGER:
      return fixedWidth('decimal', 4, ({ view }) => (out, row) => writeDecimal(out, view.getInt32(row * 4, true), scale))
    case Type.BIGINT:
      return fixedWidth('decimal', 8, ({ view }) => (out, row) => {
        const value = safeInt64(view, row * 8)
        if (value === undefined) writeBigDecimal(out, view.getBigInt64(row * 8, true), scale)
        else writeDecimal(out, value, scale)
      })
    default:
      return fixedWidth('decimal', 16, ({ view }) => (out, row) => {
        const value = safeInt128(view, row * 16)
        if (value === undefined) writeBigDecimal(out, int128(view, row * 16), scale)
        else writeDecimal(out, value, scale)
      })
  }
}

/** DuckDB flips a UUID's first bit so that UUIDs sort as signed numbers. */
function uuidText(stored: bigint): string {
  const digits = (BigInt.asUintN(128, stored) ^ (1n << 127n)).toString(16).padStart(32, '0')
  const parts = [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)]
  return `"${parts.join('-')}"`
}
