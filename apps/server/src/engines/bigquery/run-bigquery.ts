import type { EngineResult, RowBatch, RunStatistics } from '../../model/result.ts'
import { EngineError, knownStatistics } from '../engine.ts'
import { followStatement } from '../http/paged-statement.ts'
import { NotJson } from '../json-values/json-text.ts'
import { rowBatcher } from '../row-batches.ts'
import { noBigquery } from './bigquery-failure.ts'
import type { BigqueryJob, ResultPage } from './bigquery-job.ts'
import { fieldTypeOf, type ValueWriter, valueWriter } from './bigquery-values.ts'

/** Resolves when the fields are known. `onOver` is called once, when the server no longer runs the statement. */
export async function readJob(job: BigqueryJob, signal: AbortSignal, onOver: () => void): Promise<EngineResult> {
  const statement = followStatement({
    next: () => job.next(),
    cancel: () => job.cancel(),
    signal,
    describe: (error) => (error instanceof NotJson ? new EngineError('unreachable', noBigquery, { cause: error }) : error),
    onOver,
  })
  const first = await statement.next().catch(statement.fail)
  const fields = first?.fields ?? []
  const writers = fields.map(valueWriter)
  let statistics: RunStatistics | undefined

  function* readPage(page: ResultPage): Generator<RowBatch> {
    yield* batchesOf(page, writers)
    statistics = { rowsRead: null, rowsWritten: 0, bytesRead: Number(page.totalBytesProcessed ?? 0) }
  }

  return {
    fields: fields.map((field) => ({ name: field.name, type: fieldTypeOf(field) })),
    batches: statement.batches(first, readPage),
    statistics: () => knownStatistics(statistics),
  }
}

function* batchesOf(page: ResultPage, writers: ValueWriter[]): Generator<RowBatch> {
  const rows = rowBatcher()
  for (const { f: cells } of page.rows) {
    rows.begin()
    for (let index = 0; index < writers.length; index++) {
      if (index > 0) rows.separate()
      writers[index]!(rows.out, cells[index]?.v)
    }
    rows.end()
    if (rows.isFull()) yield rows.take()
  }
  if (!rows.isEmpty()) yield rows.take()
}
