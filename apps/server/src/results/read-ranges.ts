import { Readable } from 'node:stream'

/**
 * A stream over bytes that are read a range at a time, the next while the last is being sent: a reader of any pace
 * holds a few ranges in memory, and nothing of the place they come from in between.
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
        throw new Error('The stored result ends in the middle: its bytes are gone.')
      }
      offset += range.length
      if (offset < sizeBytes) {
        next = options.read(offset)
        // It is looked at when its turn comes, if ever.
        next.catch(() => {})
      }
      yield range
    }
  }
  const stream = Readable.from(ranges(), { objectMode: false })
  stream.once('close', options.onClose)
  return stream
}
