import { expect, test } from 'vitest'
import type { Table } from '../../api/databases.ts'
import { isOpenAtFirst, showSchemas, tableKey } from './schema-tree.ts'
import { firstQuery, sqlName } from './sql-names.ts'

const table = (schema: string, name: string, columns: string[]): Table => ({
  schema,
  name,
  kind: 'table',
  columns: columns.map((column) => ({ name: column, type: 'BIGINT', nullable: true })),
  rowEstimate: 1,
})
const tables = [table('archive', 'orders', ['id']), table('main', 'customers', ['id', 'e_mail']), table('main', 'orders', ['id', 'total'])]
const shown = (search: string) =>
  showSchemas(tables, search).map(({ schema, tables: found }) => [
    schema,
    found.map(({ table: { name }, foundColumns }) => [name, foundColumns?.map((column) => column.name) ?? null]),
  ])

test('without a search, every table stands under its schema', () => {
  expect(shown('  ')).toEqual([
    ['archive', [['orders', null]]],
    ['main', [['customers', null], ['orders', null]]],
  ])
})

test('a search finds tables by name, and by their columns', () => {
  expect(shown('ORD')).toEqual([['archive', [['orders', null]]], ['main', [['orders', null]]]])
  expect(shown('main orders')).toEqual([['main', [['orders', null]]]])
  expect(shown('e_mail')).toEqual([['main', [['customers', ['e_mail']]]]])
  expect(shown('bigint total')).toEqual([['main', [['orders', ['total']]]]])
  expect(shown('nothing')).toEqual([])
})

test('names are quoted where SQL needs it', () => {
  expect(sqlName({ schema: 'main', name: 'orders' })).toBe('orders')
  expect(sqlName({ schema: 'main', name: 'Order' })).toBe('"Order"')
  expect(sqlName({ schema: 'old data', name: 'a"b' })).toBe('"old data"."a""b"')
  expect(sqlName({ schema: 'main', name: 'städte' })).toBe('"städte"')
  expect(firstQuery({ schema: 'main', name: 'orders' })).toBe('select *\nfrom orders\nlimit 100')
})

test('a table is known by its name, in other schemas with theirs', () => {
  expect(tables.map(tableKey)).toEqual(['archive.orders', 'customers', 'orders'])
})

test('in a large database only the usual schema is open at first, and what is looked for', () => {
  const [archive, main] = showSchemas(tables, '')
  const large = { tableCount: 5000, defaultSchema: 'main', search: '', chosen: undefined }
  expect([isOpenAtFirst(archive!, large), isOpenAtFirst(main!, large)]).toEqual([false, true])
  expect(isOpenAtFirst(archive!, { ...large, tableCount: 200 })).toBe(true)
  expect(isOpenAtFirst(archive!, { ...large, search: 'ord' })).toBe(true)
  expect(isOpenAtFirst(archive!, { ...large, chosen: 'archive.orders' })).toBe(true)
})

test('names follow the database’s own rules', () => {
  const settings = { host: 'db', port: 3306, otherHosts: [], database: 'shop', user: 'reader', tls: 'off' as const, certificateAuthority: null }
  const mysql = { engine: 'mysql' as const, settings }
  expect(firstQuery({ schema: 'shop', name: 'Order' }, mysql)).toBe('select *\nfrom `Order`\nlimit 100')
  expect(sqlName({ schema: 'bank', name: 'orders' }, mysql)).toBe('bank.orders')
  expect(sqlName({ schema: 'public', name: 'orders' }, { engine: 'postgres', settings })).toBe('orders')
})
