import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { look } from '../../../../testing/agents/analyze-result.ts'
import { findWrongFigures } from '../../../../testing/agents/check-figures.ts'
import { makeRowComparer, type RowComparer } from '../../../engines/duckdb/compare/row-comparer.ts'
import { systemClock } from '../../../ports/clock.ts'
import type { Field } from '../../../model/result.ts'
import { readRawRows } from '../../../results/read-rows.ts'
import { explainRows } from '../../history/why/explain-change.ts'
import { plainText } from '../../plain-text.ts'
import { contributionPoint, totalToExplain } from './contribution.ts'
import { summarize } from './summary.ts'
import { storedText } from '../../../../testing/results/stored-result.ts'

let folder: string
let rowComparer: RowComparer
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'contribution-'))
  rowComparer = makeRowComparer({ temporaryDirectory: folder, clock: systemClock })
})
afterAll(async () => {
  await rowComparer.close()
  await rm(folder, { recursive: true })
})

const fields: Field[] = [
  { name: 'order_id', type: 'integer' },
  { name: 'channel', type: 'string' },
  { name: 'is_new', type: 'boolean' },
  { name: 'revenue_eur', type: 'decimal' },
]
const opened = (rows: unknown[][]) => readRawRows(storedText(JSON.stringify({ fields, rows, rowCount: rows.length })))

/** The line about the largest contribution, if any; and the figures of the summary that its proof does not confirm. */
async function explain(before: unknown[][], after: unknown[][], sqlHash = 'same') {
  const earlier = await look({ fields, rows: before, runId: 'run_before' })
  const { findings, result, picture } = await look({ fields, rows: after, previous: earlier.observation, sqlHash })
  const total = totalToExplain(findings)
  if (!total) return { line: undefined, wrong: [] }
  const choice = { measure: total.column.name, signal: new AbortController().signal }
  const { measures } = await explainRows({ rowComparer }, { from: await opened(before), to: await opened(after) }, choice)
  const points = contributionPoint({ column: total.column, change: measures[0]! }, { picture, columns: result.columns, previous: earlier.observation })
  const explained = { ...findings, points: [...points, ...findings.points] }
  const { text, figures } = summarize([{ title: 'Orders', runId: 'run_now', runUrl: 'https://querypost.test/runs/run_now', findings: explained }])
  const wrong = findWrongFigures({ summary: text, figures }, { run_before: { fields, rows: before }, run_now: { fields, rows: after } })
  return { line: plainText(text).split('\n').find((line) => line.includes('contributed')), wrong }
}

const before = [[1, 'web', true, '100'], [2, 'app', true, '200'], [3, 'app', false, '50']]

test.each([
  ['a change', [[1, 'web', true, '100'], [2, 'app', true, '300'], [3, 'app', false, '90']], 'By channel, app contributed most to the change in total revenue: +€ 140.'],
  ['a key that is new', [...before, [4, 'shop', false, '30']], 'By order id, order 4 contributed most to the change in total revenue: € 30, none in the last run.'],
  ['a key that is gone', before.slice(1), 'By order id, order 1 contributed most to the change in total revenue: none, € 100 in the last run.'],
  ['the largest of those in the direction of the change', [[1, 'web', true, '10'], [2, 'app', true, '330'], [3, 'app', false, '50']], 'By order id, order 2 contributed most to the change in total revenue: +€ 130.'],
])('names %s', async (_, after, line) => {
  expect(await explain(before, after)).toEqual({ line: `- ${line}`, wrong: [] })
})

test('explains nothing if the total or the query changed otherwise, or if there is only one row', async () => {
  const moved = [[1, 'web', true, '200'], [2, 'app', true, '100'], [3, 'app', false, '50']]
  expect((await explain(before, moved)).line).toBeUndefined()
  expect((await explain(before, before.slice(1), 'other')).line).toBeUndefined()
  expect((await explain([[1, 'web', true, '100']], [[1, 'web', true, '200']])).line).toBeUndefined()
})

test('proves the contribution for any rows', async () => {
  const text = fc.constantFrom('web', 'Web', '', 'NaN', '7', '07', "o'hara", 'x'.repeat(300), '\ufffd', '-Infinity', 'true')
  const row = fc.tuple(fc.nat(9), fc.option(text), fc.option(fc.boolean()), fc.option(fc.integer({ min: -500, max: 500 }).map((cents) => String(cents / 100))))
  const rows = fc.array(row, { minLength: 1, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(rows, rows, async (one, other) => {
      expect((await explain(one, other)).wrong).toEqual([])
    }),
    { seed: 11, numRuns: 8 },
  )
})
