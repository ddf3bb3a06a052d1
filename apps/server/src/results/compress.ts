import { once } from 'node:events'
import { promisify } from 'node:util'
import { constants, createZstdCompress, gzip, gzipSync, type ZstdCompress } from 'node:zlib'

/** The fastest level of both: every run waits for compression, and higher levels gain little on JSON rows. */
const level = 1
/** The checksum detects damage, as gzip's does. */
const zstdParams = { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 }

/** Up to this size, compressing synchronously is cheaper than in the thread pool. */
const syncBytes = 32 * 1024

/**
 * Up to this size, results are compressed with gzip, which every client accepts, so that they can be sent as they are stored. Above, the
 * time of a run counts more: zstd takes a third of the time.
 */
export const gzipMaxBytes = 4 * 1024 * 1024

const gzipInPool = promisify<Buffer, object, Buffer>(gzip)

/** Compresses the JSON text of a result. How depends only on its length, so equal content gives equal bytes. */
export async function* compress(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Buffer> {
  const first: Uint8Array[] = []
  let sizeBytes = 0
  try {
    while (sizeBytes <= gzipMaxBytes) {
      const next = await pieces.next()
      if (next.done) {
        const whole = Buffer.concat(first)
        yield sizeBytes <= syncBytes ? gzipSync(whole, { level }) : await gzipInPool(whole, { level })
        return
      }
      // A copy, because the producer may give the memory of a piece back when more are requested.
      first.push(Buffer.from(next.value))
      sizeBytes += next.value.length
    }
    yield* zstdPieces(joined(first, pieces))
  } finally {
    // When the reader stops early, stop the producer too.
    await pieces.return(undefined)
  }
}

/** Requests each piece while the one before is being compressed in the thread pool, and not earlier. */
async function* zstdPieces(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Buffer> {
  const zstd = createZstdCompress({ params: zstdParams, chunkSize: 128 * 1024 })
  const compressed: Buffer[] = []
  zstd.on('data', (bytes: Buffer) => compressed.push(bytes))
  const ended = once(zstd, 'end')
  let compressing: Promise<void> | undefined
  // An error is thrown where the promise is awaited, unless the reader stops before.
  ended.catch(() => {})
  try {
    for (;;) {
      const next = await pieces.next()
      await compressing
      yield* compressed.splice(0)
      if (next.done) break
      compressing = write(zstd, next.value)
      compressing.catch(() => {})
    }
    zstd.end()
    await ended
    yield* compressed
  } finally {
    zstd.destroy()
    await pieces.return(undefined)
  }
}

const write = (zstd: ZstdCompress, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => zstd.write(bytes, (error) => (error ? reject(error) : resolve())))

async function* joined(first: Uint8Array[], rest: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  // Nothing that was read is kept.
  for (let piece = first.shift(); piece; piece = first.shift()) yield piece
  yield* rest
}
