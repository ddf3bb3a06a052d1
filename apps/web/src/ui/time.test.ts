import { expect, test } from 'vitest'
import { duration } from './time.tsx'

test.each([
  [0, '0.00 s'],
  [1_234, '1.23 s'],
  [12_400, '12 s'],
  [59_600, '1 min 0 s'],
  [80_000, '1 min 20 s'],
  [7_325_000, '2 h 2 min'],
])('%i ms is shown as %s', (ms, text) => {
  expect(duration(ms)).toBe(text)
})
