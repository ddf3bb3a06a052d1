import type { FieldType } from '../../model/result.ts'
import type { RawRows } from '../read-rows.ts'
import { type ColumnShape, newShape, widen } from './column-shapes.ts'
import { eachValue, unquoted } from './download-values.ts'

/** Types whose values may not fit the default type. Values that are JSON numbers always fit. */
const widening = new Set<FieldType>(['integer', 'decimal', 'date', 'timestamp'])

/** Reads all rows to find the shapes of their columns. Formats that declare their types up front need this first. */
export async function findShapes({ fields, batches }: RawRows, signal: AbortSignal): Promise<ColumnShape[]> {
  const shapes = fields.map(newShape)
  const isWidening = fields.map(({ type }) => widening.has(type))
  if (!isWidening.includes(true)) {
    await batches.return(undefined)
    return shapes
  }
  for await (const rows of batches) {
    signal.throwIfAborted()
    eachValue(rows, {
      value(json, column) {
        if (isWidening[column] && json.startsWith('"')) widen(shapes[column]!, unquoted(json))
      },
      rowEnd() {},
    })
  }
  return shapes
}
