import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutText, withEllipsis } from './cut-text.ts'

test('leaves a text that fits unchanged', () => {
  expect(cutText('four', 4)).toEqual({ text: 'four', isWhole: true })
  expect(withEllipsis('four', 4)).toBe('four')
})

test('truncates a longer text, but never inside a character', () => {
  expect(withEllipsis('fourth', 4)).toBe('four…')
  expect(withEllipsis('ab😀c', 3)).toBe('ab…')
  expect(withEllipsis('ab😀c', 4)).toBe('ab😀…')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(30), (text, maxCharacters) => {
      const cut = cutText(text, maxCharacters)
      expect(cut.text.length).toBeLessThanOrEqual(maxCharacters)
      expect(text.startsWith(cut.text)).toBe(true)
      expect(cut.text.isWellFormed()).toBe(text.isWellFormed())
      expect(cut.isWhole).toBe(cut.text === text)
    }),
    { seed: 1, numRuns: 500 },
  )
})
