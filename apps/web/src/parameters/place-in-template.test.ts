import { expect, test } from 'vitest'
import { placeAfter, placeInTemplate } from './place-in-template.ts'

const sql = "select a,\n  {{first}} + wrong,\n  '{{second}}' from {{ n }}\nwhere nothing"
const renderedSql = "select a,\n  'two\nlines' + wrong,\n  'it''s' from 12345\nwhere nothing"
/** Maps the start of a word in the rendered SQL to the template. */
const mapped = (word: string) => {
  const lines = renderedSql.slice(0, renderedSql.indexOf(word)).split('\n')
  return placeInTemplate({ sql, renderedSql, dialect: 'duckdb', place: { line: lines.length, column: lines.at(-1)!.length + 1 } })
}

test.each([
  ['a,', { line: 1, column: 8 }],
  ['wrong', { line: 2, column: 15 }],
  ['from', { line: 3, column: 16 }],
  ['where', { line: 4, column: 1 }],
  ['nothing', { line: 4, column: 7 }],
])('maps %s to its place in the template', (word, place) => {
  expect(mapped(word)).toEqual(place)
})

test('maps a position inside a value to its placeholder', () => {
  expect(mapped('lines')).toEqual({ line: 2, column: 3 })
  expect(mapped('345')).toEqual({ line: 3, column: 21 })
})

test('leaves positions unchanged without placeholders, and returns null if the texts do not match', () => {
  const place = { line: 1, column: 8 }
  expect(placeInTemplate({ sql: 'select x', renderedSql: 'select x', dialect: 'duckdb', place })).toEqual(place)
  expect(placeInTemplate({ sql: 'select y', renderedSql: 'select x', dialect: 'duckdb', place })).toBeNull()
  expect(placeInTemplate({ sql: 'select x', renderedSql: 'select x', dialect: 'duckdb', place: { line: 9, column: 1 } })).toBeNull()
})

test('shifts a position in selected text to its place in all of the SQL', () => {
  expect(placeAfter('', { line: 2, column: 3 })).toEqual({ line: 2, column: 3 })
  expect(placeAfter('select 1;\n  ', { line: 1, column: 3 })).toEqual({ line: 2, column: 5 })
  expect(placeAfter('select 1;\n  ', { line: 2, column: 3 })).toEqual({ line: 3, column: 3 })
})
