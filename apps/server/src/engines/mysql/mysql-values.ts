/** Maps each column type of MySQL's text protocol to a field type and a writer. */
import type { FieldPacket } from 'mysql2'
import type { FieldType } from '../../model/result.ts'
import { writeAscii, writeJsonText, type JsonBytes } from '../json-bytes.ts'
import { decimalText, integerText, numberText } from '../text-values/number-texts.ts'
import { base64Of, jsonText, stringText } from '../text-values/quoted-texts.ts'
import { dateText, timestampText } from '../text-values/time-texts.ts'
import type { ValueWriter } from '../text-values/value-writer.ts'

export interface ColumnReading {
  type: FieldType
  write: ValueWriter
}

/** A column's metadata. MariaDB sends JSON as text, with its format in addition. */
type ColumnFacts = Pick<FieldPacket, 'columnType' | 'characterSet' | 'columnLength' | 'flags' | 'extendedFormat'>

/** The protocol's type codes. Text and byte types have further codes, which the default case covers. */
const columnTypes = {
  decimal: 0, tiny: 1, short: 2, long: 3, float: 4, double: 5, null: 6, timestamp: 7, longlong: 8, int24: 9, date: 10,
  time: 11, datetime: 12, year: 13, newdate: 14, bit: 16, json: 245, newdecimal: 246, geometry: 255,
}

/** The "character set" of binary data. */
const binary = 63
const unsignedFlag = 32
const zerofillFlag = 64
const zero = 0x30
const nine = 0x39
const dash = 0x2d

export function columnReading(column: ColumnFacts): ColumnReading {
  if (column.extendedFormat === 'json') return { type: 'json', write: jsonText }
  switch (column.columnType) {
    case columnTypes.tiny:
      // `BOOLEAN` is an alias of TINYINT(1); nothing else marks it.
      if (column.columnLength === 1 && !has(column, unsignedFlag)) return { type: 'boolean', write: booleanText }
      return { type: 'integer', write: integerText }
    case columnTypes.short:
    case columnTypes.long:
    case columnTypes.int24:
    case columnTypes.longlong:
    case columnTypes.year:
      return { type: 'integer', write: integerText }
    case columnTypes.bit:
      return column.columnLength === 1 ? { type: 'boolean', write: bitBoolean } : { type: 'integer', write: bitInteger }
    case columnTypes.decimal:
    case columnTypes.newdecimal:
      return { type: 'decimal', write: has(column, zerofillFlag) ? withoutPadding(decimalText) : decimalText }
    case columnTypes.float:
    case columnTypes.double:
      return { type: 'number', write: has(column, zerofillFlag) ? withoutPadding(numberText) : numberText }
    case columnTypes.date:
    case columnTypes.newdate:
      return { type: 'date', write: nullIfInvalidDate(dateText) }
    case columnTypes.datetime:
    case columnTypes.timestamp:
      return { type: 'timestamp', write: nullIfInvalidDate(timestampText) }
    case columnTypes.json:
      return { type: 'json', write: jsonText }
    case columnTypes.time:
    case columnTypes.null:
      return { type: 'string', write: stringText }
    default:
      return { type: 'string', write: isBytes(column) ? base64Of : stringText }
  }
}

function isBytes({ columnType, characterSet }: ColumnFacts): boolean {
  return columnType === columnTypes.geometry || characterSet === binary
}

function has({ flags }: ColumnFacts, flag: number): boolean {
  return typeof flags === 'number' && (flags & flag) !== 0
}

/** Removes the padding of ZEROFILL: `0003.50`. */
function withoutPadding(write: ValueWriter): ValueWriter {
  return (out, source, start, end) => {
    let at = start
    while (at + 1 < end && source[at] === zero && source[at + 1]! >= zero && source[at + 1]! <= nine) at++
    write(out, source, at, end)
  }
}

/** Any number but zero is true, as in MySQL itself. */
const booleanText: ValueWriter = (out, source, start, end) => {
  let isZero = true
  for (let at = start; at < end; at++) if (source[at] !== zero) isZero = false
  writeAscii(out, isZero ? 'false' : 'true')
}

const bitBoolean: ValueWriter = (out, source, start) => writeAscii(out, source[start] === 0 ? 'false' : 'true')

/** BIT(n) arrives as big-endian bytes. */
const bitInteger: ValueWriter = (out, source, start, end) => {
  let value = 0n
  for (let at = start; at < end; at++) value = (value << 8n) | BigInt(source[at]!)
  writeUnsigned(out, value)
}

function writeUnsigned(out: JsonBytes, value: bigint): void {
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) writeAscii(out, String(value))
  else writeJsonText(out, String(value))
}

/**
 * MySQL can store `0000-00-00`, `2026-05-00` and (with a setting) `2026-02-31`. Clients would fail to parse these dates, so
 * they become null. `cast(… as char)` shows them.
 */
function nullIfInvalidDate(write: ValueWriter): ValueWriter {
  return (out, source, start, end) => {
    if (isInvalidDate(source, start, end)) writeAscii(out, 'null')
    else write(out, source, start, end)
  }
}

function isInvalidDate(source: Uint8Array, start: number, end: number): boolean {
  if (end - start < 10 || source[start + 4] !== dash || source[start + 7] !== dash) return false
  const month = twoDigits(source, start + 5)
  const day = twoDigits(source, start + 8)
  if (month === 0 || day === 0) return true
  return day > 28 && day > daysOf(twoDigits(source, start) * 100 + twoDigits(source, start + 2), month)
}

function twoDigits(source: Uint8Array, at: number): number {
  return (source[at]! - zero) * 10 + source[at + 1]! - zero
}

function daysOf(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}
