import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { tpchQueries, withTables } from './tpch-queries.ts'
import { createTables, tableNames } from './tpch-tables.ts'

test('makes tables in which the queries find rows, also if each table is replaced by another', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  for (const statement of createTables(0.01)) await connection.run(statement)
  for (const name of tableNames) await connection.run(`create view other_${name} as from ${name}`)
  const rowsOf = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson()
  const empty: number[] = []
  for (const [at, sql] of tpchQueries.entries()) {
    const rows = await rowsOf(sql)
    if (rows.length === 0 || rows[0]!.every((value) => value === null)) empty.push(at + 1)
    expect(await rowsOf(withTables(sql, (name) => `other_${name}`)), `query ${at + 1}`).toEqual(rows)
  }
  expect(empty).toEqual([])
})
