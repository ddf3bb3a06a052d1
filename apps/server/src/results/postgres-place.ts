import { freeBytes } from '../ports/free-bytes.ts'
import { inBlocks, writeBlocks } from './blocks.ts'
import type { BytePlace } from './shared-results.ts'

/** The database operations this place needs. */
export interface BytePieces {
  /** The size that one statement writes or reads. */
  rangeBytes: number
  insert(options: { id: string; offset: number; bytes: Buffer }): Promise<void>
  read(options: { id: string; offset: number }): Promise<Buffer | undefined>
  remove(ids: string[]): Promise<void>
}

/** The places of results in the service's own database, which store their bytes alike. */
export function postgresPlaces(pieces: BytePieces): Record<'postgres' | 'postgres_zstd', BytePlace> {
  const place = makePostgresPlace(pieces)
  return { postgres: place, postgres_zstd: place }
}

/** Stores bytes in the service's own database, each range in its own transaction. */
export function makePostgresPlace(pieces: BytePieces): BytePlace {
  const { rangeBytes } = pieces
  return {
    rangeBytes,
    write: ({ id, bytes }) =>
      writeBlocks(inBlocks(bytes, rangeBytes), {
        // One connection at a time. The next range is compressed in parallel.
        atOnce: 1,
        async write(block, number) {
          await pieces.insert({ id, offset: number * rangeBytes, bytes: block })
          freeBytes(block)
        },
      }),
    read: (range) => pieces.read(range),
    remove: (stored) => pieces.remove(stored.map(({ id }) => id)),
  }
}
