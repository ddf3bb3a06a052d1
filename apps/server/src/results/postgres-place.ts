import { inBlocks, writeBlocks } from './blocks.ts'
import type { BytePlace } from './shared-results.ts'

/** What this place asks of the database. */
export interface ResultPieces {
  /** Written and read by one statement. */
  rangeBytes: number
  insert(options: { runId: string; offset: number; bytes: Buffer }): Promise<void>
  read(options: { runId: string; offset: number }): Promise<Buffer | undefined>
  remove(runIds: string[]): Promise<void>
}

/** Bytes in the service's own database, each range in a transaction of its own. */
export function makePostgresPlace(pieces: ResultPieces): BytePlace {
  const { rangeBytes } = pieces
  return {
    rangeBytes,
    write: ({ runId, bytes }) =>
      writeBlocks(inBlocks(bytes, rangeBytes), {
        // One connection at a time: the next range is compressed meanwhile.
        atOnce: 1,
        write: (block, number) => pieces.insert({ runId, offset: number * rangeBytes, bytes: block }),
      }),
    read: (range) => pieces.read(range),
    remove: (results) => pieces.remove(results.map(({ runId }) => runId)),
  }
}
