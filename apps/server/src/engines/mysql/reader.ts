/**
 * Turns the server's row packets of one statement into JSON.
 *
 * The driver would create JavaScript values for each row, which would then have to become JSON. So the reader intercepts
 * the row packets (the driver's `Query` calls `row` for each) and leaves the rest to the driver: connecting, packets,
 * fields, errors. A million rows of five columns take 0.6 s of CPU time; the driver alone takes 0.75 s to create arrays
 * of values.
 *
 * - *Ready* batches have not been requested yet. At `pauseAtBytes` the connection is paused, so that a slow reader slows
 *   the server down; at `resumeAtBytes` it resumes.
 * - A reader that *discards* drops everything, so that the server, which does not listen while it sends, can finish
 *   sending.
 */
import type { Connection, FieldPacket, QueryError } from 'mysql2'
import type { Field, RowBatch } from '../../model/result.ts'
import { writeAscii } from '../json-bytes.ts'
import { rowBatcher } from '../row-batches.ts'
import { lengthAt } from './length-coded.ts'
import { columnReading } from './mysql-values.ts'

export interface ResultReader {
  /** Rejects when the server rejects the statement. */
  fields: Promise<Field[]>
  /** The next rows; null at the end. */
  next(): Promise<RowBatch | null>
  discard(): void
  /** The server has finished the statement, successfully or not, or is gone. */
  hasEnded(): boolean
  ended: Promise<void>
}

/** The parts of the driver's command and packet used here. */
interface RowSource {
  row: (packet: RowPacket, connection: unknown) => unknown
  on(event: 'fields', listener: (columns: FieldPacket[] | undefined) => void): void
}

interface RowPacket {
  buffer: Uint8Array
  offset: number
  end: number
  isEOF(): boolean
}

const pauseAtBytes = 1024 * 1024
const resumeAtBytes = 256 * 1024
const nullMarker = 0xfb

export function readResult(connection: Connection, sql: string): ResultReader {
  const rows = rowBatcher()
  const ready: RowBatch[] = []
  let readyBytes = 0
  let columns: ReturnType<typeof columnReading>[] = []
  let isDiscarding = false
  let isPaused = false
  let end: { error: unknown } | undefined
  /** A row could not be written. The server does not know of this failure. */
  let failure: { error: unknown } | undefined
  let wake: (() => void) | undefined

  const fields = Promise.withResolvers<Field[]>()
  const ended = Promise.withResolvers<void>()
  // The error also reaches the reader of rows, so `fields` may have no one awaiting it.
  fields.promise.catch(() => {})

  const query = connection.query({ sql }, (error: QueryError | null) => finish(error)) as unknown as RowSource
  query.on('fields', (packets = []) => {
    columns = packets.map(columnReading)
    fields.resolve(packets.map(({ name }, index) => ({ name, type: columns[index]!.type })))
  })
  const endOfRows = query.row
  query.row = takeRow

  function takeRow(this: unknown, packet: RowPacket, from: unknown): unknown {
    if (packet.isEOF()) return endOfRows.call(this, packet, from)
    if (!isDiscarding) {
      try {
        writeRow(packet)
      } catch (error) {
        // Thrown from here, the error would get lost in the driver and break the connection.
        failure = { error }
        discard()
        wake?.()
      }
    }
    return takeRow
  }

  function writeRow({ buffer, offset, end: packetEnd }: RowPacket): void {
    const { out } = rows
    let at = offset
    rows.begin()
    for (let index = 0; index < columns.length; index++) {
      if (index > 0) rows.separate()
      const mark = buffer[at]!
      if (mark === nullMarker) {
        writeAscii(out, 'null')
        at++
        continue
      }
      // Almost every value is shorter than 251 bytes, so its length takes one byte.
      const start = mark < nullMarker ? at + 1 : at + lengthAt.sizeOf(mark)
      at = start + (mark < nullMarker ? mark : lengthAt.read(buffer, at))
      columns[index]!.write(out, buffer, start, at)
    }
    rows.end()
    if (at !== packetEnd) throw new Error('A row does not end where its packet ends.')
    if (rows.isFull()) makeReady()
  }

  function makeReady(): void {
    const batch = rows.take()
    ready.push(batch)
    readyBytes += batch.json.length
    wake?.()
    if (readyBytes < pauseAtBytes || isPaused || end) return
    isPaused = true
    connection.pause()
  }

  function resume(): void {
    if (!isPaused) return
    isPaused = false
    connection.resume()
  }

  function finish(error: unknown): void {
    if (end) return
    end = { error }
    if (!isDiscarding && !rows.isEmpty()) makeReady()
    fields.reject(error)
    ended.resolve()
    wake?.()
  }

  function discard(): void {
    isDiscarding = true
    ready.length = 0
    readyBytes = 0
    resume()
  }

  return {
    fields: fields.promise,
    ended: ended.promise,
    hasEnded: () => end !== undefined,
    async next() {
      while (ready.length === 0) {
        if (failure) throw failure.error
        if (end?.error) throw end.error
        if (end) return null
        const waiting = Promise.withResolvers<void>()
        wake = waiting.resolve
        await waiting.promise
      }
      const batch = ready.shift()!
      readyBytes -= batch.json.length
      if (readyBytes <= resumeAtBytes) resume()
      return batch
    },
    discard,
  }
}
