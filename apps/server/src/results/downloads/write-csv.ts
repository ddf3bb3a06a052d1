import type { Field } from '../../model/result.ts'
import type { RawRows } from '../read-rows.ts'
import { withoutFormula } from './formulas.ts'
import { eachValue, unquoted } from './download-values.ts'

/**
 * Writes a result as CSV (RFC 4180): UTF-8, with a header and CRLF line ends. Values are exact: integers and decimals keep
 * every digit, timestamps are ISO 8601 in UTC, JSON is its text. NULL is an empty cell, empty text is `""`.
 *
 * Text and column names that a spreadsheet would execute are escaped (`formulas.ts`) unless the result is requested *raw*.
 * Cells of other types cannot hold a formula: they consist of digits, or are JSON, which begins with none of those
 * characters except the minus of a number.
 */
export async function* toCsv({ fields, batches }: RawRows, options: { isRaw?: boolean } = {}): AsyncGenerator<string> {
  const escape = options.isRaw ? (text: string) => text : withoutFormula
  yield `${fields.map(({ name }) => cell(escape(name))).join(',')}\r\n`
  for await (const rows of batches) yield csvOf(rows, { fields, escape })
}

function csvOf(rows: string, { fields, escape }: { fields: Field[]; escape: (text: string) => string }): string {
  let out = ''
  eachValue(rows, {
    value(json, column) {
      if (column > 0) out += ','
      if (json === 'null') return
      const { type } = fields[column]!
      if (type === 'json') out += json.trim() === 'null' ? '' : cell(json.trim())
      else if (type === 'string') out += cell(escape(json.startsWith('"') ? unquoted(json) : json))
      else out += json.startsWith('"') ? cell(unquoted(json)) : json
    },
    rowEnd: () => void (out += '\r\n'),
  })
  return out
}

function cell(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
