/**
 * The protocol between the engine and its child processes.
 *
 * - A *frame* is `length (u32, little endian) · kind (u8) · payload (length bytes)`.
 * - The engine writes `run` frames to the child's stdin; the child answers each on its answer pipe with any number of
 *   `progress`, then `fields`, any number of `rows`, then `end`; or with `error` instead of the next frame.
 * - One statement at a time: the next `run` is sent after the last answer's `end` or `error`.
 */
import { freeBytes } from '../../ports/free-bytes.ts'
import type { EngineErrorKind, FileTable } from '../engine.ts'
import type { ErrorPosition } from '../../model/run.ts'
import type { Field, RowBatch, RunStatistics } from '../../model/result.ts'

export const frameKind = { run: 1, fields: 2, rows: 3, end: 4, error: 5, progress: 6 } as const

export const frameHeaderBytes = 5

/** A `rows` frame's payload begins with the number of rows (u32). */
export const rowsHeaderBytes = frameHeaderBytes + 4

/** The maximum frame size: larger than the largest row, and small enough to protect this process from a faulty child. */
export const frameLimitBytes = 40 * 1024 * 1024

/** The file descriptor of the answer pipe in the child. DuckDB may print to stdout. */
export const answerDescriptor = 3

/** The settings of a child, passed as its only argument (JSON). */
export interface ChildSettings {
  file: string
  /** A folder for this process alone, to spill to. */
  folder: string
  memoryLimitMb: number
  processMemoryLimitMb: number
  temporaryLimitMb: number
  threads: number
}

export interface RunRequest {
  sql: string
  /** Files that this statement can read as tables. */
  tables?: FileTable[]
}

export type Answer =
  | { kind: 'progress'; percent: number }
  | { kind: 'fields'; fields: Field[] }
  | ({ kind: 'rows' } & RowBatch)
  | ({ kind: 'end' } & End)
  | ({ kind: 'error' } & Failure)

/** `isSpent`: the process holds so much memory that it should be replaced before the next statement. */
export interface End {
  statistics: RunStatistics
  isSpent: boolean
}

export interface Failure {
  errorKind: EngineErrorKind
  message: string
  position: ErrorPosition | null
  isSpent: boolean
}

export function encodeJsonFrame(kind: number, value: unknown): Uint8Array {
  const payload = Buffer.from(JSON.stringify(value))
  const frame = Buffer.allocUnsafe(frameHeaderBytes + payload.length)
  writeFrameHeader(frame, kind, payload.length)
  frame.set(payload, frameHeaderBytes)
  return frame
}

export function writeFrameHeader(bytes: Uint8Array, kind: number, payloadBytes: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, frameHeaderBytes)
  view.setUint32(0, payloadBytes, true)
  view.setUint8(4, kind)
}

export interface Frame {
  kind: number
  payload: Uint8Array
}

/**
 * Reads frames from a stream of bytes without reading ahead: unread bytes stay in the pipe, and a full pipe applies
 * backpressure to the other side. Returns null when the stream ends.
 */
export function frameReader(source: AsyncIterator<Uint8Array>): () => Promise<Frame | null> {
  let rest: Uint8Array = new Uint8Array(0)

  /** Fills `target` from the buffered bytes and then from the stream. False when the stream ends first. */
  async function fill(target: Uint8Array): Promise<boolean> {
    let filled = 0
    for (;;) {
      const taken = rest.subarray(0, target.length - filled)
      target.set(taken, filled)
      rest = rest.subarray(taken.length)
      filled += taken.length
      if (filled === target.length) return true
      const next = await source.next()
      if (next.done) return false
      rest = next.value
    }
  }

  return async () => {
    const header = new Uint8Array(frameHeaderBytes)
    if (!(await fill(header))) return null
    const view = new DataView(header.buffer)
    const size = view.getUint32(0, true)
    if (size > frameLimitBytes) throw new Error(`A frame of ${size} bytes is larger than the limit`)
    const payload = Buffer.allocUnsafeSlow(size)
    if (!(await fill(payload))) return null
    return { kind: view.getUint8(4), payload }
  }
}

export function decodeAnswer(frame: Frame): Answer {
  const { kind, payload } = frame
  if (kind === frameKind.rows) {
    const rowCount = new DataView(payload.buffer, payload.byteOffset, 4).getUint32(0, true)
    return { kind: 'rows', rowCount, json: payload.subarray(4), release: () => freeBytes(payload) }
  }
  const value: unknown = JSON.parse(Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString())
  if (kind === frameKind.progress) return { kind: 'progress', percent: value as number }
  if (kind === frameKind.fields) return { kind: 'fields', fields: value as Field[] }
  if (kind === frameKind.end) return { kind: 'end', ...(value as End) }
  if (kind === frameKind.error) return { kind: 'error', ...(value as Failure) }
  throw new Error(`Unknown frame kind ${kind}`)
}
