/**
 * SQLite has no types of columns, only of values, so a field's type is that of its first values. A declared type makes it more precise:
 * integers of a boolean column are booleans, texts of a date column dates.
 */
import type { FieldType } from '../../model/result.ts'
import { type JsonBytes, writeAscii, writeBytes, writeJsonText } from '../json-bytes.ts'
import { writeBase64 } from '../text-values/quoted-texts.ts'
import { dateText, timestampText } from '../text-values/time-texts.ts'

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
  else if (value instanceof Uint8Array) writeBase64(out, Buffer.from(value.buffer, value.byteOffset, value.length))
  else if (type === 'boolean' && (value === 0n || value === 1n)) writeAscii(out, value === 1n ? 'true' : 'false')
  else if (type === 'string' || !isJsonNumber(value)) writeAscii(out, `"${value}"`)
  else writeAscii(out, String(value))
}

const largestSafe = BigInt(Number.MAX_SAFE_INTEGER)

const isJsonNumber = (value: bigint | number) =>
  typeof value === 'number' ? Number.isFinite(value) : value <= largestSafe && value >= -largestSafe

function writeText(out: JsonBytes, text: string, type: FieldType): void {
  const bytes = Buffer.from(text)
  if (type === 'date' && dateForm.test(text)) return dateText(out, bytes, 0, bytes.length)
  if (type === 'timestamp' && timestampForm.test(text)) {
    const plain = Buffer.from(text.replace('T', ' ').replace('Z', ''))
    return timestampText(out, plain, 0, plain.length)
  }
  if (type === 'json' && isJson(text)) writeBytes(out, bytes)
  else writeJsonText(out, text)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
