import type { RawRows } from '../read-rows.ts'
import { columnNames } from './column-names.ts'
import { eachValue } from './download-values.ts'

/**
 * A result as JSON lines: an object a row and line, keys the columns' names. Values are those of the result itself,
 * exact: integers beyond 2^53-1 and decimals are strings, a number within a JSON column keeps its digits.
 */
export async function* toJsonLines({ fields, batches }: RawRows): AsyncGenerator<string> {
  const keys = columnNames(fields).map((name, column) => `${column === 0 ? '{' : ','}${JSON.stringify(name)}:`)
  for await (const rows of batches) {
    let out = ''
    eachValue(rows, {
      value(json, column) {
        // JSON may have been stored over several lines. Within its strings there are none.
        out += keys[column]! + (fields[column]!.type === 'json' ? json.trim().replaceAll(/[\r\n]+/g, ' ') : json)
      },
      rowEnd: () => void (out += fields.length === 0 ? '{}\n' : '}\n'),
    })
    yield out
  }
}
