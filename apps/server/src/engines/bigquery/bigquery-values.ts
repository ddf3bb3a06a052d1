/**
 * Maps the type of a BigQuery column to a field type, and its values to JSON. BigQuery sends every value as a string, `{"v": "…"}`,
 * so parsing a page loses no digit.
 */
import type { FieldType } from '../../model/result.ts'
import { jsonBytes } from '../json-bytes.ts'
import { anyJson } from '../json-values/json-scalars.ts'
import { incomplete, skipSpace } from '../json-values/json-text.ts'

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

/** A value as JSON text. */
type ToJson = (value: unknown) => string

const quoted: ToJson = (value) => JSON.stringify(value)

const scalars: Record<string, { fieldType: FieldType; toJson: ToJson }> = {
  NUMERIC: { fieldType: 'decimal', toJson: quoted },
  BIGNUMERIC: { fieldType: 'decimal', toJson: quoted },
  DATE: { fieldType: 'date', toJson: quoted },
  DATETIME: { fieldType: 'timestamp', toJson: (value) => quoted(isoOfDatetime(String(value))) },
  TIMESTAMP: { fieldType: 'timestamp', toJson: (value) => quoted(isoOfMicroseconds(String(value))) },
  JSON: { fieldType: 'json', toJson: (value) => exactJson(String(value)) },
}
for (const name of ['INTEGER', 'INT64']) scalars[name] = { fieldType: 'integer', toJson: (value) => integerJson(String(value)) }
for (const name of ['FLOAT', 'FLOAT64']) scalars[name] = { fieldType: 'number', toJson: (value) => numberJson(String(value)) }
for (const name of ['BOOLEAN', 'BOOL']) scalars[name] = { fieldType: 'boolean', toJson: (value) => String(String(value) === 'true') }

const isRecord = ({ type }: BigqueryField) => type === 'RECORD' || type === 'STRUCT'

export function fieldTypeOf(field: BigqueryField): FieldType {
  if (field.mode === 'REPEATED' || isRecord(field)) return 'json'
  // Texts, bytes in base64, times, geographies, intervals, ranges.
  return scalars[field.type]?.fieldType ?? 'string'
}

export function valueJson(field: BigqueryField, value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (field.mode !== 'REPEATED') return isRecord(field) ? recordJson(field.fields ?? [], value) : (scalars[field.type]?.toJson ?? quoted)(value)
  const element = { ...field, mode: 'NULLABLE' }
  return `[${(value as Cell[]).map(({ v }) => valueJson(element, v)).join(',')}]`
}

/** An object, unless two fields have the same name. */
function recordJson(fields: BigqueryField[], value: unknown): string {
  const cells = (value as { f: Cell[] }).f
  const values = fields.map((field, index) => valueJson(field, cells[index]?.v))
  if (new Set(fields.map(({ name }) => name)).size < fields.length) return `[${values.join(',')}]`
  return `{${fields.map(({ name }, index) => `${JSON.stringify(name)}:${values[index]}`).join(',')}}`
}

const integerJson = (text: string) => (Number.isSafeInteger(Number(text)) ? String(Number(text)) : quoted(text))

function numberJson(text: string): string {
  const number = Number(text.replace(/^([+-]?)inf$/i, '$1Infinity'))
  return Number.isFinite(number) ? text : quoted(String(number))
}

/** Only integers that JavaScript would round change. */
function exactJson(text: string): string {
  const source = Buffer.from(`${text} \0`)
  const out = jsonBytes(source.length + 16)
  if (anyJson(out, source, skipSpace(source, 0)) === incomplete) return quoted(text)
  return Buffer.from(out.bytes.buffer, 0, out.length).toString()
}

const isoOfDatetime = (text: string) => {
  const [seconds = '', fraction = ''] = text.split('.')
  return `${seconds}.${fractionDigits(fraction)}Z`
}

function isoOfMicroseconds(text: string): string {
  const microseconds = BigInt(text)
  const fraction = ((microseconds % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = new Date(Number((microseconds - fraction) / 1000n)).toISOString().slice(0, -5)
  return `${seconds}.${fractionDigits(String(fraction).padStart(6, '0'))}Z`
}

/** Three digits, or six if they are needed. */
const fractionDigits = (fraction: string) => {
  const digits = fraction.padEnd(6, '0')
  return digits.endsWith('000') ? digits.slice(0, 3) : digits
}
