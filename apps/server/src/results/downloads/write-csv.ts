import type { Field } from '../../model/result.ts'
import type { RawRows } from '../read-rows.ts'
import { withoutFormula } from './formulas.ts'
import { eachValue, unquoted } from './download-values.ts'

/**
 * A result as CSV by RFC 4180: UTF-8, a header, lines that end with CRLF. Values are exact: integers and decimals keep
 * every digit, timestamps are ISO 8601 in UTC, JSON is its text. NULL is an empty cell, an empty text is `""`.
 *
 * Text and names of columns that a spreadsheet would execute are made harmless (`formulas.ts`) unless the result is
 * wanted *raw*. Cells of other types cannot hold a formula: they are made of digits, or are JSON, which begins with
 * none of those characters but the minus of a number.
 */
export async function* toCsv({ fields, batches }: RawRows, options: { isRaw?: boolean } = {}): AsyncGenerator<string> {
  const ofText = options.isRaw ? (text: string) => text : withoutFormula
  yield `${fields.map(({ name }) => cell(ofText(name))).join(',')}\r\n`
  for await (const rows of batches) yield csvOf(rows, { fields, ofText })
}

function csvOf(rows: string, { fields, ofText }: { fields: Field[]; ofText: (text: string) => string }): string {
  let out = ''
  eachValue(rows, {
    value(json, column) {
      if (column > 0) out += ','
      if (json === 'null') return
      const { type } = fields[column]!
      if (type === 'json') out += json.trim() === 'null' ? '' : cell(json.trim())
      else if (type === 'string') out += cell(ofText(json.startsWith('"') ? unquoted(json) : json))
      else out += json.startsWith('"') ? cell(unquoted(json)) : json
    },
    rowEnd: () => void (out += '\r\n'),
  })
  return out
}

function cell(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
