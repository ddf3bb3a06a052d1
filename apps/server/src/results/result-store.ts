import type { Readable } from 'node:stream'
import type { EngineResult } from '../model/result.ts'
import type { ResultLimits } from './result-too-large.ts'

/**
 * Results are stored as the bytes that the result route sends: `{"fields":[…],"rows":[[…],…],"rowCount":n}`, compressed
 * (`compress.ts`). They are written once, under their run's id, and never change.
 */
export interface ResultStore {
  /** Reads the engine's batches to their end. Leaves nothing behind when it throws. */
  write(options: {
    runId: string
    result: EngineResult
    limits: ResultLimits
    /** Called after every batch with the number of rows so far. */
    onRows?(rowCountSoFar: number): void
    /** The caller stores `unstored` bytes in the transaction that ends the run, so that it waits for the disk once. */
    storesAtEnd?: boolean
  }): Promise<WrittenResult & { unstored?: Buffer }>
  /** Undefined if the result does not exist or was removed. */
  open(runId: string): Promise<StoredResult | undefined>
  /** Removing a missing result succeeds. A reader that has it open, in any process, can still read to the end. */
  remove(runId: string): Promise<void>
  /** Removes a few hundred at once, at a fraction of the cost of removing them one by one. */
  removeAll(runIds: string[]): Promise<void>
  /**
   * Call this from time to time. Deletes the bytes of results that were removed while being read, unfinished results of
   * processes that died, and results written before `writtenBefore`, which can no longer be requested. Each call processes one
   * batch; `hasMore` asks for another call right away.
   */
  sweep(options: { writtenBefore: Date }): Promise<{ removed: number; hasMore: boolean }>
}

export interface WrittenResult {
  rowCount: number
  /** Compressed. */
  sizeBytes: number
  /** The hash of the compressed bytes. Equal results have equal hashes. */
  hash: string
}

/** How the bytes of a result are compressed, as HTTP names it. */
export type Encoding = 'gzip' | 'zstd'

export interface StoredResult {
  sizeBytes: number
  encoding: Encoding
  /** A buffer if the result is small, else a stream. Can be read once. */
  bytes: Buffer | Readable
}

/** Up to this size, a result is read, cached and sent as one buffer. */
export const smallBytes = 1024 * 1024

/** Up to this size, a result can be stored by the transaction that ends its run, if its place is the store. */
export const storedAtEndBytes = 64 * 1024

/** Validates an id, because ids become names of files and objects. */
export function checkRunId(runId: string): void {
  if (!/^run_\w+$/.test(runId)) throw new Error(`Invalid run id: ${runId}`)
}
