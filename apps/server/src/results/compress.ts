import { Readable } from 'node:stream'
import { createGzip, gzipSync } from 'node:zlib'

/** The fastest level: every run waits for compression, and higher levels gain little on JSON rows. */
const level = 1

/** Up to this size, compressing synchronously is cheaper than a stream through the thread pool. */
const syncBytes = 32 * 1024

/**
 * Compresses with gzip. Small content is compressed synchronously; the rest streams through the thread pool. The choice depends
 * only on the content's length, so equal content gives equal bytes.
 */
export async function* compress(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Buffer> {
  const first: Uint8Array[] = []
  let sizeBytes = 0
  try {
    while (sizeBytes <= syncBytes) {
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
    // When the reader stops early, stop the producer too.
    await pieces.return(undefined)
  }
}

async function* joined(first: Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* first
  yield* rest
}
