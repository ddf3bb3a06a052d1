import { expect, test } from 'vitest'
import type { LineageTable } from '../../model/lineage.ts'
import { mergeTables } from './merge-tables.ts'

const table = (name: string, columns: string[], change: Partial<LineageTable> = {}): LineageTable => ({
  analyticalDatabaseConfigId: 'db_1',
  schema: 'main',
  name,
  columns,
  readsAllColumns: false,
  ...change,
})

test('joins the columns of a table that several queries read', () => {
  const merged = mergeTables([table('orders', ['id', 'total']), table('customers', ['id']), table('Orders', ['total', 'day'], { readsAllColumns: true })])
  expect(merged).toEqual([table('customers', ['id']), table('orders', ['id', 'total', 'day'], { readsAllColumns: true })])
})

test('keeps tables of other databases, other schemas and unknown schemas apart', () => {
  const tables = [
    table('orders', ['a'], { schema: null }),
    table('orders', ['b']),
    table('orders', ['c'], { analyticalDatabaseConfigId: 'db_2' }),
    table('orders', ['d'], { schema: 'other' }),
  ]
  expect(mergeTables(tables)).toHaveLength(4)
})
