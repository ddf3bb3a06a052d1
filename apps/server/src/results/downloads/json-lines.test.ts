import { expect, test } from 'vitest'
import { toJsonLines } from './json-lines.ts'
import { field, storedRows, textOf } from '../../../testing/results/stored-result.ts'

const lines = async (...stored: Parameters<typeof storedRows>) =>
  (await textOf(toJsonLines(await storedRows(...stored)))).split('\n')

test('writes each row as an object on its own line, with exact values', async () => {
  const fields = [field('big', 'integer'), field('price', 'decimal'), field('a "b"\n', 'string'), field('ratio', 'number'), field('more', 'json')]
  const rows = [
    ['"9007199254740993"', '"12.50"', '"a\\r\\nb ü\\u0007"', '"NaN"', ' {"a":12345678901234567890,\n "b":[1.10,"x\\ny"]} '],
    ['-1', 'null', '""', '1e+300', 'null'],
  ]
  const [first, second, last] = await lines(fields, rows)
  expect(first).toBe(
    '{"big":"9007199254740993","price":"12.50","a \\"b\\"\\n":"a\\r\\nb ü\\u0007","ratio":"NaN","more":{"a":12345678901234567890,  "b":[1.10,"x\\ny"]}}',
  )
  expect(JSON.parse(second!)).toEqual({ big: -1, price: null, 'a "b"\n': '', ratio: 1e300, more: null })
  expect(last).toBe('')
})

test('makes duplicate column names unique', async () => {
  const [line] = await lines([field('a', 'integer'), field('A', 'integer'), field('', 'integer')], [['1', '2', '3']])
  expect(JSON.parse(line!)).toEqual({ a: 1, A_2: 2, column: 3 })
})

test('writes no lines without rows, and an empty object for a row without columns', async () => {
  expect(await lines([field('a', 'integer')], [])).toEqual([''])
  expect(await lines([], [[]])).toEqual(['{}', ''])
})
