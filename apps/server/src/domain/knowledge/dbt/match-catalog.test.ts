import { expect, test } from 'vitest'
import type { CatalogTable } from '../../../model/catalog.ts'
import type { DbtTable } from '../../../model/dbt.ts'
import { matchCatalog } from './match-catalog.ts'

const dbtTable = (schema: string, table: string, columns: Record<string, string> = {}): DbtTable => ({
  schema,
  table,
  kind: 'model',
  description: null,
  columns,
  builtFrom: [],
  file: null,
  docsUrl: null,
  sourceUrl: null,
  freshness: null,
})
const catalogTable = (schema: string, name: string, columns: string[]): CatalogTable => ({
  databaseId: 'db_1',
  schema,
  name,
  kind: 'table',
  rowEstimate: null,
  comment: null,
  columns: columns.map((column) => ({ name: column, type: 'text', comment: null })),
  columnCount: columns.length,
})

test('uses the names of the database, whatever their case, and keeps those that it does not have', () => {
  const catalog = [catalogTable('MARTS', 'ORDERS', ['ID', 'Note']), catalogTable('marts', 'customers', ['id'])]
  const given = [dbtTable('marts', 'orders', { id: 'The order.', Note: 'Text.', gone: 'Old.' }), dbtTable('marts', 'customers'), dbtTable('marts', 'later')]
  const { tables, foundCount } = matchCatalog(given, catalog)
  expect(foundCount).toBe(2)
  expect(tables.map(({ schema, table, columns }) => ({ schema, table, columns }))).toEqual([
    { schema: 'MARTS', table: 'ORDERS', columns: { ID: 'The order.', Note: 'Text.', gone: 'Old.' } },
    { schema: 'marts', table: 'customers', columns: {} },
    { schema: 'marts', table: 'later', columns: {} },
  ])
})

test('keeps one of two models with the same relation', () => {
  expect(matchCatalog([dbtTable('a', 'b', { x: '1' }), dbtTable('a', 'b', { x: '2' })], []).tables).toMatchObject([{ columns: { x: '2' } }])
})
