import { expect, test } from 'vitest'
import { rowReader } from './read-value-entries.ts'

const fields = [
  { name: 'mail', type: 'string' },
  { name: 'store', type: 'integer' },
  { name: 'regions', type: 'json' },
] as const
const values = { kind: 'query', referenceShortId: 'abcdefghjk', emailColumn: 'mail', columns: { store: 'store', regions: 'regions' } } as const
const read = rowReader(values, fields)

test('each row is a recipient with values as text', () => {
  expect(read([' Ada@Example.com ', 7, ['north', 'south']])).toEqual([
    { recipient: { kind: 'address', email: 'ada@example.com' }, values: { store: '7', regions: ['north', 'south'] } },
  ])
})

test.each([
  ['without an address', [null, 7, []]],
  ['with something else than an address', ['Ada', 7, []]],
  ['without one of its values', ['ada@example.com', null, []]],
])('leaves out a row %s', (_, row) => {
  expect(read(row)).toEqual([])
})

test('rejects a query without the named columns', () => {
  expect(() => rowReader({ ...values, emailColumn: 'address' }, fields)).toThrow('has no column “address”')
  expect(() => rowReader({ ...values, columns: { store: 'shop' } }, fields)).toThrow('has no column “shop”')
})
