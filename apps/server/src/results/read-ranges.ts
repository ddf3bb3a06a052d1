import { Readable } from 'node:stream'

/**
 * Streams bytes that are read one range at a time, prefetching the next while the last is being sent. Even a slow reader
 * holds only a few ranges in memory, and no connection to the place between reads.
 */
export function readRanges(options: {
  sizeBytes: number
  /** All ranges but the last have this size. */
  rangeBytes: number
  beginning: Buffer
  read(offset: number): Promise<Buffer | undefined>
  onClose(): void
}): Readable {
  const { sizeBytes, rangeBytes } = options
  async function* ranges(): AsyncGenerator<Buffer> {
    let offset = 0
    let next: Promise<Buffer | undefined> = Promise.resolve(options.beginning)
    while (offset < sizeBytes) {
      const range = await next
      if (range?.length !== Math.min(rangeBytes, sizeBytes - offset)) {
        throw new Error('The stored result is incomplete: its bytes are gone.')
      }
      offset += range.length
      if (offset < sizeBytes) {
        next = options.read(offset)
        // An error surfaces when the range is awaited, if ever.
        next.catch(() => {})
      }
      yield range
    }
  }
  const stream = Readable.from(ranges(), { objectMode: false })
  stream.once('close', options.onClose)
  return stream
}
