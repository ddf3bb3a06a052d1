import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shown, shownValue } from './mcp-texts.ts'

test('keeps a text that fits, without invisible characters', () => {
  expect(shown('Überschrift\n\t“quoted” 👩‍💻', 100)).toBe('Überschrift\n\t“quoted” 👩‍💻')
  expect(shown('a\u202eb\u{e0041}c\0', 100)).toBe('abc')
})

test('notes how much was truncated, and never splits a character', () => {
  expect(shown('abcdef', 4)).toBe('abcd… [2 more characters]')
  expect(shown('abc😀d', 4)).toBe('abc… [3 more characters]')
})

test('short values keep their type', () => {
  for (const value of [null, true, 0, -1.5, '9007199254740993', { a: [1, null, 'b'] }, []]) {
    expect(shownValue(value, 100)).toEqual(value)
  }
  expect(shownValue({ 'na\u202eme': ['x\0y'] }, 100)).toEqual({ name: ['xy'] })
  expect(shownValue({ long: 'x'.repeat(20) }, 10)).toBe('{"long":"x… [21 more characters]')
})

test('always returns bounded JSON', () => {
  const most = 30
  const mark = '… [1000 more characters]'.length
  const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '😀', '\u202e', '\ud800', '\0'), maxLength: 60 })
  fc.assert(
    fc.property(fc.oneof(text, fc.array(text), fc.dictionary(text, text)), (value) => {
      const answer = shownValue(value, most)
      const isText = typeof answer === 'string'
      const shownText = isText ? answer : JSON.stringify(answer)
      expect(shownText.isWellFormed()).toBe(true)
      // Truncated JSON may show an escape; complete values hide nothing behind one.
      expect(shownText).not.toMatch(isText ? /[\0\u202e]/ : /\u202e|\\u0000|\\ud800/)
      expect(shownText.length).toBeLessThanOrEqual(most + mark)
    }),
    { seed: 7, numRuns: 50 },
  )
})
