/**
 * Maps the type of a BigQuery column to a field type, and its values to JSON. BigQuery sends every value as a string, `{"v": "…"}`,
 * so parsing a page loses no digit.
 */
import type { FieldType } from '../../model/result.ts'
import { writeInteger } from '../duckdb/encode/encode-numbers.ts'
import { writeTimestamp } from '../duckdb/encode/encode-times.ts'
import { type JsonBytes, writeAscii, writeByte, writeBytes, writeJsonText } from '../json-bytes.ts'
import { anyJson } from '../json-values/json-scalars.ts'
import { closeBrace, closeBracket, comma, incomplete, openBrace, openBracket, skipSpace } from '../json-values/json-text.ts'

export interface BigqueryField {
  name: string
  type: string
  mode?: string
  description?: string
  fields?: BigqueryField[]
}

export interface Cell {
  v: unknown
}

/** Writes a value as JSON. */
export type ValueWriter = (out: JsonBytes, value: unknown) => void

const writeText: ValueWriter = (out, value) => {
  if (typeof value === 'string') writeJsonText(out, value)
  else writeBytes(out, Buffer.from(JSON.stringify(value)))
}

const scalars: Record<string, { fieldType: FieldType; write: ValueWriter }> = {
  NUMERIC: { fieldType: 'decimal', write: writeText },
  BIGNUMERIC: { fieldType: 'decimal', write: writeText },
  DATE: { fieldType: 'date', write: writeText },
  DATETIME: { fieldType: 'timestamp', write: (out, value) => writeText(out, isoOfDatetime(String(value))) },
  TIMESTAMP: { fieldType: 'timestamp', write: (out, value) => writeMicroseconds(out, String(value)) },
  JSON: { fieldType: 'json', write: (out, value) => writeExactJson(out, String(value)) },
}
for (const name of ['INTEGER', 'INT64']) scalars[name] = { fieldType: 'integer', write: (out, value) => writeIntegerText(out, String(value)) }
for (const name of ['FLOAT', 'FLOAT64']) scalars[name] = { fieldType: 'number', write: (out, value) => writeNumberText(out, String(value)) }
for (const name of ['BOOLEAN', 'BOOL']) {
  scalars[name] = { fieldType: 'boolean', write: (out, value) => writeAscii(out, String(value) === 'true' ? 'true' : 'false') }
}

const isRecord = ({ type }: BigqueryField) => type === 'RECORD' || type === 'STRUCT'

export function fieldTypeOf(field: BigqueryField): FieldType {
  if (field.mode === 'REPEATED' || isRecord(field)) return 'json'
  // Texts, bytes in base64, times, geographies, intervals, ranges.
  return scalars[field.type]?.fieldType ?? 'string'
}

export function valueWriter(field: BigqueryField): ValueWriter {
  const write = field.mode === 'REPEATED' ? listWriter(field) : isRecord(field) ? recordWriter(field.fields ?? []) : scalars[field.type]?.write ?? writeText
  return (out, value) => {
    if (value === null || value === undefined) writeAscii(out, 'null')
    else write(out, value)
  }
}

function listWriter(field: BigqueryField): ValueWriter {
  const write = valueWriter({ ...field, mode: 'NULLABLE' })
  return (out, value) => {
    writeByte(out, openBracket)
    for (const [index, { v }] of (value as Cell[]).entries()) {
      if (index > 0) writeByte(out, comma)
      write(out, v)
    }
    writeByte(out, closeBracket)
  }
}

/** An object, unless two fields have the same name. */
function recordWriter(fields: BigqueryField[]): ValueWriter {
  const writers = fields.map(valueWriter)
  const isNamed = new Set(fields.map(({ name }) => name)).size === fields.length
  const keys = fields.map(({ name }) => Buffer.from(isNamed ? `${JSON.stringify(name)}:` : ''))
  return (out, value) => {
    const cells = (value as { f: Cell[] }).f
    writeByte(out, isNamed ? openBrace : openBracket)
    for (const [index, write] of writers.entries()) {
      if (index > 0) writeByte(out, comma)
      writeBytes(out, keys[index]!)
      write(out, cells[index]?.v)
    }
    writeByte(out, isNamed ? closeBrace : closeBracket)
  }
}

function writeIntegerText(out: JsonBytes, text: string): void {
  const number = Number(text)
  if (Number.isSafeInteger(number)) writeInteger(out, number)
  else writeJsonText(out, text)
}

function writeNumberText(out: JsonBytes, text: string): void {
  const number = Number(text.replace(/^([+-]?)inf$/i, '$1Infinity'))
  if (Number.isFinite(number)) writeAscii(out, text)
  else writeJsonText(out, String(number))
}

/** Only integers that JavaScript would round change. */
function writeExactJson(out: JsonBytes, text: string): void {
  const source = Buffer.from(`${text} \0`)
  const before = out.length
  if (anyJson(out, source, skipSpace(source, 0)) !== incomplete) return
  out.length = before
  writeJsonText(out, text)
}

const isoOfDatetime = (text: string) => {
  const [seconds = '', fraction = ''] = text.split('.')
  return `${seconds}.${fractionDigits(fraction)}Z`
}

/** Three digits, or six if they are needed. */
const fractionDigits = (fraction: string) => {
  const digits = fraction.padEnd(6, '0')
  return digits.endsWith('000') ? digits.slice(0, 3) : digits
}

const microsecondsPerDay = 86_400_000_000

function writeMicroseconds(out: JsonBytes, text: string): void {
  const number = Number(text)
  const days = Math.floor(number / microsecondsPerDay)
  if (Number.isSafeInteger(number)) return writeTimestamp(out, days, number - days * microsecondsPerDay, 0)
  const day = BigInt(microsecondsPerDay)
  const exact = BigInt(text)
  const ofDay = ((exact % day) + day) % day
  writeTimestamp(out, Number((exact - ofDay) / day), Number(ofDay), 0)
}
