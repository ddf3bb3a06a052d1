import { expect, test } from 'vitest'
import type { Field } from '../api/first-rows.ts'
import { copyText } from './copy-text.ts'

const fields: Field[] = [
  { name: 'id', type: 'integer' },
  { name: 'said', type: 'string' },
  { name: 'at', type: 'timestamp' },
]
const rows = [
  [1, 'plain', '2025-01-31T09:30:00Z'],
  [2, 'a\ttab, a\nline and a "quote"', null],
  [3, '', '2025-01-31T09:30:00.5Z'],
]
const copied = (firstRow: number, lastRow: number, firstColumn: number, lastColumn: number) =>
  copyText({ fields, rowAt: (row) => rows[row]!, rowCount: rows.length, bounds: { firstRow, lastRow, firstColumn, lastColumn } })

test('copies one cell as plain text and null as nothing', () => {
  expect(copied(1, 1, 1, 1)).toBe('a\ttab, a\nline and a "quote"')
  expect(copied(1, 1, 2, 2)).toBe('')
})

test('copies several cells as tab-separated lines, quoted where needed', () => {
  expect(copied(0, 1, 0, 1)).toBe('1\tplain\n2\t"a\ttab, a\nline and a ""quote"""')
  expect(copied(2, 2, 0, 2)).toBe('3\t\t2025-01-31 09:30:00.5')
})

test('includes column names when whole columns are copied', () => {
  expect(copied(0, 2, 0, 0)).toBe('id\n1\n2\n3')
})
