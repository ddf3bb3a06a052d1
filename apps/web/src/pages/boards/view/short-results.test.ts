import { expect, test } from 'vitest'
import { maxRowsOf } from './short-results.ts'

test.each([
  ['a third of a desktop', 4, 1440, 800],
  ['a third of a slightly narrower window', 4, 1300, 800],
  ['a whole desktop', 12, 1440, 2000],
  ['a small tile', 2, 1024, 400],
  ['a phone, where every tile has the whole width', 2, 390, 600],
])('gives %s its number of rows', (_, width, windowWidth, rows) => {
  expect(maxRowsOf({ width }, windowWidth)).toBe(rows)
})
