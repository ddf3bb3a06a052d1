/** A statement whose result is read page by page. */
import type { RowBatch } from '../../model/result.ts'
import { EngineError, statementStopped } from '../engine.ts'
import { rowTooLarge, TooManyBytes } from '../json-bytes.ts'
import { statementEnd } from './statement-end.ts'

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
  const { end, untilRead } = statementEnd(options)

  async function next(): Promise<Page | null> {
    const page = await options.next()
    if (signal.aborted) throw statementStopped()
    return page
  }

  async function fail(error: unknown): Promise<never> {
    await end()
    if (signal.aborted) throw statementStopped()
    throw error instanceof TooManyBytes ? new EngineError('failed', rowTooLarge) : options.describe(error)
  }

  async function* rowsOf(first: Page | null, batchesOf: (page: Page) => Iterable<RowBatch>): AsyncGenerator<RowBatch, void> {
    for (let page = first; page !== null; ) {
      const upcoming = next()
      upcoming.catch(() => {})
      yield* batchesOf(page)
      page = await upcoming
    }
  }

  return { next, fail, batches: (first, batchesOf) => untilRead(rowsOf(first, batchesOf), fail) }
}
