import { expect, test } from 'vitest'
import { describeColumns, describeKey, grouped, signed, textOfValue } from './describe-comparison.ts'

test.each([
  ['0', '0'],
  ['1234567.1234', '+1,234,567.1234'],
  ['-1000', '−1,000'],
  ['12', '+12'],
])('writes the difference %s as %s', (number, text) => expect(signed(number)).toBe(text))

test('writes numbers without a plus sign', () => expect([grouped('1200.5'), grouped('-3')]).toEqual(['1,200.5', '−3']))

test('says which key was used', () => {
  expect(describeKey({ keyColumns: ['id'], keyChoice: 'inferred', isKeyUnique: true })).toBe('Rows are matched by “id”, which is unique in both results.')
  expect(describeKey({ keyColumns: ['a', 'b'], keyChoice: 'chosen', isKeyUnique: false })).toBe('Rows are matched by “a”, “b”, which you chose. Some of its values occur several times.')
  expect(describeKey({ keyColumns: [], keyChoice: 'all_columns', isKeyUnique: true })).toMatch(/^No columns/)
})

test('says which columns changed', () => {
  const columns = { added: [{ name: 'a', type: 'integer' as const }], removed: [], changed: [{ name: 'b', before: 'integer' as const, after: 'string' as const }], isReordered: true }
  expect(describeColumns(columns)).toEqual(['Column “a” (integer) was added.', 'Column “b” changed its type from integer to string.', 'The columns are in another order.'])
  expect(textOfValue(null)).toBe('null')
})
