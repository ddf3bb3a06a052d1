import { type Field, parseJsxConfig } from '@querypost/visualization'
import { expect, test } from 'vitest'
import { newNote, newTarget } from './new-lines.ts'

const fields: Field[] = [
  { name: 'day', type: 'timestamp' },
  { name: 'size', type: 'integer' },
  { name: 'revenue', type: 'decimal' },
]
const chartOver = (category: string) =>
  parseJsxConfig(`<LineChart><XAxis dataKey="${category}" /><Line dataKey="revenue" /></LineChart>`)

test.each([
  [['1250.50', '999'], 1000],
  [['0.042', null], 0.04],
  [['-5', '-7'], 0],
  [[], 0],
])('a new target is within the values %j', (values, at) => {
  const rows = values.map((value) => ['2025-01-01T00:00:00Z', 1, value])
  expect(newTarget(chartOver('day'), { fields, rows })).toEqual({ on: 'value', at, label: 'Target', color: null })
})

test('a new note is at the last category', () => {
  const rows = [['2025-01-01T00:00:00Z', 1, '1'], ['2025-02-01T10:30:00Z', 2, '2'], [null, null, '3']]
  expect(newNote(chartOver('day'), { fields, rows })).toMatchObject({ on: 'category', at: '2025-02-01' })
  expect(newNote(chartOver('size'), { fields, rows })).toMatchObject({ at: 2 })
  expect(newNote(chartOver('gone'), { fields, rows })).toBeNull()
  expect(newNote(chartOver('day'), { fields, rows: [] })).toBeNull()
})
