import { expect, test } from 'vitest'
import { fits } from './fitting-text.ts'

/** Every printable character is ten pixels wide. */
const widths = Array.from({ length: 127 }, (_, code) => (code < 0x20 ? Number.POSITIVE_INFINITY : 10))

test('a text fits if its characters do, with some tolerance', () => {
  expect(fits('12345', 60, widths)).toBe(true)
  expect(fits('12345', 54, widths)).toBe(false)
  expect(fits('', 0, widths)).toBe(true)
})

test('a text of other characters is never known to fit', () => {
  for (const text of ['é', '統', '\u{1f4ee}', '\t', '…']) expect(fits(text, 1000, widths)).toBe(false)
})
