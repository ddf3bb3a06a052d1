import { makeData, RecordBatch, RecordBatchStreamWriter, type Schema, Struct } from 'apache-arrow'
import type { RawRows } from '../../read-rows.ts'
import { columnNames } from '../column-names.ts'
import { type ColumnShape, neededType } from '../column-shapes.ts'
import { eachValue } from '../download-values.ts'
import { type ArrowColumn, makeColumn } from './arrow-columns.ts'
import { arrowSchema } from './arrow-types.ts'

/** A trade-off: readers prefer large batches, but a batch is held in memory. */
const batchRows = 65_536
const batchCharacters = 2 * 1024 * 1024

/**
 * Streams a result as Arrow record batches (IPC streaming format), each column in a type that keeps its values exact.
 * `shapes` must cover all rows.
 */
export async function* toArrow({ fields, batches }: RawRows, shapes: ColumnShape[]): AsyncGenerator<Uint8Array> {
  const needed = shapes.map(neededType)
  const schema = arrowSchema(columnNames(fields).map((name, index) => ({ name, needed: needed[index]! })))
  const columns = needed.map((each, index) => makeColumn(each, schema.fields[index]!.type))
  const writer = new CollectingWriter()
  writer.begin(schema)
  let [rowCount, characters] = [0, 0]
  const flush = () => {
    writer.write(batchOf(schema, columns, rowCount))
    rowCount = 0
    characters = 0
  }
  for await (const rows of batches) {
    eachValue(rows, { value: (json, column) => columns[column]!.append(json), rowEnd: () => void rowCount++ })
    characters += rows.length
    if (rowCount < batchRows && characters < batchCharacters) continue
    flush()
    yield* writer.takeBytes()
  }
  if (rowCount > 0) flush()
  writer.finish()
  yield* writer.takeBytes()
}

function batchOf(schema: Schema, columns: ArrowColumn[], length: number): RecordBatch {
  const children = columns.map((column) => column.take())
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }))
}

/** The library's writer fills an unbounded queue. This one lets the caller take the bytes instead. */
class CollectingWriter extends RecordBatchStreamWriter {
  #bytes: Uint8Array[] = []

  begin(schema: Schema): void {
    this.reset(undefined, schema)
  }

  takeBytes(): Uint8Array[] {
    const taken = this.#bytes
    this.#bytes = []
    return taken
  }

  protected override _write(chunk: ArrayBufferView): this {
    const bytes = new Uint8Array(chunk.buffer as ArrayBuffer, chunk.byteOffset, chunk.byteLength)
    if (bytes.length > 0) this.#bytes.push(bytes)
    return this
  }
}
