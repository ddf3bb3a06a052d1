import { Readable } from 'node:stream'
import { createGzip, gzipSync } from 'node:zlib'

/** The fastest: compressing is on the way of every run, and higher levels gain little on rows of JSON. */
const level = 1

/** Little enough to be done on the spot, without a stream and its turns through the thread pool. */
const atOnceBytes = 32 * 1024

/**
 * Compresses with gzip. What is small is done at once; the rest streams through the thread pool, a piece at a time. Which of
 * the two depends on the content's length alone, so equal contents have equal bytes.
 */
export async function* compress(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Buffer> {
  const first: Uint8Array[] = []
  let sizeBytes = 0
  try {
    while (sizeBytes <= atOnceBytes) {
      const next = await pieces.next()
      if (next.done) {
        yield gzipSync(Buffer.concat(first), { level })
        return
      }
      first.push(next.value)
      sizeBytes += next.value.length
    }
    yield* Readable.from(joined(first, pieces), { objectMode: false }).compose(createGzip({ level, chunkSize: 128 * 1024 }))
  } finally {
    // Whoever stops reading early also stops whoever makes the pieces.
    await pieces.return(undefined)
  }
}

async function* joined(first: Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* first
  yield* rest
}
