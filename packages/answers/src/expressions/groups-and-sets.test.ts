import { expect, test } from 'vitest'
import type { StoredResult } from '../draft.ts'
import { computeFigures } from './compute-figure.ts'
import { parseExpression, parsePlaceholder } from './parse-placeholder.ts'

const fields = [
  { name: 'week', type: 'date' },
  { name: 'order id', type: 'integer' },
  { name: 'revenue', type: 'decimal' },
] as const
const result = (runId: string, rows: unknown[][]): StoredResult => ({ runId, fields, rows, parameters: {}, title: null })
const results = new Map([
  ['r1', result('run_now', [
    ['2026-01-05', 1, '10.50'],
    ['2026-01-05', 2, '4.50'],
    ['2026-01-12', 3, '1234.56'],
    ['2026-01-19', 4, null],
    ['2026-01-26', null, '20'],
  ])],
  ['r2', result('run_before', [['2026-01-05', 1, '10'], ['2026-01-05', 9, '10']])],
])

const compute = (text: string) => computeFigures([{ source: 'r1', ...parseExpression(text) }], results)[0]!

test.each([
  ['median(revenue by week)', '20', '20'],
  ['avg(revenue by week where week <= \'2026-01-12\')', '624.78', '624.78'],
  ['max(revenue by week, "order id")', '1,235', '1234.56'],
  ['min(revenue by week)', '15', '15'],
  ['max(revenue) | about', 'about 1,230', '1234.56'],
  ['count(distinct "order id" where "order id" not in r2)', '3', '3'],
  ['count(distinct "order id" where "order id" in r2)', '1', '1'],
  ['count(*) where "order id" not in (2, 3)', '2', '2'],
  ['count(*) where "order id" not in r1 of r2', '1', '1'],
])('%s', (expression, text, value) => {
  expect(compute(expression)).toMatchObject({ text, value })
})

test('names the runs that conditions use, and writes them by their ids', () => {
  expect(compute('count(*) where "order id" not in r2')).toMatchObject({
    runIds: ['run_now', 'run_before'],
    expression: 'count(*) where "order id" not in run_before',
  })
  expect(compute('count(*) of r2 where "order id" not in r1')).toMatchObject({
    runIds: ['run_now', 'run_before'],
    expression: 'count(*) where "order id" not in run_now of run_before',
  })
})

test.each([
  ['median(week by "order id")', 'week does not hold numbers'],
  ['count(*) where revenue not in r2', 'revenue does not name rows'],
  ['count(*) where week not in r3', 'There is no run r3'],
  ['sum(revenue by week)', 'Expected )'],
])('rejects %s', (expression, problem) => {
  const outcome = (() => {
    try {
      return compute(expression)
    } catch (error) {
      return { problem: (error as Error).message }
    }
  })()
  expect(outcome).toMatchObject({ problem: expect.stringContaining(problem) as string })
})

test.each(['median(revenue by week)', 'count(*) where week in r2', 'count(*) where week not in (\'2026-01-05\')'])(
  'a placeholder cannot use %s',
  (expression) => {
    expect(() => parsePlaceholder(`r1: ${expression}`)).toThrow(/in placeholders.*in SQL\.$/)
  },
)
