import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { duckdbPlace, tableAddresses } from './federated-trino.ts'
import { checkRows } from './same-rows.ts'
import { fileTables, serverPlaces } from './tpch-places.ts'
import { tpchQueries, withTables } from './tpch-queries.ts'
import { createTables, tableNames } from './tpch-tables.ts'

async function openTables(): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  for (const statement of createTables(0.01)) await connection.run(statement)
  return connection
}

const rowsOf = async (connection: DuckDBConnection, sql: string) => (await connection.runAndReadAll(sql)).getRowsJson()

test('makes tables in which the queries find rows, also if each table is replaced by another', async () => {
  const connection = await openTables()
  for (const name of tableNames) await connection.run(`create view other_${name} as from ${name}`)
  const empty: number[] = []
  for (const [at, sql] of tpchQueries.entries()) {
    const rows = await rowsOf(connection, sql)
    if (rows.length === 0 || rows[0]!.every((value) => value === null)) empty.push(at + 1)
    expect(await rowsOf(connection, withTables(sql, (name) => `other_${name}`)), `query ${at + 1}`).toEqual(rows)
  }
  expect(empty).toEqual([])
})

test.each([true, false])('puts every table in one place (with Trino: %s)', (hasTrino) => {
  const tables = [...fileTables, ...serverPlaces({ hasTrino }).flatMap((place) => place.tables)]
  expect(tables.toSorted()).toEqual(tableNames.toSorted())
})

test('runs the queries with the names that tables have in Trino', async () => {
  const connection = await openTables()
  const expected: unknown[][][] = []
  for (const sql of tpchQueries) expected.push(await rowsOf(connection, sql))
  const servers = serverPlaces({ hasTrino: true }).map(({ name, tables }) => ({ name, tables, catalog: name === 'Trino' ? undefined : { schema: 'shop', properties: {} } }))
  const addresses = tableAddresses([duckdbPlace('lineitem.duckdb', fileTables), ...servers])
  expect(addresses.get('lineitem')).toBe('duckdb.main.lineitem')
  expect(addresses.get('nation')).toBe('memory.shop.nation')
  // The same catalogs in DuckDB, whose own is also called `memory`. Without the original tables, no unqualified name is found.
  for (const address of new Set(addresses.values())) {
    const [catalog, schema, table] = address.split('.')
    if (catalog !== 'memory') await connection.run(`attach if not exists ':memory:' as ${catalog}`)
    await connection.run(`create schema if not exists ${catalog}.${schema}`)
    await connection.run(`create table ${address} as from ${table}`)
    await connection.run(`drop table ${table}`)
  }
  for (const [at, sql] of tpchQueries.entries()) {
    const actual = await rowsOf(connection, withTables(sql, (name) => addresses.get(name)!))
    checkRows(`query ${at + 1}`, { actual, expected: expected[at]! })
  }
})

test('uses no syntax that only DuckDB has', () => {
  for (const sql of tpchQueries) expect(sql).not.toMatch(/::|interval \d/)
})

test('accepts numbers however they are written, and rejects other rows', () => {
  const expected = [['a', '1.50'], ['b', 0.1]]
  const check = (...actual: unknown[][]) => () => checkRows('a query', { actual, expected })
  expect(check(['a', 1.5], ['b', '0.1000000000001'])).not.toThrow()
  expect(check(['a', 1.5], ['b', 0.2])).toThrow('row 2 is ["b",0.2], not ["b",0.1]')
  expect(check(['b', 0.1], ['a', 1.5])).toThrow('row 1')
  expect(check(['a', 1.5])).toThrow('1 instead of 2')
  expect(check(['a', 1.5], ['b', 0.1], ['c', 1])).toThrow('3 instead of 2')
  expect(check(['a', 1.5], ['b'])).toThrow('row 2')
  expect(() => checkRows('a query', { actual: [[null]], expected: [[0]] })).toThrow('row 1')
})
