/** Maps a ClickHouse column type to a field type and to the rewriter of its values. */
import type { FieldType } from '../../../model/result.ts'
import { anyJson, byText, decimal, integer, number, verbatim } from '../../json-values/json-scalars.ts'
import { openBrace, openBracket, rewriteList, rewriteObject, type Rewriter } from '../../json-values/json-text.ts'
import { isoTimestamp, localTimestamp } from '../../text-values/zoned-timestamps.ts'
import { writeAscii } from '../../json-bytes.ts'
import { decimalText } from '../../text-values/number-texts.ts'
import { parseMember, parseType, unquote } from './type-name.ts'

const zero = 0x30

/** How some versions write days before the first representable date. */
const zeroDate = Buffer.from('0000-00-00')

const date = byText((out, source, start, end) => {
  const isZero = source[start] === zero && zeroDate.compare(source, start, end) === 0
  if (isZero) writeAscii(out, '"1970-01-01"')
  else decimalText(out, source, start, end)
})

export interface ColumnReader {
  fieldType: FieldType
  rewrite: Rewriter
}

/** How times are written: in UTC, or in the time zone of the column type, which defaults to the server's. */
export type TimeForm = { kind: 'utc' } | { kind: 'local'; serverZone: string }

/** One shared object per type name keeps calls of its rewriter monomorphic across the columns of a row. */
const plainTypes: Record<string, ColumnReader> = {
  Bool: { fieldType: 'boolean', rewrite: verbatim },
  Date: { fieldType: 'date', rewrite: date },
  Date32: { fieldType: 'date', rewrite: date },
}
for (const bits of [8, 16, 32, 64, 128, 256]) {
  plainTypes[`Int${bits}`] = { fieldType: 'integer', rewrite: integer }
  plainTypes[`UInt${bits}`] = { fieldType: 'integer', rewrite: integer }
}
for (const name of ['Float32', 'Float64', 'BFloat16']) plainTypes[name] = { fieldType: 'number', rewrite: number }
for (const name of ['Decimal', 'Decimal32', 'Decimal64', 'Decimal128', 'Decimal256']) {
  plainTypes[name] = { fieldType: 'decimal', rewrite: decimal }
}
for (const name of [
  'String', 'FixedString', 'UUID', 'IPv4', 'IPv6', 'Enum8', 'Enum16', 'Time', 'Time64', 'AggregateFunction', 'Nothing',
]) {
  plainTypes[name] = { fieldType: 'string', rewrite: verbatim }
}

export function columnReader(type: string, times: TimeForm): ColumnReader {
  const { name, parts } = parseType(type)
  const plain = plainTypes[name]
  if (plain) return plain
  if (name === 'Nullable' || name === 'LowCardinality') return columnReader(parts[0] ?? '', times)
  if (name === 'SimpleAggregateFunction') return columnReader(parts.at(-1) ?? '', times)
  if (name === 'DateTime') return { fieldType: 'timestamp', rewrite: timestampIn(parts[0], times) }
  if (name === 'DateTime64') return { fieldType: 'timestamp', rewrite: timestampIn(parts[1], times) }
  if (name.startsWith('Interval')) return { fieldType: 'integer', rewrite: integer }
  if (name === 'Array') return { fieldType: 'json', rewrite: listOf(columnReader(parts[0] ?? '', times).rewrite) }
  if (name === 'Nested') return { fieldType: 'json', rewrite: listOf(tupleOf(parts, times)) }
  if (name === 'Tuple') return { fieldType: 'json', rewrite: tupleOf(parts, times) }
  if (name === 'Map') return { fieldType: 'json', rewrite: mapOf(columnReader(parts[1] ?? '', times).rewrite) }
  // JSON, Dynamic, Variant, geo types, and types that later versions add: their values are JSON.
  return { fieldType: 'json', rewrite: anyJson }
}

function timestampIn(zone: string | undefined, times: TimeForm): Rewriter {
  if (times.kind === 'utc') return byText(isoTimestamp)
  return byText(localTimestamp(zone === undefined ? times.serverZone : unquote(zone)))
}

function listOf(element: Rewriter): Rewriter {
  const elementAt = () => element
  return (out, source, at) =>
    source[at] === openBracket ? rewriteList(out, source, at, elementAt) : anyJson(out, source, at)
}

function mapOf(value: Rewriter): Rewriter {
  const valueAt = () => value
  return (out, source, at) =>
    source[at] === openBrace ? rewriteObject(out, source, at, valueAt) : anyJson(out, source, at)
}

/** An array of its members, or an object if they are named and the server's settings say so. */
function tupleOf(parts: string[], times: TimeForm): Rewriter {
  const members = parts.map((part) => parseMember(part))
  const rewriters = members.map(({ type }) => columnReader(type, times).rewrite)
  const byName = new Map(members.map(({ name }, index) => [name, rewriters[index]!]))
  return (out, source, at) => {
    if (source[at] === openBracket) return rewriteList(out, source, at, (index) => rewriters[index] ?? anyJson)
    if (source[at] !== openBrace) return anyJson(out, source, at)
    return rewriteObject(out, source, at, (keyStart, keyEnd) => {
      const key = JSON.parse(source.toString('utf8', keyStart, keyEnd)) as string
      return byName.get(key) ?? anyJson
    })
  }
}
