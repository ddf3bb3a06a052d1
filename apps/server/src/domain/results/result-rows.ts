import type { Field } from '../../model/result.ts'
import { readRows } from '../../results/read-rows.ts'
import type { StoredResult } from '../../results/result-store.ts'
import { RowTooLarge } from '../../results/row-splitter.ts'
import type { QueryServices } from '../services.ts'
import { Refusal } from '../refusal.ts'
import type { Run } from '../../model/run.ts'
import { cachedResultOf } from './results.ts'

type ResultRowsDeps = Pick<QueryServices, 'clock' | 'results' | 'resultLifetimeMs'>

export interface ResultRows {
  fields: Field[]
  /** One at a time, in order. Leaving the loop early frees everything, but the loop must be started. */
  rows: AsyncIterable<unknown[]>
}

/**
 * The rows of a completed run's result, starting at an offset. Earlier rows are read and skipped, a batch at a time: memory does
 * not grow with the offset, but time does.
 */
export async function openResultRows(deps: ResultRowsDeps, run: Run, { offset = 0 } = {}): Promise<ResultRows> {
  return readResultRows(await cachedResultOf(deps, run).open(), { offset })
}

/** The same for a result that is open already. */
export async function readResultRows(stored: StoredResult, { offset = 0 } = {}): Promise<ResultRows> {
  const { fields, batches } = await readRows(stored)
  return { fields, rows: rowsFrom(batches, offset) }
}

/** Only the columns. */
export async function readResultFields(deps: ResultRowsDeps, run: Run): Promise<Field[]> {
  const { fields, close } = await readRows(await cachedResultOf(deps, run).open())
  await close()
  return fields
}

async function* rowsFrom(batches: AsyncIterable<unknown[][]>, offset: number): AsyncGenerator<unknown[]> {
  let before = offset
  try {
    for await (const batch of batches) {
      yield* batch.slice(before)
      before = Math.max(0, before - batch.length)
    }
  } catch (error) {
    if (error instanceof RowTooLarge) throw new Refusal('invalid_request', error.message)
    throw error
  }
}
