import type { Field } from '../../model/result.ts'
import type { RawRows } from '../read-rows.ts'
import { columnNames } from './column-names.ts'
import { type ColumnShape, newShape, parquetType, widen } from './column-shapes.ts'
import { eachValue, unquoted } from './download-values.ts'

export interface ParquetLines {
  /**
   * One JSON object a row and line, its keys the columns' numbers. JSON values are strings of their text, which keeps
   * it as it is.
   */
  pieces(): AsyncGenerator<string>
  /** Known once `pieces` has been read to its end. */
  columns(): { name: string; type: string }[]
  rowCount(): number
}

/** The rows in the form that DuckDB reads, and the types they need. They are opened when they begin to be read. */
export function toParquetRows(open: () => Promise<RawRows>): ParquetLines {
  let fields: Field[] = []
  let shapes: ColumnShape[] = []
  let rowCount = 0
  async function* pieces(): AsyncGenerator<string> {
    const { batches, ...rest } = await open()
    fields = rest.fields
    shapes = fields.map(newShape)
    for await (const rows of batches) {
      let out = ''
      eachValue(rows, {
        value(json, column) {
          out += `${column === 0 ? '{' : ','}"${column}":${lineValue(json, shapes[column]!)}`
        },
        rowEnd() {
          out += '}\n'
          rowCount++
        },
      })
      yield out
    }
  }
  return {
    pieces,
    columns: () => columnNames(fields).map((name, index) => ({ name, type: parquetType(shapes[index]!) })),
    rowCount: () => rowCount,
  }
}

function lineValue(json: string, shape: ColumnShape): string {
  if (json === 'null') return json
  if (shape.type === 'json') return json.trim() === 'null' ? 'null' : JSON.stringify(json.trim())
  widen(shape, json.startsWith('"') ? unquoted(json) : json)
  return json
}
