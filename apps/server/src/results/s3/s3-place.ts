import { inBlocks, writeBlocks } from '../blocks.ts'
import type { BytePlace } from '../shared-results.ts'
import type { S3Objects } from './s3-objects.ts'

/** Each request reads this much, so that a slow client does not keep a connection to the bucket open. */
const rangeBytes = 2 * 1024 * 1024
/**
 * The smallest part size that S3 accepts. With at most 10,000 parts, results can have up to 48 GiB. A result that fits into one
 * part is stored with a single request.
 */
const partBytes = 5 * 1024 * 1024

/** Concurrent delete requests to the bucket. */
const removedAtOnce = 8

/** Stores bytes as objects in a bucket, one per id. An object appears only once it is complete. */
export function makeS3Place(objects: S3Objects, { keyOf }: { keyOf(id: string): string }): BytePlace {
  return {
    rangeBytes,
    async write({ id, bytes, onUpload }) {
      const key = keyOf(id)
      const parts = inBlocks(bytes, partBytes)
      const first = await parts.next()
      const second = await parts.next()
      if (second.done) return objects.put(key, first.value as Buffer)
      const uploadId = await objects.createUpload(key)
      // Record the upload before it has any parts, so that it can be aborted whatever happens.
      await onUpload(uploadId)
      const tags: string[] = []
      await writeBlocks(joined([first.value as Buffer, second.value], parts), {
        // The next part is collected in parallel. Both and the pieces of the next make three parts in memory.
        atOnce: 1,
        async write(part, index) {
          tags[index] = await objects.uploadPart({ key, uploadId, number: index + 1, bytes: part })
        },
      })
      await objects.completeUpload({ key, uploadId, tags })
    },
    read: ({ id, offset }) => objects.getRange({ key: keyOf(id), offset, length: rangeBytes }),
    /**
     * One request per object. DeleteObjects would need a checksum of its body, and servers other than Amazon's disagree about
     * which one.
     */
    async remove(stored) {
      const queue = stored.values()
      const removeNext = async () => {
        for (const { id, uploadId } of queue) {
          if (uploadId !== null) await objects.abortUpload({ key: keyOf(id), uploadId })
          await objects.delete(keyOf(id))
        }
      }
      await Promise.all(Array.from({ length: removedAtOnce }, removeNext))
    },
  }
}

/** The places of results in a bucket: how they are compressed is part of their names. */
export const s3Places = (objects: S3Objects): Record<'s3' | 's3_zstd', BytePlace> => ({
  s3: makeS3Place(objects, { keyOf: (runId) => `${runId}.json.gz` }),
  s3_zstd: makeS3Place(objects, { keyOf: (runId) => `${runId}.json.zst` }),
})

export const keyOfArchived = (objectId: string) => `archive/${objectId}.zst`

async function* joined(first: Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* first
  yield* rest
}
