import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstIndex } from './use-near-rows.ts'

test('finds the first row that is in view, as looking at each would', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100), { maxLength: 40 }), fc.nat(100), (tops, top) => {
      const rows = tops.toSorted((a, b) => a - b)
      const found = rows.findIndex((row) => row >= top)
      expect(firstIndex(rows, (row) => row >= top)).toBe(found === -1 ? rows.length : found)
    }),
  )
})
