import { EngineError } from '../engine.ts'
import type { RowBatch } from '../../model/result.ts'
import { writeAscii } from '../json-bytes.ts'
import { rowBatcher, type RowBatcher } from '../row-batches.ts'
import type { ValueWriter } from '../text-values/value-writer.ts'
import { faultError, readFault, type Fault } from './fault.ts'
import { answer } from './messages.ts'
import type { MessageReader } from './message-reader.ts'
import type { Wire } from './wire.ts'

/** Reads the rows of an executed statement until the server is ready for the next. */
export async function* readRows(options: {
  wire: Wire
  writers: ValueWriter[]
  sql: string
  /** While stopping, another reader drains the bytes. */
  isStopping: () => boolean
}): AsyncGenerator<RowBatch> {
  const { wire, writers, sql, isStopping } = options
  const { reader } = wire
  const rows = rowBatcher()
  let fault: Fault | null = null
  for (;;) {
    while (reader.take()) {
      if (reader.kind === answer.dataRow) {
        writeRow(rows, reader, writers)
        if (!rows.isFull()) continue
        yield rows.take()
        if (isStopping()) return
      } else if (reader.kind === answer.error) fault = readFault(reader.bytes, reader.start, reader.end)
      else if (reader.kind === answer.copyIn || reader.kind === answer.copyOut) {
        throw new EngineError('refused', 'COPY is not allowed. Only statements that return rows can run.')
      } else if (reader.kind === answer.readyForQuery) {
        wire.noteReady()
        if (fault) throw faultError(fault, sql)
        if (!rows.isEmpty()) yield rows.take()
        return
      }
    }
    const hasMore = await reader.fill()
    if (isStopping()) return
    if (!hasMore) throw wire.lost(fault)
  }
}

/** Format: a count, then each value's length (-1 for NULL) and text. */
function writeRow(rows: RowBatcher, { bytes, start }: MessageReader, writers: ValueWriter[]): void {
  const { out } = rows
  let at = start + 2
  rows.begin()
  for (let index = 0; index < writers.length; index++) {
    if (index > 0) rows.separate()
    const length = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!
    at += 4
    if (length < 0) writeAscii(out, 'null')
    else {
      writers[index]!(out, bytes, at, at + length)
      at += length
    }
  }
  rows.end()
}
