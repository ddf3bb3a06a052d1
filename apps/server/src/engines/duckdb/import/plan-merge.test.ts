import { expect, test } from 'vitest'
import { planMerge } from './plan-merge.ts'

const columns = (types: Record<string, string>) => Object.entries(types).map(([name, type]) => ({ name, type }))
const table = columns({ id: 'INTEGER', price: 'DOUBLE', at: 'TIMESTAMP' })

test('pairs columns by name and converts to wider types', () => {
  const file = columns({ AT: 'DATE', price: 'BIGINT', Id: 'BIGINT' })
  expect(planMerge({ table, file, keys: ['ID'] })).toEqual({
    columns: [
      { table: 'id', file: 'Id', type: 'INTEGER' },
      { table: 'price', file: 'price', type: 'DOUBLE' },
      { table: 'at', file: 'AT', type: 'TIMESTAMP' },
    ],
    keys: [{ table: 'id', file: 'Id', type: 'INTEGER' }],
  })
})

test.each([
  ['a missing column', { id: 'BIGINT', at: 'DATE' }, [], /^The file has no column price/],
  ['an extra column', { id: 'BIGINT', price: 'DOUBLE', at: 'DATE', b: 'DATE', c: 'DATE' }, [], /^The table has no columns b, c/],
  ['another type', { id: 'BIGINT', price: 'VARCHAR', at: 'DATE' }, [], /^The column price is VARCHAR in the file and DOUBLE/],
  ['a fraction for an integer', { id: 'DOUBLE', price: 'DOUBLE', at: 'DATE' }, [], /^The column id is DOUBLE/],
  ['an unknown key', { id: 'BIGINT', price: 'DOUBLE', at: 'DATE' }, ['key'], /^The table has no column key\./],
])('rejects %s', (_, file, keys, mismatch) => {
  expect(planMerge({ table, file: columns(file), keys })).toEqual({ mismatch: expect.stringMatching(mismatch) })
})
