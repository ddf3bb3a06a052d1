import { expect, test } from 'vitest'
import { writeAscii } from './json-bytes.ts'
import { rowBatcher, type RowBatcher } from './row-batches.ts'

function addRow(rows: RowBatcher, values: string[]): void {
  rows.begin()
  for (const [index, value] of values.entries()) {
    if (index > 0) rows.separate()
    writeAscii(rows.out, value)
  }
  rows.end()
}

const textOf = (json: Uint8Array) => Buffer.from(json).toString()

test('writes rows as JSON arrays separated by commas', () => {
  const rows = rowBatcher()
  expect(rows.isEmpty()).toBe(true)
  addRow(rows, ['1', '"a"'])
  addRow(rows, [])
  addRow(rows, ['null'])
  expect(rows.isEmpty()).toBe(false)
  const batch = rows.take()
  expect([batch.rowCount, textOf(batch.json)]).toEqual([3, '[1,"a"],[],[null]'])
  expect(rows.isEmpty()).toBe(true)
})

test('a taken batch does not change when more rows are added', () => {
  const rows = rowBatcher()
  addRow(rows, ['1'])
  const first = rows.take()
  addRow(rows, ['2'])
  expect([textOf(first.json), textOf(rows.take().json)]).toEqual(['[1]', '[2]'])
})

test('is full at 128 KiB and frees the buffer of a very large row', () => {
  const rows = rowBatcher()
  addRow(rows, [`"${'x'.repeat(128 * 1024 - 6)}"`])
  expect(rows.isFull()).toBe(false)
  addRow(rows, ['1'])
  expect(rows.isFull()).toBe(true)
  addRow(rows, [`"${'x'.repeat(4 * 1024 * 1024)}"`])
  expect(rows.take().rowCount).toBe(3)
  expect(rows.out.bytes.length).toBeLessThan(1024 * 1024)
  expect(rows.isFull()).toBe(false)
})
