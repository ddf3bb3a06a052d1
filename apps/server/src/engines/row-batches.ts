/**
 * Collects rows into batches of about 128 KiB: large enough that the cost per batch is negligible, small enough that many
 * results can be in flight at once.
 *
 *     rows.begin(); write(rows.out); rows.separate(); write(rows.out); rows.end()
 *     if (rows.isFull()) yield rows.take()
 */
import type { RowBatch } from '../model/result.ts'
import { jsonBytes, writeByte, type JsonBytes } from './json-bytes.ts'

export interface RowBatcher {
  readonly out: JsonBytes
  begin(): void
  /** Between two values of a row. */
  separate(): void
  end(): void
  isFull(): boolean
  isEmpty(): boolean
  /** The rows since the last call. The caller owns the returned bytes. */
  take(): RowBatch
}

const batchBytes = 128 * 1024
/** Leaves room for the row that fills the batch. */
const capacityBytes = batchBytes * 2

const comma = 0x2c
const openBracket = 0x5b
const closeBracket = 0x5d

export function rowBatcher(): RowBatcher {
  const out = jsonBytes(capacityBytes)
  let rowCount = 0
  return {
    out,
    begin() {
      if (rowCount > 0) writeByte(out, comma)
      writeByte(out, openBracket)
    },
    separate: () => writeByte(out, comma),
    end() {
      writeByte(out, closeBracket)
      rowCount++
    },
    isFull: () => out.length >= batchBytes,
    isEmpty: () => rowCount === 0,
    take() {
      const batch = { rowCount, json: out.bytes.slice(0, out.length) }
      // Release the buffer of one very large row instead of keeping it for the rest of the result.
      if (out.bytes.length > capacityBytes * 4) out.bytes = new Uint8Array(capacityBytes)
      out.length = 0
      rowCount = 0
      return batch
    },
  }
}
