import type { Field } from '../../model/result.ts'
import type { RawRows } from '../read-rows.ts'
import { columnNames } from './column-names.ts'
import { type ColumnShape, newShape, parquetType, widen } from './column-shapes.ts'
import { eachValue, unquoted } from './download-values.ts'

export interface ParquetLines {
  /**
   * One JSON object per row and line, keyed by column index. JSON values are written as strings, which preserves their text.
   */
  pieces(): AsyncGenerator<string>
  /** Known once `pieces` has been read to its end. */
  columns(): { name: string; type: string }[]
  rowCount(): number
}

/** The rows in the form that DuckDB reads, and the types they need. The source is opened when reading begins. */
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
