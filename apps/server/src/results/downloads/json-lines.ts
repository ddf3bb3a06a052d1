import type { RawRows } from '../read-rows.ts'
import { columnNames } from './column-names.ts'
import { eachValue } from './download-values.ts'

/**
 * Writes a result as JSON lines: one object per row, keyed by column name. Values are those of the result, exact: integers
 * beyond 2^53-1 and decimals are strings, and numbers in a JSON column keep their digits.
 */
export async function* toJsonLines({ fields, batches }: RawRows): AsyncGenerator<string> {
  const keys = columnNames(fields).map((name, column) => `${column === 0 ? '{' : ','}${JSON.stringify(name)}:`)
  for await (const rows of batches) {
    let out = ''
    eachValue(rows, {
      value(json, column) {
        // Stored JSON may contain line breaks between its tokens, but never inside its strings.
        out += keys[column]! + (fields[column]!.type === 'json' ? json.trim().replaceAll(/[\r\n]+/g, ' ') : json)
      },
      rowEnd: () => void (out += fields.length === 0 ? '{}\n' : '}\n'),
    })
    yield out
  }
}
