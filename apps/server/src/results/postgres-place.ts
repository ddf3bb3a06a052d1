import { inBlocks, writeBlocks } from './blocks.ts'
import type { BytePlace } from './shared-results.ts'

/** The database operations this place needs. */
export interface ResultPieces {
  /** The size that one statement writes or reads. */
  rangeBytes: number
  insert(options: { runId: string; offset: number; bytes: Buffer }): Promise<void>
  read(options: { runId: string; offset: number }): Promise<Buffer | undefined>
  remove(runIds: string[]): Promise<void>
}

/** Stores bytes in the service's own database, each range in its own transaction. */
export function makePostgresPlace(pieces: ResultPieces): BytePlace {
  const { rangeBytes } = pieces
  return {
    rangeBytes,
    write: ({ runId, bytes }) =>
      writeBlocks(inBlocks(bytes, rangeBytes), {
        // One connection at a time. The next range is compressed in parallel.
        atOnce: 1,
        write: (block, number) => pieces.insert({ runId, offset: number * rangeBytes, bytes: block }),
      }),
    read: (range) => pieces.read(range),
    remove: (results) => pieces.remove(results.map(({ runId }) => runId)),
  }
}
