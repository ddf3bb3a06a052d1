import type { EngineResult, RowBatch } from '../../model/result.ts'
import { EngineError } from '../engine.ts'
import { rowTooLarge, TooManyBytes, writeBytes } from '../json-bytes.ts'
import { NotJson } from '../json-values/json-text.ts'
import { rowBatcher } from '../row-batches.ts'
import { noBigquery } from './bigquery-failure.ts'
import type { BigqueryJob, ResultPage } from './bigquery-job.ts'
import { type BigqueryField, fieldTypeOf, valueJson } from './bigquery-values.ts'

/** Resolves when the fields are known. `onOver` is called once, when the server no longer runs the statement. */
export async function readJob(job: BigqueryJob, signal: AbortSignal, onOver: () => void): Promise<EngineResult> {
  let ending: Promise<void> | undefined

  function finish(): void {
    signal.removeEventListener('abort', stop)
    onOver()
  }

  function end(): Promise<void> {
    ending ??= job.cancel().then(finish)
    return ending
  }

  const stop = () => void end()

  /** The error to report, once the server no longer runs the statement. */
  async function failure(error: unknown): Promise<unknown> {
    await end()
    if (signal.aborted) return new EngineError('stopped', 'The statement was stopped.')
    if (error instanceof TooManyBytes) return new EngineError('failed', rowTooLarge)
    if (error instanceof NotJson) return new EngineError('unreachable', noBigquery, { cause: error })
    return error
  }

  async function readPage(): Promise<ResultPage | null> {
    const page = await job.next()
    if (signal.aborted) throw new EngineError('stopped', 'The statement was stopped.')
    return page
  }

  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const first = await readPage().catch(async (error: unknown) => Promise.reject(await failure(error)))
  const fields = first?.fields ?? []
  let bytesRead: number | undefined

  async function* batches(): AsyncGenerator<RowBatch> {
    let isRead = false
    try {
      for (let page = first; page !== null; ) {
        // Fetch the next page while this one is consumed.
        const upcoming = readPage()
        upcoming.catch(() => {})
        yield* batchesOf(page, fields)
        bytesRead = Number(page.totalBytesProcessed ?? 0)
        page = await upcoming
      }
      isRead = true
      finish()
    } catch (error) {
      isRead = true
      throw await failure(error)
    } finally {
      // The reader stopped early: cancel the statement instead of reading to its end.
      if (!isRead) await end()
    }
  }

  return {
    fields: fields.map((field) => ({ name: field.name, type: fieldTypeOf(field) })),
    batches: batches(),
    statistics() {
      if (bytesRead === undefined) throw new Error('Statistics are known once all batches have been read.')
      return { rowsRead: null, rowsWritten: 0, bytesRead }
    },
  }
}

function* batchesOf(page: ResultPage, fields: BigqueryField[]): Generator<RowBatch> {
  const rows = rowBatcher()
  for (const { f: cells } of page.rows) {
    rows.begin()
    writeBytes(rows.out, Buffer.from(fields.map((field, index) => valueJson(field, cells[index]?.v)).join(',')))
    rows.end()
    if (rows.isFull()) yield rows.take()
  }
  if (!rows.isEmpty()) yield rows.take()
}
