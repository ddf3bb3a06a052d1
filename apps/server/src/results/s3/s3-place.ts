import { inBlocks, writeBlocks } from '../blocks.ts'
import type { BytePlace } from '../shared-results.ts'
import type { S3Objects } from './s3-objects.ts'

/** One request for this much while it is sent on: a client that takes its time holds no connection to the bucket. */
const rangeBytes = 2 * 1024 * 1024
/**
 * The smallest parts that S3 takes, and up to 10,000 of them: results of up to 48 GiB. What fits into one part is put
 * at once.
 */
const partBytes = 5 * 1024 * 1024

/** Requests to the bucket at the same time. */
const removedAtOnce = 8

/** Bytes as objects of a bucket, one a result. An object appears only when it is whole. */
export function makeS3Place(objects: S3Objects): BytePlace {
  return {
    rangeBytes,
    async write({ runId, bytes, onUpload }) {
      const key = keyOf(runId)
      const parts = inBlocks(bytes, partBytes)
      const first = await parts.next()
      const second = await parts.next()
      if (second.done) return objects.put(key, first.value as Buffer)
      const uploadId = await objects.createUpload(key)
      // Before anything is in it: whatever happens from now on, it can be aborted.
      await onUpload(uploadId)
      const tags: string[] = []
      await writeBlocks(joined([first.value as Buffer, second.value], parts), {
        // The next is gathered meanwhile: with both, and the pieces it is made of, a writer holds three parts.
        atOnce: 1,
        async write(part, index) {
          tags[index] = await objects.uploadPart({ key, uploadId, number: index + 1, bytes: part })
        },
      })
      await objects.completeUpload({ key, uploadId, tags })
    },
    read: ({ runId, offset }) => objects.getRange({ key: keyOf(runId), offset, length: rangeBytes }),
    /**
     * One request an object. A request for many (DeleteObjects) needs a checksum of its body, and servers other than Amazon's
     * disagree about which.
     */
    async remove(results) {
      const queue = results.values()
      const removeNext = async () => {
        for (const { runId, uploadId } of queue) {
          if (uploadId !== null) await objects.abortUpload({ key: keyOf(runId), uploadId })
          await objects.delete(keyOf(runId))
        }
      }
      await Promise.all(Array.from({ length: removedAtOnce }, removeNext))
    },
  }
}

const keyOf = (runId: string) => `${runId}.json.gz`

async function* joined(first: Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* first
  yield* rest
}
