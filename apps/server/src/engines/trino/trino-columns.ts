/** Maps the type of a Trino column to a field type and to the rewriter of its values. */
import type { FieldType } from '../../model/result.ts'
import { type JsonBytes, writeByte, writeBytes } from '../json-bytes.ts'
import { anyJson, byText, decimal, integer, number, verbatim } from '../json-values/json-scalars.ts'
import {
  closeBrace, closeBracket, comma, endOfString, incomplete, NotJson, openBrace, openBracket, quote, type Rewriter, rewriteList,
  rewriteObject, skipSpace,
} from '../json-values/json-text.ts'
import { timestampText } from '../text-values/time-texts.ts'
import { zonedTimestamp } from './trino-timestamps.ts'

/** As the server describes a type. */
export interface TypeSignature {
  rawType: string
  arguments?: { kind: string; value: unknown }[]
}

export interface TrinoColumn {
  name: string
  type: string
  typeSignature?: TypeSignature
}

export interface ColumnReader {
  fieldType: FieldType
  rewrite: Rewriter
}

const plainTypes: Record<string, ColumnReader> = {
  boolean: { fieldType: 'boolean', rewrite: verbatim },
  decimal: { fieldType: 'decimal', rewrite: decimal },
  date: { fieldType: 'date', rewrite: verbatim },
  timestamp: { fieldType: 'timestamp', rewrite: byText(timestampText) },
  'timestamp with time zone': { fieldType: 'timestamp', rewrite: byText(zonedTimestamp) },
  json: { fieldType: 'json', rewrite: jsonInString },
}
for (const name of ['tinyint', 'smallint', 'integer', 'bigint']) plainTypes[name] = { fieldType: 'integer', rewrite: integer }
for (const name of ['real', 'double']) plainTypes[name] = { fieldType: 'number', rewrite: number }

export function columnReader({ type, typeSignature = { rawType: type } }: Pick<TrinoColumn, 'type' | 'typeSignature'>): ColumnReader {
  return readerOf(typeSignature)
}

function readerOf(signature: TypeSignature): ColumnReader {
  const { rawType, arguments: parts = [] } = signature
  const plain = plainTypes[rawType]
  if (plain) return plain
  if (rawType === 'array') return { fieldType: 'json', rewrite: listOf(rewriterAt(parts, 0)) }
  if (rawType === 'map') return { fieldType: 'json', rewrite: mapOf(rewriterAt(parts, 1)) }
  if (rawType === 'row') return { fieldType: 'json', rewrite: rowOf(parts) }
  // Texts, bytes in base64, times, intervals, UUIDs, addresses, sketches: the server writes them as strings.
  return { fieldType: 'string', rewrite: anyJson }
}

type Parts = NonNullable<TypeSignature['arguments']>

function rewriterAt(parts: Parts, index: number): Rewriter {
  const value = parts[index]?.value
  return isSignature(value) ? readerOf(value).rewrite : anyJson
}

const isSignature = (value: unknown): value is TypeSignature =>
  typeof value === 'object' && value !== null && typeof (value as { rawType?: unknown }).rawType === 'string'

/** The server sends JSON as a string that contains it. Its integers may be too long for JavaScript. */
function jsonInString(out: JsonBytes, source: Buffer, at: number): number {
  if (source[at] !== quote) return verbatim(out, source, at)
  const end = endOfString(source, at + 1)
  if (end === incomplete) return incomplete
  const text = JSON.parse(source.toString('utf8', at, end + 1)) as string
  const inner = Buffer.from(`${text} \0`)
  if (anyJson(out, inner, skipSpace(inner, 0)) === incomplete) throw new NotJson()
  return end + 1
}

function listOf(element: Rewriter): Rewriter {
  const elementAt = () => element
  return (out, source, at) => (source[at] === openBracket ? rewriteList(out, source, at, elementAt) : verbatim(out, source, at))
}

function mapOf(value: Rewriter): Rewriter {
  const valueAt = () => value
  return (out, source, at) => (source[at] === openBrace ? rewriteObject(out, source, at, valueAt) : verbatim(out, source, at))
}

interface NamedType {
  fieldName?: { name?: string }
  typeSignature?: TypeSignature
}

/** The server sends an array of values. If every field has a name of its own, it becomes an object. */
function rowOf(parts: Parts): Rewriter {
  const fields = parts.map(({ value }) => value as NamedType)
  const rewriters = fields.map(({ typeSignature }) => (typeSignature ? readerOf(typeSignature).rewrite : anyJson))
  const names = fields.map(({ fieldName }) => fieldName?.name)
  const fieldAt = (index: number) => rewriters[index] ?? anyJson
  const isNamed = names.every((name) => name !== undefined) && new Set(names).size === names.length
  if (!isNamed) {
    return (out, source, at) => (source[at] === openBracket ? rewriteList(out, source, at, fieldAt) : verbatim(out, source, at))
  }
  const keys = names.map((name, index) => Buffer.from(`${index > 0 ? ',' : ''}${JSON.stringify(name)}:`))
  return (out, source, at) => {
    if (source[at] !== openBracket) return verbatim(out, source, at)
    writeByte(out, openBrace)
    at = skipSpace(source, at + 1)
    for (let index = 0; source[at] !== closeBracket; index++) {
      if (index > 0) {
        if (source[at] !== comma) throw new NotJson()
        at = skipSpace(source, at + 1)
      }
      if (index >= keys.length) throw new NotJson()
      writeBytes(out, keys[index]!)
      at = fieldAt(index)(out, source, at)
      if (at === incomplete) return incomplete
      at = skipSpace(source, at)
    }
    writeByte(out, closeBrace)
    return at + 1
  }
}
