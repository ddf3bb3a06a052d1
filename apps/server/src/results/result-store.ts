import type { Readable } from 'node:stream'
import type { EngineResult } from '../model/result.ts'
import type { ResultLimits } from './result-too-large.ts'

/**
 * Results are stored as the bytes that the result route sends: `{"fields":[…],"rows":[[…],…],"rowCount":n}`, compressed
 * with gzip. They are written once, under their run's id, and never change.
 */
export interface ResultStore {
  /** Reads the engine's batches to their end. Leaves nothing behind when it throws. */
  write(options: {
    runId: string
    result: EngineResult
    limits: ResultLimits
    /** Told after every batch how many rows have gone by. */
    onRows?(rowCountSoFar: number): void
  }): Promise<WrittenResult>
  /** Nothing when there is no such result (any more). */
  open(runId: string): Promise<StoredResult | undefined>
  /** Removing what is not there is well. A reader that has it open, in whatever process, reads on to the end. */
  remove(runId: string): Promise<void>
  /** Removes a few hundred at once, which costs a fraction of removing them one by one. */
  removeAll(runIds: string[]): Promise<void>
  /**
   * To be called now and then. Removes the bytes of what was removed while it was being read, what processes that died
   * left unfinished, and whatever was written before a time before which nothing can be asked for any more. One call is one
   * batch; `hasMore` asks for another call right away.
   */
  sweep(options: { writtenBefore: Date }): Promise<{ removed: number; hasMore: boolean }>
}

export interface WrittenResult {
  rowCount: number
  /** Compressed. */
  sizeBytes: number
  /** Of the compressed bytes: equal results have equal hashes. */
  hash: string
}

export interface StoredResult {
  sizeBytes: number
  /** All of it where it is small, else a stream of it. To be taken once. */
  bytes: Buffer | Readable
}

/** Up to this size a result is read, kept and sent as one piece of memory. */
export const smallBytes = 1024 * 1024

/** Ids become names of files and objects. */
export function checkRunId(runId: string): void {
  if (!/^run_\w+$/.test(runId)) throw new Error(`Not a run's id: ${runId}`)
}
