import { Text } from '@codemirror/state'
import { expect, test } from 'vitest'
import { errorMark } from './error-mark.ts'

const doc = Text.of(['select größe,', '  "a ""b""" + wrong_one', 'from'])
const marked = (line: number, column: number) =>
  errorMark(doc, { position: { line, column }, message: 'No.' }).map(({ from, to }) => doc.sliceString(from, to))

test.each([
  [1, 1, 'select'],
  [1, 8, 'größe'],
  [1, 13, ','],
  [2, 3, '"a ""b"""'],
  [2, 15, 'wrong_one'],
])('marks the word or symbol at line %i, column %i', (line, column, text) => {
  expect(marked(line, column)).toEqual([text])
})

test('marks the last character at the end of a line and nothing beyond the text', () => {
  expect(marked(3, 5)).toEqual(['m'])
  expect(marked(3, 99)).toEqual(['m'])
  expect(marked(4, 1)).toEqual([])
  expect(errorMark(Text.empty, { position: { line: 1, column: 1 }, message: 'No.' })).toMatchObject([{ from: 0, to: 0 }])
})
