import { expect, test } from 'vitest'
import type { AlertRows } from '../../../model/alert.ts'
import { sampleBytesMax } from '../../../model/change-feed.ts'
import { mergeNewRows, newRowObjects } from './new-rows.ts'

const ids = (...rows: number[]): AlertRows => ({ count: rows.length, fields: [{ name: 'id', type: 'integer' }], rows: rows.map((id) => [id]) })

test('merges rows with the same columns, up to 20, and counts all', () => {
  const many = ids(...Array.from({ length: 15 }, (_, id) => id))
  const other: AlertRows = { count: 1, fields: [{ name: 'key', type: 'string' }], rows: [['a']] }
  const merged = mergeNewRows([many, other, { ...many, count: 100 }])!
  expect(merged.count).toBe(115)
  expect(merged.rows).toHaveLength(20)
  expect(mergeNewRows([])).toBeUndefined()
})

test('names the values of an event’s rows, and leaves out what is too large', () => {
  expect(newRowObjects(ids(1, 2))).toEqual([{ id: 1 }, { id: 2 }])
  const long = 'x'.repeat(sampleBytesMax / 2)
  expect(newRowObjects({ count: 3, fields: [{ name: 'text', type: 'string' }], rows: [[long], [long], [long]] })).toHaveLength(1)
})
