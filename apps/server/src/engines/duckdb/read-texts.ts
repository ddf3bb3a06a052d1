/**
 * Reads the answers of internal queries without the DuckDB library, which takes longer to load than everything else in a child process.
 * Their columns are VARCHAR, and their rows few.
 */
import duckdb, { type Connection, type DataChunk, type Result } from '@duckdb/node-bindings'

type Text = string | null

/** Runs a statement and returns its rows. */
export async function queryTexts(connection: Connection, sql: string): Promise<Text[][]> {
  const result = await duckdb.query(connection, sql)
  const columns = Array.from({ length: duckdb.column_count(result) }, (_, column) => column)
  const rows: Text[][] = []
  for (let chunk = await nextChunk(result); chunk; chunk = await nextChunk(result)) {
    const { size, textAt } = chunk
    for (let row = 0; row < size; row++) rows.push(columns.map((column) => textAt(row, column)))
  }
  return rows
}

/** The text of the first row, null if there is none. */
export async function readText(result: Result): Promise<Text> {
  const chunk = await nextChunk(result)
  return chunk ? chunk.textAt(0, 0) : null
}

async function nextChunk(result: Result): Promise<{ size: number; textAt(row: number, column: number): Text } | undefined> {
  const chunk = await duckdb.fetch_chunk(result)
  const size = chunk === null ? 0 : duckdb.data_chunk_get_size(chunk)
  return chunk === null || size === 0 ? undefined : { size, textAt: (row, column) => readOne(chunk, size, { row, column }) }
}

/** DuckDB stores a string as 16 bytes: its length, then either its bytes (up to 12) or four bytes and a pointer. */
const structBytes = 16
const inlineBytes = 12

function readOne(chunk: DataChunk, size: number, { row, column }: { row: number; column: number }): Text {
  const vector = duckdb.data_chunk_get_vector(chunk, column)
  const bits = duckdb.vector_get_validity(vector, Math.ceil(size / 64) * 8) as Uint8Array | null
  if (bits !== null && (bits[row >> 3]! & (1 << (row & 7))) === 0) return null
  const data = duckdb.vector_get_data(vector, size * structBytes)
  const start = row * structBytes
  const length = new DataView(data.buffer, data.byteOffset).getUint32(start, true)
  const bytes =
    length <= inlineBytes
      ? data.subarray(start + 4, start + 4 + length)
      : duckdb.get_data_from_pointer(data.buffer as ArrayBuffer, data.byteOffset + start + 8, length)
  return Buffer.from(bytes).toString()
}
