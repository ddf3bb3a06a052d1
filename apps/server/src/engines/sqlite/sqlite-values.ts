/**
 * SQLite has no types of columns, only of values, so a field's type is that of its first values. A declared type makes it more precise:
 * integers of a boolean column are booleans, texts of a date column dates.
 */
import type { FieldType } from '../../model/result.ts'
import { type JsonBytes, reserve, writeAscii, writeBytes, writeJsonText } from '../json-bytes.ts'
import { writeBigInteger, writeDouble } from '../duckdb/encode/encode-numbers.ts'
import { writeBase64 } from '../text-values/quoted-texts.ts'
import { timestampText } from '../text-values/time-texts.ts'

export type SqliteValue = null | bigint | number | string | Uint8Array

const dateForm = /^\d{4}-\d\d-\d\d$/
const timestampForm = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?Z?$/

export function fieldTypeOf(declared: string | null, values: SqliteValue[]): FieldType {
  const type = (declared ?? '').toUpperCase()
  const present = values.filter((value) => value !== null)
  if (present.length === 0) return declaredType(type)
  if (present.every((value) => typeof value === 'bigint')) {
    if (type.includes('BOOL') && present.every((value) => value === 0n || value === 1n)) return 'boolean'
    // Whole numbers of a decimal column are stored as integers, and the others are not.
    return /DEC|NUM/.test(type) ? 'number' : 'integer'
  }
  if (present.every((value) => typeof value === 'bigint' || typeof value === 'number')) return 'number'
  if (!present.every((value) => typeof value === 'string')) return 'string'
  if (type === 'DATE' && present.every((text) => dateForm.test(text))) return 'date'
  if (/DATETIME|TIMESTAMP/.test(type) && present.every((text) => timestampForm.test(text))) return 'timestamp'
  return type === 'JSON' && present.every(isJson) ? 'json' : 'string'
}

/** By SQLite's rules of affinity, and by the names that other databases use. */
function declaredType(type: string): FieldType {
  if (type.includes('INT')) return 'integer'
  if (type.includes('BOOL')) return 'boolean'
  if (/DATETIME|TIMESTAMP/.test(type)) return 'timestamp'
  if (type === 'DATE') return 'date'
  return /REAL|FLOA|DOUB|DEC|NUM/.test(type) ? 'number' : 'string'
}

export function writeValue(out: JsonBytes, value: SqliteValue, type: FieldType): void {
  if (value === null) writeAscii(out, 'null')
  else if (typeof value === 'string') writeText(out, value, type)
  else if (typeof value === 'object') writeBase64(out, Buffer.from(value.buffer, value.byteOffset, value.length))
  else if (type === 'string') writeAscii(out, `"${value}"`)
  else if (typeof value === 'number') writeDouble(out, value)
  else if (type === 'boolean' && (value === 0n || value === 1n)) writeAscii(out, value === 1n ? 'true' : 'false')
  else writeBigInteger(out, value)
}

function writeText(out: JsonBytes, text: string, type: FieldType): void {
  if (type === 'timestamp') writeTimestamp(out, text)
  else if (type === 'json' && isJson(text)) writeBytes(out, Buffer.from(text))
  else writeJsonText(out, text)
}

function writeTimestamp(out: JsonBytes, text: string): void {
  if (writeSeconds(out, text)) return
  if (!timestampForm.test(text)) return writeJsonText(out, text)
  const plain = Buffer.from(text.replace('T', ' ').replace('Z', ''))
  timestampText(out, plain, 0, plain.length)
}

/** The form of a timestamp without a fraction. A 0 stands for any digit. */
const secondsForm = Buffer.from('0000-00-00T00:00:00')
const secondsEnd = Buffer.from('.000Z"')
const separatorAt = 10

/** Writes a timestamp without a fraction, as most are, while it checks its form. False if it is another one. */
function writeSeconds(out: JsonBytes, text: string): boolean {
  if (text.length !== secondsForm.length) return false
  const separator = text.charCodeAt(separatorAt)
  if (separator !== space && separator !== secondsForm[separatorAt]) return false
  reserve(out, secondsForm.length + secondsEnd.length + 1)
  const { bytes } = out
  let at = out.length
  bytes[at++] = quote
  for (let index = 0; index < secondsForm.length; index++) {
    const wanted = secondsForm[index]!
    const code = index === separatorAt ? wanted : text.charCodeAt(index)
    if (code !== wanted && (wanted !== zero || code < zero || code > nine)) return false
    bytes[at++] = code
  }
  for (let index = 0; index < secondsEnd.length; index++) bytes[at++] = secondsEnd[index]!
  out.length = at
  return true
}

const space = 0x20
const quote = 0x22
const zero = 0x30
const nine = 0x39

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
