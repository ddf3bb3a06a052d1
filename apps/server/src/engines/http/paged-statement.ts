/**
 * A statement whose result is read page by page. It is *over* when its last page has been read, or when it was canceled and the server no
 * longer runs it.
 */
import type { RowBatch } from '../../model/result.ts'
import { EngineError } from '../engine.ts'
import { rowTooLarge, TooManyBytes } from '../json-bytes.ts'

export interface PagedStatement<Page> {
  /** The next page; null after the last one. Throws if the statement was stopped. */
  next(): Promise<Page | null>
  /** Rejects with the error to report, once the server no longer runs the statement. */
  fail(error: unknown): Promise<never>
  /** The rows of the pages, beginning with one that was read before. The next page is fetched while one is consumed. */
  batches(first: Page | null, batchesOf: (page: Page) => Iterable<RowBatch>): AsyncGenerator<RowBatch>
}

export function followStatement<Page>(options: {
  next(): Promise<Page | null>
  /** Resolves when the server no longer runs it. */
  cancel(): Promise<void>
  signal: AbortSignal
  /** The error to report for one that reading the pages threw. */
  describe(error: unknown): unknown
  /** Called once, when the statement is over. */
  onOver(): void
}): PagedStatement<Page> {
  const { signal } = options
  let ending: Promise<void> | undefined
  let isOver = false

  function finish(): void {
    if (isOver) return
    isOver = true
    signal.removeEventListener('abort', stop)
    options.onOver()
  }

  function end(): Promise<void> {
    ending ??= options.cancel().then(finish)
    return ending
  }

  const stop = () => void end()

  async function next(): Promise<Page | null> {
    const page = await options.next()
    if (signal.aborted) throw stopped()
    return page
  }

  async function fail(error: unknown): Promise<never> {
    await end()
    if (signal.aborted) throw stopped()
    throw error instanceof TooManyBytes ? new EngineError('failed', rowTooLarge) : options.describe(error)
  }

  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  return {
    next,
    fail,
    async *batches(first, batchesOf) {
      let isRead = false
      try {
        for (let page = first; page !== null; ) {
          const upcoming = next()
          upcoming.catch(() => {})
          yield* batchesOf(page)
          page = await upcoming
        }
        isRead = true
        finish()
      } catch (error) {
        isRead = true
        await fail(error)
      } finally {
        // The reader stopped early: cancel the statement instead of reading to its end.
        if (!isRead) await end()
      }
    },
  }
}

const stopped = () => new EngineError('stopped', 'The statement was stopped.')
