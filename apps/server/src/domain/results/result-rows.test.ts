import { expect, test } from 'vitest'
import type { ResultStore } from '../../results/result-store.ts'
import { rowMaxBytes } from '../../results/row-splitter.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import type { Run } from '../../model/run.ts'
import { openResultRows, readResultFields } from './result-rows.ts'
import { storedText } from '../../../testing/results/stored-result.ts'

const fields = [{ name: 'n', type: 'integer' }]
const clock = manualClock()

/** A completed run whose result has these rows. */
function stored(rows: unknown[][]) {
  const result = storedText(JSON.stringify({ fields, rows, rowCount: rows.length }))
  const open: ResultStore['open'] = async () => result
  const results = { open } as ResultStore
  const run = { id: 'run_1', status: 'completed', completedAt: clock.now(), resultHash: 'h', rowCount: rows.length } as Run
  return { deps: { clock, results, resultLifetimeMs: 1000 }, run }
}

async function rowsFrom({ deps, run }: ReturnType<typeof stored>, offset: number): Promise<unknown[][]> {
  const rows: unknown[][] = []
  for await (const row of (await openResultRows(deps, run, { offset })).rows) rows.push(row)
  return rows
}

test('reads rows from any offset, also across batches', async () => {
  const rows = Array.from({ length: 2500 }, (_, row) => [row])
  const result = stored(rows)
  for (const offset of [0, 1, 999, 1000, 1001, 2499, 2500, 9999]) {
    expect(await rowsFrom(result, offset), String(offset)).toEqual(rows.slice(offset))
  }
})

test('reads the columns without the rows', async () => {
  const { deps, run } = stored([[1]])
  expect(await readResultFields(deps, run)).toEqual(fields)
})

test('rejects a row that is too large, and says what to do', async () => {
  const result = stored([['x'.repeat(rowMaxBytes + 1)]])
  const message = 'A row of the result is larger than 16 MB. Select fewer or shorter columns.'
  await expect(rowsFrom(result, 0)).rejects.toMatchObject({ code: 'invalid_request', message })
})

test('rejects a run without a result or with an expired one', async () => {
  const { deps, run } = stored([])
  await expect(openResultRows(deps, { ...run, status: 'running' })).rejects.toMatchObject({ code: 'result_not_available' })
  const late = { ...deps, resultLifetimeMs: 0 }
  await expect(readResultFields(late, run)).rejects.toMatchObject({ code: 'result_expired' })
})
