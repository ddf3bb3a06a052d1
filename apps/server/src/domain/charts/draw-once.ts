import { makeSemaphore } from '../../ports/semaphore.ts'
import { byteCache } from '../../results/byte-cache.ts'

/** Returns the image with this tag, and draws it if it is not kept. */
export type DrawOnce = (tag: string, draw: () => Promise<Buffer>) => Promise<Buffer>

/**
 * Keeps drawn images by *tag*: the same tag always means the same image. An image is drawn once, however many requests arrive at the
 * same time, and only a few at a time, because drawing uses the threads that file access and compression need too.
 */
export function makeDrawOnce(options: { maxBytes: number; atOnce: number }): DrawOnce {
  const kept = byteCache({ maxBytes: options.maxBytes })
  const inProgress = new Map<string, Promise<Buffer>>()
  const semaphore = makeSemaphore({ permits: options.atOnce })

  return async (tag, draw) => {
    const known = kept.get(tag) ?? inProgress.get(tag)
    if (known) return known
    const drawing = semaphore
      .run(async () => {
        const bytes = await draw()
        kept.set(tag, bytes)
        return bytes
      })
      .finally(() => inProgress.delete(tag))
    inProgress.set(tag, drawing)
    return drawing
  }
}
