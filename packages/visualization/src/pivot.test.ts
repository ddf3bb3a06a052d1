import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Field } from './fields.ts'
import { pivot, type PivotInput, type PivotTable } from './pivot.ts'

const fields: Field[] = [
  { name: 'region', type: 'string' },
  { name: 'country', type: 'string' },
  { name: 'month', type: 'date' },
  { name: 'revenue', type: 'decimal' },
  { name: 'orders', type: 'integer' },
]
const rows = [
  ['EU', 'France', '2025-02-01', '20.10', 2],
  ['EU', 'Germany', '2025-01-01', '50.00', 4],
  ['EU', 'France', '2025-01-01', '10.00', 1],
  ['US', 'USA', '2025-01-01', '5.00', 3],
  ['EU', 'France', '2025-01-01', '0.20', 1],
]
const revenue = { key: 'revenue', aggregate: 'sum', name: null } as const
const make = (config: PivotInput['config'], more: Partial<PivotInput> = {}) => pivot({ fields, rows, config, locale: 'en', ...more })
const texts = ({ lines }: PivotTable) => lines.map(({ labels, cells }) => [...labels.map(({ text }) => text), ...cells.map(({ text }) => text)])

test('sums exactly by row and column, with totals', () => {
  const table = make({ rows: ['country'], columns: ['month'], values: [revenue] })
  expect(table.labelTitles).toEqual(['country'])
  expect(table.headers).toEqual([
    [{ text: 'Jan 2025', span: 1, isTotal: false }, { text: 'Feb 2025', span: 1, isTotal: false }, { text: 'Total', span: 1, isTotal: true }],
  ])
  expect(texts(table)).toEqual([
    ['Germany', '50.00', '', '50.00'],
    ['France', '10.20', '20.10', '30.30'],
    ['USA', '5.00', '', '5.00'],
    ['Total', '65.20', '20.10', '85.30'],
  ])
  expect(table.lines.map(({ kind }) => kind)).toEqual(['row', 'row', 'row', 'total'])
})

test('adds subtotals where a group has several lines', () => {
  const table = make({ rows: ['region', 'country'], columns: [], values: [revenue, { key: 'orders', aggregate: 'average', name: null }] })
  expect(table.headers).toEqual([[{ text: 'revenue', span: 1, isTotal: false }, { text: 'Average of orders', span: 1, isTotal: false }]])
  expect(texts(table)).toEqual([
    ['EU', 'Germany', '50.00', '4'],
    ['EU', 'France', '30.30', '1.33'],
    ['EU', 'Total', '80.30', '2'],
    ['US', 'USA', '5.00', '3'],
    ['Total', '', '85.30', '2.2'],
  ])
  expect(table.lines.map(({ labels }) => labels.map(({ isRepeated }) => isRepeated))).toEqual([
    [false, false], [true, false], [true, false], [false, false], [false, false],
  ])
})

test('spans the headers of nested columns', () => {
  const { headers } = make({ rows: [], columns: ['region', 'month'], values: [revenue, { key: 'orders', aggregate: 'count', name: 'Orders' }] })
  expect(headers.map((level) => level.map(({ text, span }) => `${text}:${span}`))).toEqual([
    ['EU:4', 'US:2', 'Total:2'],
    ['Jan 2025:2', 'Feb 2025:2', 'Jan 2025:2', ':2'],
    ['revenue:1', 'Orders:1', 'revenue:1', 'Orders:1', 'revenue:1', 'Orders:1', 'revenue:1', 'Orders:1'],
  ])
})

test('formats values, labels and colors by the settings of their columns', () => {
  const columns = [
    { name: 'month', title: 'Period', format: { style: 'date', granularity: 'quarter' } as const },
    { name: 'revenue', format: { style: 'currency', currency: 'EUR' } as const, colors: [{ when: 'above', value: 40, color: '#00ff00' } as const] },
  ]
  const table = make({ rows: ['month'], columns: [], values: [revenue] }, { columns, rows: rows.slice(0, 2) })
  expect(table.labelTitles).toEqual(['Period'])
  expect(texts(table)).toEqual([['Q1 2025', '€50.00'], ['Q1 2025', '€20.10'], ['Total', '€70.10']])
  expect(table.lines.map(({ cells }) => cells[0]!.color)).toEqual(['#00ff00', null, null])
})

test('says what it leaves out, and keeps the totals of everything', () => {
  const many = Array.from({ length: 20 }, (_, at) => ['EU', `Country ${at}`, `2025-01-${String(at + 1).padStart(2, '0')}`, '1', 1])
  const table = make({ rows: ['country'], columns: ['month'], values: [revenue] }, { rows: many, limits: { lines: 5, columns: 3 } })
  expect(table.notes).toEqual(['Showing 5 of 21 lines. Totals include all of them.', 'Showing 3 of 20 columns. Totals include all of them.'])
  expect(table.lines).toHaveLength(5)
  expect(texts(table).at(-1)).toEqual(['Total', '1', '1', '1', '20'])
})

describe('problems', () => {
  test.each([
    [{ rows: ['city'], columns: [], values: [revenue] }, 'The result has no column “city”. Choose another.'],
    [{ rows: [], columns: [], values: [revenue] }, 'Choose a column to group by.'],
    [{ rows: ['country'], columns: [], values: [] }, 'Choose a column of values.'],
  ])('of %j: %s', (config, problem) => {
    expect(make(config).problems).toEqual([problem])
  })
})

test('shows null as a group of its own, last', () => {
  const withNull = [['EU', null, '2025-01-01', '99', 1], ...rows]
  expect(texts(make({ rows: ['country'], columns: [], values: [revenue] }, { rows: withNull })).map(([label]) => label)).toEqual([
    'Germany', 'France', 'USA', 'null', 'Total',
  ])
})

test('the cells of each line and column add up to its total', () => {
  const letters = fc.constantFrom('a', 'b', 'c')
  const entries = fc.array(fc.tuple(letters, letters, fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n })), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(entries, (given) => {
      const table = pivot({
        fields: [{ name: 'x', type: 'string' }, { name: 'y', type: 'string' }, { name: 'n', type: 'integer' }],
        rows: given.map(([x, y, n]) => [x, y, String(n)]),
        config: { rows: ['x'], columns: ['y'], values: [{ key: 'n', aggregate: 'sum', name: null }] },
        locale: 'en',
      })
      const read = (text: string) => BigInt(text.replaceAll(',', '') || 0)
      const sum = (parts: bigint[]) => parts.reduce((total, part) => total + part, 0n)
      const total = sum(given.map(([, , n]) => n))
      const lines = table.lines.filter(({ kind }) => kind === 'row')
      const hasTotalColumn = table.headers[0]!.at(-1)!.isTotal
      const totals = lines.map(({ cells }) => {
        const values = cells.map(({ text }) => read(text))
        const inner = hasTotalColumn ? values.slice(0, -1) : values
        expect(hasTotalColumn ? values.at(-1) : sum(inner)).toBe(sum(inner))
        return sum(inner)
      })
      expect(sum(totals)).toBe(total)
    }),
  )
})
