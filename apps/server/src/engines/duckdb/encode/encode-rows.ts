/** Encodes a streaming result as `rows` frames of about 128 KiB, in bounded memory. */
import duckdb, { type DataChunk, type Result } from '@duckdb/node-bindings'
import type { Field } from '../../../model/result.ts'
import { frameHeaderBytes, frameKind, rowsHeaderBytes, writeFrameHeader } from '../protocol.ts'
import { columnWriter } from './encode-columns.ts'
import { jsonBytes, writeByte } from '../../json-bytes.ts'

const batchBytes = 128 * 1024

const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d

/** A failure is thrown where the chunk is awaited, even when something else fails before that. */
function fetchChunk(result: Result): Promise<DataChunk | null> {
  const fetching = duckdb.fetch_chunk(result)
  fetching.catch(() => {})
  return fetching
}

export function rowEncoder(result: Result) {
  const columns = Array.from({ length: duckdb.column_count(result) }, (_, index) => ({
    name: duckdb.column_name(result, index),
    writer: columnWriter(duckdb.column_logical_type(result, index)),
  }))
  const writers = columns.map((column) => column.writer)
  const fields: Field[] = columns.map(({ name, writer }) => ({ name, type: writer.fieldType }))

  /** Calls `send` with each frame; the bytes are reused as soon as it returns. */
  async function sendRows(send: (frame: Uint8Array) => void): Promise<void> {
    const out = jsonBytes(batchBytes * 2)
    out.length = rowsHeaderBytes
    let rowCount = 0

    function flush() {
      // Drop the comma after the last row.
      const end = out.length - 1
      writeFrameHeader(out.bytes, frameKind.rows, end - frameHeaderBytes)
      new DataView(out.bytes.buffer).setUint32(frameHeaderBytes, rowCount, true)
      send(out.bytes.subarray(0, end))
      out.length = rowsHeaderBytes
      rowCount = 0
    }

    let fetching = fetchChunk(result)
    for (;;) {
      const chunk = await fetching
      const count = chunk === null ? 0 : duckdb.data_chunk_get_size(chunk)
      // A streaming result that has ended returns empty chunks, not null.
      if (chunk === null || count === 0) break
      for (const [index, writer] of writers.entries()) writer.load(duckdb.data_chunk_get_vector(chunk, index), count)
      // DuckDB produces the next chunk on its own threads while this one is written.
      fetching = fetchChunk(result)
      // Write row by row: rows stay in order, and every writer still reads its own array sequentially.
      for (let row = 0; row < count; row++) {
        writeByte(out, openBracket)
        for (let column = 0; column < writers.length; column++) {
          if (column > 0) writeByte(out, comma)
          writers[column]!.write(out, row)
        }
        writeByte(out, closeBracket)
        writeByte(out, comma)
        rowCount++
        if (out.length >= batchBytes) flush()
      }
    }
    if (rowCount > 0) flush()
  }

  return { fields, sendRows }
}
