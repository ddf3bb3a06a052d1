import type { ArchivePlaceName, StoredObject } from '../../model/history.ts'
import type { BytePlace } from '../shared-results.ts'
import { ArchiveDamaged } from './number-bytes.ts'

/** The bytes of archived results. The table `archive_objects` knows everything that is or may be stored here. */
export interface ArchiveBytes {
  writeTo: ArchivePlaceName
  /** Calls `onUpload` with the id that `remove` needs if this process dies. Returns the number of bytes. */
  write(options: { id: string; bytes: AsyncIterable<Buffer>; onUpload(uploadId: string): Promise<void> }): Promise<number>
  /** Throws `ArchiveDamaged` if bytes are missing. */
  read(object: StoredObject): AsyncIterable<Buffer>
  /** Removes what is complete, incomplete or missing alike. */
  remove(objects: { id: string; place: ArchivePlaceName; uploadId: string | null }[]): Promise<void>
  /** The places that this process can reach. */
  places: ArchivePlaceName[]
}

export function makeArchiveBytes(options: {
  places: Partial<Record<ArchivePlaceName, BytePlace>>
  writeTo: ArchivePlaceName
}): ArchiveBytes {
  const { places, writeTo } = options
  return {
    writeTo,
    places: Object.keys(places) as ArchivePlaceName[],
    async write({ id, bytes, onUpload }) {
      let sizeBytes = 0
      async function* measured() {
        for await (const piece of bytes) {
          sizeBytes += piece.length
          yield piece
        }
      }
      await places[writeTo]!.write({ id, bytes: measured(), onUpload })
      return sizeBytes
    },
    async *read({ id, place: name, storedBytes }) {
      const place = places[name]
      if (!place) throw new Error(`The kept result is stored in ${name}, which this process is not configured to use.`)
      for (let offset = 0; offset < storedBytes; ) {
        const range = await place.read({ id, offset })
        if (range?.length !== Math.min(place.rangeBytes, storedBytes - offset)) throw new ArchiveDamaged()
        yield range
        offset += range.length
      }
    },
    async remove(objects) {
      for (const [name, stored] of Map.groupBy(objects, ({ place }) => place)) await places[name]!.remove(stored)
    },
  }
}
