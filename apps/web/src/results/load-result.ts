import type { Field } from '../api/first-rows.ts'
import { makeResultReader } from '../api/read-result.ts'

/** A result, as far as it has been loaded. */
export interface LoadedResult {
  fields: Field[]
  /** The first rows, in the order of the result. */
  rows: unknown[][]
  isLoading: boolean
  /** Whether the result has more rows than the page loads. */
  isCut: boolean
  /** The number of all rows, where only those that a chart draws were loaded. */
  rowCount?: number
}

export interface LoadLimits {
  rows: number
  bytes: number
}

/** Roughly what a page can hold and still sort quickly. Larger results are for downloads. */
export const defaultLimits: LoadLimits = { rows: 100_000, bytes: 64 * 1024 * 1024 }

export interface LoadOptions {
  limits?: LoadLimits
  /** Called with the first rows and then at intervals, each time with a new array. */
  onProgress?(result: LoadedResult): void
  /** Yields to the event loop. Tests inject their own. */
  pause?(): Promise<void>
  now?(): number
}

/** How long loading may block the page, and how often it reports progress. */
const sliceMs = 4
const showEveryMs = 250

/**
 * Reads the body in short slices up to the limits, without blocking the page, and leaves the rest unread. A body that ends early
 * is an error, never a short result.
 */
export async function loadResult(body: ReadableStream<Uint8Array>, options: LoadOptions = {}): Promise<LoadedResult> {
  const { limits = defaultLimits, onProgress, pause = yieldToEventLoop, now = () => performance.now() } = options
  const source = body.getReader()
  const reader = makeResultReader()
  const rows: unknown[][] = []
  let bytesRead = 0
  let sliceStartMs = now()
  let shownMs = Number.NEGATIVE_INFINITY
  const resultSoFar = (ending: { isLoading: boolean; isCut: boolean }): LoadedResult => ({
    fields: reader.fields ?? [],
    rows: ending.isLoading ? rows.slice() : rows,
    ...ending,
  })
  for (;;) {
    const { done, value } = await source.read()
    if (done) break
    for (const piece of split(value)) {
      bytesRead += piece.length
      for (const row of reader.push(piece)) rows.push(row)
      const isFull = rows.length > limits.rows || bytesRead > limits.bytes
      if (isFull && !reader.isWhole) {
        // The rest is not needed, so errors while cancelling do not matter.
        void source.cancel().catch(() => undefined)
        rows.length = Math.min(rows.length, limits.rows)
        return resultSoFar({ isLoading: false, isCut: true })
      }
      if (now() - sliceStartMs < sliceMs) continue
      if (reader.fields && now() - shownMs >= showEveryMs) {
        onProgress?.(resultSoFar({ isLoading: true, isCut: false }))
        shownMs = now()
      }
      await pause()
      sliceStartMs = now()
    }
  }
  if (!reader.isWhole) throw new Error('The connection ended before the result was complete. Load it again.')
  const isCut = rows.length > limits.rows
  rows.length = Math.min(rows.length, limits.rows)
  return resultSoFar({ isLoading: false, isCut })
}

const pieceBytes = 64 * 1024

/** A browser may deliver megabytes at once. */
function* split(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes)
}

/**
 * Lets pending events and painting run first. Where the browser has priorities, frames always come before the next slice, so that scrolling
 * stays fluent. Unlike timers, message channels are not throttled when nested.
 */
function yieldToEventLoop(): Promise<void> {
  if ('scheduler' in globalThis) return scheduler.postTask(() => undefined, { priority: 'background' })
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      resolve()
    })
    port1.start()
    port2.postMessage(null)
  })
}
