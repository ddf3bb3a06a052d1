import { expect, test } from 'vitest'
import type { Table } from '../../api/databases.ts'
import { startsOpen, showSchemas, tableKey } from './schema-tree.ts'
import { starterQuery, sqlName } from './sql-names.ts'

const table = (schema: string, name: string, columns: string[]): Table => ({
  schema,
  name,
  kind: 'table',
  columns: columns.map((column) => ({ name: column, type: 'BIGINT', nullable: true, comment: null })),
  rowEstimate: 1,
  comment: null,
})
const tables = [table('archive', 'orders', ['id']), table('main', 'customers', ['id', 'e_mail']), table('main', 'orders', ['id', 'total'])]
const shown = (search: string) =>
  showSchemas(tables, search).map(({ schema, tables: found }) => [
    schema,
    found.map(({ table: { name }, foundColumns }) => [name, foundColumns?.map((column) => column.name) ?? null]),
  ])

test('lists every table under its schema without a search', () => {
  expect(shown('  ')).toEqual([
    ['archive', [['orders', null]]],
    ['main', [['customers', null], ['orders', null]]],
  ])
})

test('finds tables by name and by column', () => {
  expect(shown('ORD')).toEqual([['archive', [['orders', null]]], ['main', [['orders', null]]]])
  expect(shown('main orders')).toEqual([['main', [['orders', null]]]])
  expect(shown('e_mail')).toEqual([['main', [['customers', ['e_mail']]]]])
  expect(shown('bigint total')).toEqual([['main', [['orders', ['total']]]]])
  expect(shown('nothing')).toEqual([])
})

test('quotes names where SQL needs it', () => {
  expect(sqlName({ schema: 'main', name: 'orders' })).toBe('orders')
  expect(sqlName({ schema: 'main', name: 'Order' })).toBe('"Order"')
  expect(sqlName({ schema: 'old data', name: 'a"b' })).toBe('"old data"."a""b"')
  expect(sqlName({ schema: 'main', name: 'städte' })).toBe('"städte"')
  expect(starterQuery({ schema: 'main', name: 'orders' })).toBe('select *\nfrom orders\nlimit 100')
})

test('prefixes the key of a table with its schema outside the main schema', () => {
  expect(tables.map(tableKey)).toEqual(['archive.orders', 'customers', 'orders'])
})

test('opens only the default schema of a large database, the searched and the chosen', () => {
  const [archive, main] = showSchemas(tables, '')
  const large = { tableCount: 5000, defaultSchema: 'main', search: '', chosen: undefined }
  expect([startsOpen(archive!, large), startsOpen(main!, large)]).toEqual([false, true])
  expect(startsOpen(archive!, { ...large, tableCount: 200 })).toBe(true)
  expect(startsOpen(archive!, { ...large, search: 'ord' })).toBe(true)
  expect(startsOpen(archive!, { ...large, chosen: 'archive.orders' })).toBe(true)
})

test('quotes names by the rules of the database’s engine', () => {
  const settings = { host: 'db', port: 3306, otherHosts: [], database: 'shop', user: 'reader', tls: 'off' as const, certificateAuthority: null }
  const mysql = { engine: 'mysql' as const, settings }
  expect(starterQuery({ schema: 'shop', name: 'Order' }, mysql)).toBe('select *\nfrom `Order`\nlimit 100')
  expect(sqlName({ schema: 'bank', name: 'orders' }, mysql)).toBe('bank.orders')
  expect(sqlName({ schema: 'public', name: 'orders' }, { engine: 'postgres', settings })).toBe('orders')
})
