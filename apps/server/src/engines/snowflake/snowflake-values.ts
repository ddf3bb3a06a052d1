/**
 * Maps the type of a column to a field type and to the rewriter of its values. In the format of the SQL API, every value is a string or
 * null: numbers keep all their digits, times count from 1970.
 */
import type { FieldType } from '../../model/result.ts'
import { type JsonBytes, writeAscii, writeJsonText } from '../json-bytes.ts'
import { byText, decimal, integer, number, verbatim } from '../json-values/json-scalars.ts'
import {
  copyString, endOfString, endOfToken, incomplete, NotJson, openBrace, openBracket, quote, type Rewriter, rewriteList, rewriteObject, skipSpace,
} from '../json-values/json-text.ts'
import { integerText, numberText } from '../text-values/number-texts.ts'
import { writeBase64 } from '../text-values/quoted-texts.ts'
import { textOf, type ValueWriter } from '../text-values/value-writer.ts'
import { dateOf, timeOf, timestampOf } from './snowflake-times.ts'

export interface SnowflakeColumn {
  name: string
  type: string
  scale?: number | null
}

export interface ColumnReader {
  fieldType: FieldType
  rewrite: Rewriter
}

/** The text of a value, which has no escapes. */
const bySpelling = (spell: (text: string) => string): Rewriter =>
  byText((out, source, start, end) => writeJsonText(out, spell(textOf(source, start, end))))

const letterT = 0x74
const one = 0x31

const booleanText: ValueWriter = (out, source, start) =>
  writeAscii(out, (source[start]! | 0x20) === letterT || source[start] === one ? 'true' : 'false')

const hexText: ValueWriter = (out, source, start, end) => writeBase64(out, Buffer.from(textOf(source, start, end), 'hex'))

const timestamp: ColumnReader = { fieldType: 'timestamp', rewrite: bySpelling(timestampOf) }
const semiStructured: ColumnReader = { fieldType: 'json', rewrite: jsonInString }

const readers: Record<string, ColumnReader> = {
  real: { fieldType: 'number', rewrite: number },
  boolean: { fieldType: 'boolean', rewrite: byText(booleanText) },
  date: { fieldType: 'date', rewrite: bySpelling(dateOf) },
  time: { fieldType: 'string', rewrite: bySpelling(timeOf) },
  binary: { fieldType: 'string', rewrite: byText(hexText) },
}
for (const name of ['timestamp_ntz', 'timestamp_ltz', 'timestamp_tz']) readers[name] = timestamp
for (const name of ['variant', 'object', 'array', 'map', 'vector', 'geography', 'geometry']) readers[name] = semiStructured

export function columnReader({ type, scale }: SnowflakeColumn): ColumnReader {
  const name = type.toLowerCase()
  if (name === 'fixed') return (scale ?? 0) === 0 ? { fieldType: 'integer', rewrite: integer } : { fieldType: 'decimal', rewrite: decimal }
  // Texts, and types that later versions may add.
  return readers[name] ?? { fieldType: 'string', rewrite: verbatim }
}

/** Text that is not JSON, such as a geography in WKT, stays text. */
function jsonInString(out: JsonBytes, source: Buffer, at: number): number {
  if (source[at] !== quote) return verbatim(out, source, at)
  const end = endOfString(source, at + 1)
  if (end === incomplete) return incomplete
  const text = JSON.parse(source.toString('utf8', at, end + 1)) as string
  const inner = Buffer.from(`${text} \0`)
  const before = out.length
  try {
    const innerEnd = anyValue(out, inner, skipSpace(inner, 0))
    if (innerEnd === incomplete || skipSpace(inner, innerEnd) !== inner.length - 1) throw new NotJson()
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    out.length = before
    writeJsonText(out, text)
  }
  return end + 1
}

/** JSON as Snowflake writes it: also with `undefined` for NULL in an array, and with numbers that JSON does not have. */
const anyValue: Rewriter = (out, source, at) => {
  const first = source[at]
  if (first === openBracket) return rewriteList(out, source, at, () => anyValue)
  if (first === openBrace) return rewriteObject(out, source, at, () => anyValue)
  if (first === quote) return copyString(out, source, at)
  const end = endOfToken(source, at)
  if (end === incomplete) return incomplete
  writeToken(out, source, at, end)
  return end
}

function writeToken(out: JsonBytes, source: Buffer, start: number, end: number): void {
  const token = source.toString('latin1', start, end)
  if (token === 'true' || token === 'false' || token === 'null') writeAscii(out, token)
  else if (token === 'undefined') writeAscii(out, 'null')
  else if (/^-?\d+$/.test(token)) integerText(out, source, start, end)
  else if (/^-?(\d+(\.\d+)?([eE][+-]?\d+)?|NaN|Infinity)$/.test(token)) numberText(out, source, start, end)
  else throw new NotJson()
}
