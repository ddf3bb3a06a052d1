import { expect, test } from 'vitest'
import type { Field } from '../api/first-rows.ts'
import { arrangeColumns } from './arrange-columns.ts'
import { pointOfCell } from './point-of-cell.ts'

const field = (name: string, type: Field['type']): Field => ({ name, type })

test('describes a cell as it is shown, with the words of its row', () => {
  const fields = [field('id', 'integer'), field('country', 'string'), field('month', 'date'), field('revenue', 'decimal'), field('raw', 'json')]
  const row = [7, 'Germany', '2026-03-01', '1234.50', {}]
  const settings = [
    { name: 'month', title: 'Month', format: { style: 'date', granularity: 'month' } },
    { name: 'revenue', title: 'Revenue', format: { style: 'currency', currency: 'EUR' } },
  ] as const
  const table = arrangeColumns({ fields, rows: [row] }, [...settings])
  const at = table.fields.findIndex(({ name }) => name === 'revenue')
  const point = pointOfCell(table, table.rows[0]!, at)
  expect(point.keys.toSorted((a, b) => a.column.localeCompare(b.column))).toEqual([
    { column: 'country', value: 'Germany' },
    { column: 'Month', value: expect.stringMatching(/Mar.* 2026/) },
  ])
  expect(point).toMatchObject({ column: 'Revenue', value: expect.stringMatching(/€.*1.?234|1.?234.*€/) })
})

test('identifies a row of numbers by its first column', () => {
  const table = arrangeColumns({ fields: [field('a', 'integer'), field('b', 'integer')], rows: [[1, null]] })
  expect(pointOfCell(table, table.rows[0]!, 1)).toEqual({ keys: [{ column: 'a', value: '1' }], column: 'b', value: 'null' })
  expect(pointOfCell(table, table.rows[0]!, 0).keys).toEqual([{ column: 'b', value: 'null' }])
})
