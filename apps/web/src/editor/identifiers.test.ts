import { expect, test } from 'vitest'
import { defaultSchemaOf } from './default-schemas.ts'
import { quoteName, quoteTable } from './identifiers.ts'

test.each([
  ['orders', 'orders'],
  ['order_2', 'order_2'],
  ['Orders', '"Orders"'],
  ['2024', '"2024"'],
  ['a b', '"a b"'],
  ['say "hi"', '"say ""hi"""'],
  ['order', '"order"'],
  ['größe', '"größe"'],
])('writes %s as %s', (name, written) => {
  expect(quoteName(name)).toBe(written)
})

test.each([
  ['mysql', 'rank', '`rank`'],
  ['mysql', 'a`b', '`a``b`'],
  ['mysql', 'Orders', '`Orders`'],
  ['clickhouse', 'a`b\\c', '`a\\`b\\\\c`'],
  ['clickhouse', 'rank', 'rank'],
  ['postgres', 'Orders', '"Orders"'],
  ['postgres', 'rank', 'rank'],
] as const)('quotes for %s: %s as %s', (dialect, name, written) => {
  expect(quoteName(name, dialect)).toBe(written)
})

test('prefixes a table with its schema unless that is the default one', () => {
  expect(quoteTable({ schema: 'main', name: 'orders' }, { defaultSchema: 'main' })).toBe('orders')
  expect(quoteTable({ schema: 'Old data', name: 'orders' }, { defaultSchema: 'main' })).toBe('"Old data".orders')
  const mysql = { dialect: 'mysql', defaultSchema: 'shop' } as const
  expect(quoteTable({ schema: 'shop', name: 'orders' }, mysql)).toBe('orders')
  expect(quoteTable({ schema: 'Bank', name: 'keys' }, mysql)).toBe('`Bank`.`keys`')
})

test('takes the default schema from the engine or the connection settings', () => {
  const settings = { host: 'db', port: 1, otherHosts: [], database: 'shop', user: 'reader', tls: 'off', certificateAuthority: null } as const
  expect(defaultSchemaOf({ engine: 'duckdb', settings: { file: 'x.duckdb' } })).toBe('main')
  const of = (engine: 'postgres' | 'mysql' | 'clickhouse') => defaultSchemaOf({ engine, settings: { ...settings, otherHosts: [] } })
  expect([of('postgres'), of('mysql'), of('clickhouse')]).toEqual(['public', 'shop', 'shop'])
})
