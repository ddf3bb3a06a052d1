import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { add, decimalText, readDecimal, zero } from '@querypost/answers'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRowComparer, type RowComparer } from '../../../engines/duckdb/compare/row-comparer.ts'
import { systemClock } from '../../../ports/clock.ts'
import type { Field } from '../../../model/result.ts'
import { readRawRows } from '../../../results/read-rows.ts'
import type { MeasureChange } from './break-down.ts'
import type { MeasureChoice } from './choose-columns.ts'
import { explainRows } from './explain-change.ts'
import { storedText } from '../../../../testing/results/stored-result.ts'

let folder: string
let rowComparer: RowComparer
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'why-'))
  rowComparer = makeRowComparer({ temporaryDirectory: folder, atOnce: 4, clock: systemClock })
})
afterAll(async () => {
  await rowComparer.close()
  await rm(folder, { recursive: true })
})

const fieldsOf = (text: string): Field[] => text.split(' ').map((part) => ({ name: part.split(':')[0]!, type: part.split(':')[1] as Field['type'] }))
interface Table {
  fields: Field[]
  rows: unknown[][]
}
const opened = ({ fields, rows }: Table) => readRawRows(storedText(JSON.stringify({ fields, rows, rowCount: rows.length })))
const explain = async (from: Table, to: Table, choice: MeasureChoice & { keyColumns?: string[] } = {}) =>
  explainRows({ rowComparer }, { from: await opened(from), to: await opened(to) }, { ...choice, signal: new AbortController().signal })

const orders = fieldsOf('id:integer country:string day:date revenue:decimal visits:integer rate:number')
const before = { fields: orders, rows: [[1, 'DE', '2026-01-01', '10.10', 5, 0.5], [2, 'FR', '2026-01-01', '20', 5, 0.5], [3, 'FR', '2026-01-02', null, 10, 1]] }
const after = { fields: orders, rows: [[1, 'DE', '2026-01-01', '10.40', 5, 0.5], [3, 'DE', '2026-01-02', '7', 10, 1], [4, 'IT', '2026-01-02', '1e2', 20, 1]] }

test('splits the difference of each additive measure by key, dimension, and kind of change', async () => {
  const explained = await explain(before, after)
  expect(explained).toMatchObject({ keyColumns: ['id'], keyChoice: 'inferred', added: 1, removed: 1, changed: 2 })
  expect(explained.measures.map(({ column }) => column)).toEqual(['revenue', 'visits'])
  expect(explained.measures[0]).toEqual({
    column: 'revenue',
    denominator: null,
    before: '30.1',
    after: '117.4',
    difference: '87.3',
    effects: null,
    rows: { added: '100', removed: '-20', changed: '7.3' },
    breakdowns: [
      {
        columns: ['id'],
        isKey: true,
        contributions: [
          { values: [4], before: '0', after: '100', difference: '100' },
          { values: [2], before: '20', after: '0', difference: '-20' },
          { values: [3], before: '0', after: '7', difference: '7' },
          { values: [1], before: '10.1', after: '10.4', difference: '0.3' },
        ],
        rest: { count: 0, difference: '0' },
      },
      {
        columns: ['country'],
        isKey: false,
        contributions: [
          { values: ['IT'], before: '0', after: '100', difference: '100' },
          { values: ['FR'], before: '20', after: '0', difference: '-20' },
          { values: ['DE'], before: '10.1', after: '17.4', difference: '7.3' },
        ],
        rest: { count: 0, difference: '0' },
      },
      {
        columns: ['day'],
        isKey: false,
        contributions: [
          { values: ['2026-01-02'], before: '0', after: '107', difference: '107' },
          { values: ['2026-01-01'], before: '30.1', after: '10.4', difference: '-19.7' },
        ],
        rest: { count: 0, difference: '0' },
      },
    ],
  })
})

test('splits a ratio by the midpoint method', async () => {
  const { measures } = await explain(before, after, { measure: 'revenue', denominator: 'visits' })
  // 117.4/35 − 30.1/20
  expect(measures[0]).toMatchObject({
    before: '1.505',
    after: '3.354285714286',
    difference: '1.849285714286',
    // 87.3 · (1/20 + 1/35)/2 and −15 · (30.1 + 117.4)/(2 · 20 · 35)
    effects: { numerator: '3.429642857143', denominator: '-1.580357142857' },
  })
  expectSums(measures[0]!)
})

test('lists the ten largest contributions, and adds up the others', async () => {
  const fields = fieldsOf('name:string amount:integer')
  const rows = Array.from({ length: 30 }, (_, index) => [`n${index}`, index % 2 === 0 ? index : -index])
  const { measures } = await explain({ fields, rows: [] }, { fields, rows })
  const [byKey] = measures[0]!.breakdowns
  expect(byKey!.contributions.map(({ values }) => values[0])).toEqual(['n29', 'n28', 'n27', 'n26', 'n25', 'n24', 'n23', 'n22', 'n21', 'n20'])
  expect(byKey!.rest).toEqual({ count: 19, difference: '-10' })
  expect(measures[0]!.difference).toBe('-15')
})

test('adds numbers of many digits and with exponents exactly, whichever of them need two integers', async () => {
  const fields = fieldsOf('id:integer small:number large:decimal')
  const from = { fields, rows: [[1, 1e-7, '123456789012345678901234567.5'], [2, -2.5e-3, '0.000000000000000000000000001'], [3, 7, null]] }
  const to = { fields, rows: [[1, 1e-7, '-0.25'], [2, 1.5e21, '0.000000000000000000000000001'], [3, 7.10, '-1.50']] }
  const { measures } = await explain(from, to)
  expect(measures.map(({ before: sum, after: next, difference }) => [sum, next, difference])).toEqual([
    ['6.9975001', '1500000000000000000007.1000001', '1500000000000000000000.1025'],
    ['123456789012345678901234567.500000000000000000000000001', '-1.749999999999999999999999999', '-123456789012345678901234569.25'],
  ])
  for (const measure of measures) expectSums(measure)
})

test('refuses columns that cannot be added up, and leaves them out if they were not asked for', async () => {
  const code = (choice: MeasureChoice, to = after) => explain(before, to, choice).then(() => 'explained', (error: { code: string; message: string }) => `${error.code}: ${error.message}`)
  expect(await code({ measure: 'nothing' })).toBe('measure_invalid: The column "nothing" is not in both results.')
  expect(await code({ measure: 'country' })).toBe('measure_invalid: The column "country" has no numbers: its type is string.')
  expect(await code({ denominator: 'visits' })).toMatch(/^invalid_request/)
  const none = { fields: orders, rows: [[1, 'DE', '2026-01-01', '10.10', 0, 0.5]] }
  expect(await code({ measure: 'revenue', denominator: 'visits' }, none)).toBe('measure_invalid: The sum of "visits" is zero in the later result, so the ratio has no value.')
  const odd = { fields: orders, rows: [[1, 'DE', '2026-01-01', '1e30', 5, 'NaN']] }
  expect(await code({ measure: 'revenue' }, odd)).toMatch(/^measure_invalid: .*27 digits/)
  expect(await code({ measure: 'rate' }, odd)).toMatch(/^measure_invalid: .*NaN/)
  expect((await explain(before, odd)).measures.map(({ column }) => column)).toEqual(['visits'])
})

test('explains results without numbers, keys or rows', async () => {
  const names = { fields: fieldsOf('name:string'), rows: [['a'], ['a']] }
  expect(await explain(names, { ...names, rows: [['b']] })).toMatchObject({ added: 1, removed: 2, measures: [] })
  const amounts = { fields: fieldsOf('amount:decimal'), rows: [['1'], ['1']] }
  const { keyChoice, measures } = await explain(amounts, { ...amounts, rows: [] })
  expect(keyChoice).toBe('all_columns')
  expect(measures[0]).toMatchObject({ difference: '-2', rows: { added: '0', removed: '-2', changed: '0' }, breakdowns: [] })
})

/** Every list adds up to the difference, digit by digit. */
function expectSums(change: MeasureChange) {
  const sum = (texts: string[]) => decimalText(texts.map((text) => readDecimal(text)!).reduce(add, zero))
  expect(sum([change.before, change.difference])).toBe(change.after)
  expect(sum(Object.values(change.rows))).toBe(change.difference)
  expect(sum(Object.values(change.effects ?? { all: change.difference }))).toBe(change.difference)
  for (const { contributions, rest } of change.breakdowns) {
    expect(sum([...contributions.map(({ difference }) => difference), rest.difference])).toBe(change.difference)
    for (const each of contributions) expect(each.before === null || sum([each.before, each.difference]) === each.after).toBe(true)
  }
}

test('adds up exactly for random results', async () => {
  const number = fc.oneof(
    fc.constant(null),
    fc.integer({ min: -50, max: 50 }),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e20, max: 1e20 }).filter((value) => value === 0 || Math.abs(value) > 1e-9),
    fc.tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: 14, max: 27 })).map(([digits, scale]) => decimalText({ units: digits, scale })),
  )
  const row = fc.tuple(fc.integer({ min: 0, max: 25 }), fc.constantFrom('a', 'b', 'ü"', null), fc.constantFrom('2026-01-01', '2026-01-02'), number, fc.integer({ min: 1, max: 9 }))
  const table = fc.array(row, { minLength: 1, maxLength: 30 })
  const fields = fieldsOf('code:integer name:string day:date amount:decimal visits:integer')
  await fc.assert(
    fc.asyncProperty(table, table, fc.boolean(), async (from, to, isRatio) => {
      const choice = isRatio ? { measure: 'amount', denominator: 'visits' } : {}
      const { measures } = await explain({ fields, rows: from }, { fields, rows: to }, { ...choice, keyColumns: ['code'] })
      expect(measures.length).toBe(isRatio ? 1 : 2)
      for (const measure of measures) expectSums(measure)
      const total = (rows: typeof from) => decimalText(rows.map((each) => readDecimal(each[3]) ?? zero).reduce(add, zero))
      expect(isRatio || [measures[0]!.before, measures[0]!.after].join() === [total(from), total(to)].join()).toBe(true)
    }),
    // Each run starts a process.
    { numRuns: Number(process.env['WHY_RUNS'] ?? 12) },
  )
})

test('leaves no files behind', async () => {
  expect(await readdir(folder)).toEqual([])
})
