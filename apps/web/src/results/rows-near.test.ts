import { expect, test } from 'vitest'
import { headerHeight, rowHeight } from './grid-sizes.ts'
import { rowsNear, scrollTopToShow } from './rows-near.ts'

test('renders as many rows at the top, in the middle and at the end', () => {
  const height = 17 * rowHeight
  expect(rowsNear({ top: 0, height }, 1000)).toEqual({ first: 0, end: 34 })
  expect(rowsNear({ top: 100 * rowHeight + 7, height }, 1000)).toEqual({ first: 92, end: 126 })
  expect(rowsNear({ top: 983 * rowHeight, height }, 1000)).toEqual({ first: 966, end: 1000 })
})

test('renders all rows of a small result, and the last ones of a result that became shorter', () => {
  expect(rowsNear({ top: 0, height: 500 }, 3)).toEqual({ first: 0, end: 3 })
  expect(rowsNear({ top: 0, height: 500 }, 0)).toEqual({ first: 0, end: 0 })
  expect(rowsNear({ top: 9000, height: 300 }, 100)).toEqual({ first: 73, end: 100 })
})

test('scrolls no further than a row needs to be between the header and the totals', () => {
  const height = headerHeight + 10 * rowHeight
  const view = { top: 20 * rowHeight, height, hasTotals: false }
  expect(scrollTopToShow(20, view)).toBe(view.top)
  expect(scrollTopToShow(29, view)).toBe(view.top)
  expect(scrollTopToShow(30, view)).toBe(21 * rowHeight)
  expect(scrollTopToShow(19, view)).toBe(19 * rowHeight)
  expect(scrollTopToShow(29, { ...view, hasTotals: true })).toBe(21 * rowHeight)
})
