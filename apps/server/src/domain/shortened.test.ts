import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { shortened } from './shortened.ts'

test.each([
  ['short enough', 'one two', 7, 'one two'],
  ['cut between words', 'one two three', 10, 'one two…'],
  ['a word that just fits', 'one two three', 8, 'one two…'],
  ['one long word', 'abcdefghijkl', 6, 'abcde…'],
  ['a long word after a short one', 'a bcdefghijklm', 10, 'a bcdefgh…'],
  ['not inside a character', 'abcd\u{1F600}\u{1F600}', 6, 'abcd…'],
])('%s', (_, text, maxCharacters, expected) => {
  expect(shortened(text, maxCharacters)).toBe(expected)
})

test('is never longer than the limit, and always a prefix of the text', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200, unit: 'binary' }), fc.integer({ min: 2, max: 100 }), (text, maxCharacters) => {
      const short = shortened(text, maxCharacters)
      expect(short.length).toBeLessThanOrEqual(maxCharacters)
      expect(text.startsWith(short.replace(/…$/, '')) || text === short).toBe(true)
      expect(short.isWellFormed()).toBe(true)
    }),
    { seed: 20_260_105, numRuns: 1000 },
  )
})
