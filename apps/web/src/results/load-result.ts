import type { Field } from '../api/first-rows.ts'
import { makeResultReader } from '../api/read-result.ts'

/** A result as far as the page has it. */
export interface LoadedResult {
  fields: Field[]
  /** From the first row on, in the result's own order. */
  rows: unknown[][]
  isLoading: boolean
  /** There are more rows, which the page does not load: it says so, and offers the file. */
  isCut: boolean
}

export interface LoadLimits {
  rows: number
  bytes: number
}

/** About what a page can hold and still be quick to sort; a person who wants more of it wants the file. */
export const usualLimits: LoadLimits = { rows: 100_000, bytes: 64 * 1024 * 1024 }

export interface LoadOptions {
  limits?: LoadLimits
  /** Told as soon as there is something to show, and then now and then; each time with a list of its own. */
  onProgress?(result: LoadedResult): void
  /** Lets the page do other things. Tests give their own. */
  pause?(): Promise<void>
  now?(): number
}

/** The longest that the page is kept from answering a person, and how often it shows that there are more rows. */
const sliceMs = 8
const showEveryMs = 250

/**
 * Reads the body piece by piece, never for longer than a person would notice, up to the limits; what lies beyond them stays
 * unread. A body that breaks off is an error, never a short result.
 */
export async function loadResult(body: ReadableStream<Uint8Array>, options: LoadOptions = {}): Promise<LoadedResult> {
  const { limits = usualLimits, onProgress, pause = nextTask, now = () => performance.now() } = options
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
    for (const piece of cut(value)) {
      bytesRead += piece.length
      for (const row of reader.push(piece)) rows.push(row)
      const isFull = rows.length > limits.rows || bytesRead > limits.bytes
      if (isFull && !reader.isWhole) {
        // What is left is not wanted, so neither is how its sending ends.
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
  if (!reader.isWhole) throw new Error('The result broke off before its end. Load it again.')
  const isCut = rows.length > limits.rows
  rows.length = Math.min(rows.length, limits.rows)
  return resultSoFar({ isLoading: false, isCut })
}

const pieceBytes = 64 * 1024

/** A browser may give megabytes at once. */
function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += pieceBytes) yield bytes.subarray(from, from + pieceBytes)
}

/** After whatever else waits to be done: events, painting. Unlike a timer it is not slowed down after a few turns. */
function nextTask(): Promise<void> {
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
