import { expect, test } from 'vitest'
import { drawSparkline } from './sparkline.ts'

const box = { width: 100, height: 20, margin: 0 }

test('draws the lowest value at the bottom and the highest at the top', () => {
  expect(drawSparkline([5, 10, 7.5], box)).toEqual({ path: 'M0 20L50 0L100 10', last: [100, 10] })
})

test('interrupts the line at a gap, and ends at the last value', () => {
  expect(drawSparkline([0, null, 1, 0, null], box)).toEqual({ path: 'M0 20M50 0L75 20', last: [75, 20] })
})

test('draws a constant value in the middle', () => {
  expect(drawSparkline([3, 3], box).path).toBe('M0 10L100 10')
})

test('draws nothing without values', () => {
  expect(drawSparkline([null], box)).toEqual({ path: '', last: null })
})
