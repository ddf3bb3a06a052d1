import { expect, test } from 'vitest'
import { writeAscii } from './json-bytes.ts'
import { rowGatherer, type RowGatherer } from './row-batches.ts'

function addRow(rows: RowGatherer, values: string[]): void {
  rows.begin()
  for (const [index, value] of values.entries()) {
    if (index > 0) rows.separate()
    writeAscii(rows.out, value)
  }
  rows.end()
}

const textOf = (json: Uint8Array) => Buffer.from(json).toString()

test('rows come as JSON arrays with commas between them', () => {
  const rows = rowGatherer()
  expect(rows.isEmpty()).toBe(true)
  addRow(rows, ['1', '"a"'])
  addRow(rows, [])
  addRow(rows, ['null'])
  expect(rows.isEmpty()).toBe(false)
  const batch = rows.take()
  expect([batch.rowCount, textOf(batch.json)]).toEqual([3, '[1,"a"],[],[null]'])
  expect(rows.isEmpty()).toBe(true)
})

test('what was taken does not change when more comes', () => {
  const rows = rowGatherer()
  addRow(rows, ['1'])
  const first = rows.take()
  addRow(rows, ['2'])
  expect([textOf(first.json), textOf(rows.take().json)]).toEqual(['[1]', '[2]'])
})

test('it is full at 128 KiB, and gives the room of a very large row back', () => {
  const rows = rowGatherer()
  addRow(rows, [`"${'x'.repeat(128 * 1024 - 6)}"`])
  expect(rows.isFull()).toBe(false)
  addRow(rows, ['1'])
  expect(rows.isFull()).toBe(true)
  addRow(rows, [`"${'x'.repeat(4 * 1024 * 1024)}"`])
  expect(rows.take().rowCount).toBe(3)
  expect(rows.out.bytes.length).toBeLessThan(1024 * 1024)
  expect(rows.isFull()).toBe(false)
})
