import { once } from 'node:events'
import { createGzip, type Gzip, gzipSync } from 'node:zlib'

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
      // A copy, because the producer may give the memory of a piece back when more are requested.
      first.push(Buffer.from(next.value))
      sizeBytes += next.value.length
    }
    yield* gzipPieces(joined(first, pieces))
  } finally {
    // When the reader stops early, stop the producer too.
    await pieces.return(undefined)
  }
}

/** Requests each piece while the one before is being compressed in the thread pool, and not earlier. */
async function* gzipPieces(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Buffer> {
  const gzip = createGzip({ level, chunkSize: 128 * 1024 })
  const compressed: Buffer[] = []
  gzip.on('data', (bytes: Buffer) => compressed.push(bytes))
  const ended = once(gzip, 'end')
  let compressing: Promise<void> | undefined
  // An error is thrown where the promise is awaited, unless the reader stops before.
  ended.catch(() => {})
  try {
    for (;;) {
      const next = await pieces.next()
      await compressing
      yield* compressed.splice(0)
      if (next.done) break
      compressing = write(gzip, next.value)
      compressing.catch(() => {})
    }
    gzip.end()
    await ended
    yield* compressed
  } finally {
    gzip.destroy()
    await pieces.return(undefined)
  }
}

const write = (gzip: Gzip, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => gzip.write(bytes, (error) => (error ? reject(error) : resolve())))

async function* joined(first: Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* first
  yield* rest
}
