import type { Field } from '../../engines/engine.ts'
import type { RawRows } from '../read-rows.ts'
import { eachValue, unquoted } from './values.ts'

/**
 * A result as CSV by RFC 4180: UTF-8, a header, lines that end with CRLF. Values are exact: integers and decimals keep every digit,
 * timestamps are ISO 8601 in UTC, JSON is its text. NULL is an empty cell, an empty text is `""`.
 *
 * Cells that a spreadsheet would take for a formula (`=`, `+`, `-`, `@` in front) are left as they are: a changed value would be
 * wrong for every other reader, and nobody could tell it from one that was stored so.
 */
export async function* toCsv({ fields, batches }: RawRows): AsyncGenerator<string> {
  yield `${fields.map(({ name }) => cell(name)).join(',')}\r\n`
  for await (const rows of batches) yield csvOf(rows, fields)
}

function csvOf(rows: string, fields: Field[]): string {
  let out = ''
  eachValue(rows, {
    value(json, column) {
      if (column > 0) out += ','
      if (json === 'null') return
      if (fields[column]!.type === 'json') out += json.trim() === 'null' ? '' : cell(json.trim())
      else out += json.startsWith('"') ? cell(unquoted(json)) : json
    },
    rowEnd: () => void (out += '\r\n'),
  })
  return out
}

function cell(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
