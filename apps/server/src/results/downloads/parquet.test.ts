import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeParquetWriter, type ParquetWriter } from '../../engines/duckdb/parquet/writer.ts'
import type { Field, FieldType } from '../../model/result.ts'
import { systemClock } from '../../ports/clock.ts'
import { toParquetRows } from './parquet-rows.ts'
import { field, never, storedRows } from '../../../testing/results/stored-result.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-parquet-'))
})
afterAll(async () => {
  await writer.close()
  await rm(folder, { recursive: true })
})

let query: (sql: string) => Promise<unknown[][]>
let writer: ParquetWriter

beforeAll(async () => {
  writer = makeParquetWriter({ temporaryDirectory: path.join(folder, 'temporary'), clock: systemClock })
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(`set timezone = 'UTC'`)
  query = async (sql) => (await connection.runAndReadAll(sql)).getRowsJson()
})

async function parquet(fields: Field[], rows: string[][]): Promise<string> {
  const { bytes, sizeBytes } = await writer.write({ rows: toParquetRows(() => storedRows(fields, rows)), signal: never() })
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk as Buffer)
  const whole = Buffer.concat(chunks)
  expect(whole).toHaveLength(sizeBytes)
  const file = path.join(folder, `out-${whole.length}.parquet`)
  await writeFile(file, whole)
  expect(await readdir(path.join(folder, 'temporary'))).toEqual([])
  return `'${file}'`
}

test('gives each column the narrowest type that keeps its values exact', async () => {
  const columns: [string, FieldType, string, [json: string, written: string | null][]][] = [
    ['small', 'integer', 'BIGINT', [['-3', '-3'], ['"-9223372036854775808"', '-9223372036854775808']]],
    ['unsigned', 'integer', 'UBIGINT', [['1', '1'], ['"18446744073709551615"', '18446744073709551615']]],
    ['huge', 'integer', 'DECIMAL(38,0)', [['-1', '-1'], ['"18446744073709551616"', '18446744073709551616']]],
    ['beyond', 'integer', 'VARCHAR', [['1', '1'], [`"${'9'.repeat(39)}"`, '9'.repeat(39)]]],
    ['price', 'decimal', 'DECIMAL(7,3)', [['"12.500"', '12.500'], ['"-1234.5"', '-1234.500']]],
    ['ratio', 'number', 'DOUBLE', [['0.1', '0.1'], ['"-Infinity"', '-inf']]],
    ['ok', 'boolean', 'BOOLEAN', [['true', 'true'], ['null', null]]],
    ['on', 'date', 'DATE', [['"0001-01-01"', '0001-01-01'], ['"9999-12-31"', '9999-12-31']]],
    ['far', 'date', 'VARCHAR', [['"+012026-01-01"', '+012026-01-01'], ['"infinity"', 'infinity']]],
    ['at', 'timestamp', 'TIMESTAMP WITH TIME ZONE', [['"2026-01-05T09:00:00.123456Z"', '2026-01-05 09:00:00.123456+00'], ['null', null]]],
    ['nanos', 'timestamp', 'TIMESTAMP_NS', [['"2026-01-05T09:00:00.123456789Z"', '2026-01-05 09:00:00.123456789'], ['"2026-01-05T09:00:00.000Z"', '2026-01-05 09:00:00']]],
    ['distant', 'timestamp', 'VARCHAR', [['"2300-01-05T09:00:00.123456789Z"', '2300-01-05T09:00:00.123456789Z'], ['null', null]]],
    ['odd', 'decimal', 'VARCHAR', [['"1.5"', '1.5'], ['"NaN"', 'NaN']]],
    ['name', 'string', 'VARCHAR', [['"a\\"b\\n\\u0007ü😀"', 'a"b\n\u0007ü😀'], ['""', '']]],
    ['more', 'json', 'JSON', [['{"a":12345678901234567890123, "b":1.10}', '{"a":12345678901234567890123, "b":1.10}'], ['null', null]]],
    ['none', 'decimal', 'DECIMAL(1,0)', [['null', null], ['null', null]]],
  ]
  const file = await parquet(
    columns.map(([name, type]) => field(name, type)),
    [0, 1].map((row) => columns.map(([, , , values]) => values[row]![0])),
  )
  const types = await query(`select column_name, column_type from (describe select * from ${file})`)
  expect(types).toEqual(columns.map(([name, , type]) => [name, type]))
  const texts = columns.map(([name]) => `"${name}"::varchar`).join(', ')
  expect(await query(`select ${texts} from ${file}`)).toEqual([0, 1].map((row) => columns.map(([, , , values]) => values[row]![1])))
})

test('accepts any column names, including duplicates', async () => {
  const names = ['a', 'A', 'a_2', 'a', `it's "x"; --`, '', '名前']
  const file = await parquet(names.map((name) => field(name, 'integer')), [names.map((_, index) => String(index))])
  expect(await query(`select * from ${file}`)).toEqual([names.map((_, index) => String(index))])
  const found = await query(`select name from parquet_schema(${file}) where name <> 'duckdb_schema'`)
  expect(found.flat()).toEqual(['a', 'A_2', 'a_2_2', 'a_3', `it's "x"; --`, 'column', '名前'])
})

test('has its columns even without rows', async () => {
  const file = await parquet([field('a', 'integer'), field('b', 'string')], [])
  expect(await query(`select count(*)::integer from ${file}`)).toEqual([[0]])
})

test('stops when aborted and leaves nothing behind', async () => {
  const gone = new AbortController()
  const rows = toParquetRows(() => storedRows([field('a', 'integer')], [['1']]))
  async function* endless() {
    yield* rows.pieces()
    gone.abort(new Error('gone'))
    yield '{"0":2}\n'
  }
  await expect(writer.write({ rows: { ...rows, pieces: endless }, signal: gone.signal })).rejects.toThrow('gone')
  expect(await readdir(path.join(folder, 'temporary'))).toEqual([])
})

test('reports DuckDB’s error when writing fails', async () => {
  const rows = { pieces: async function* () { yield '{"0":"x"}\n' }, columns: () => [{ name: 'a', type: 'BIGINT' }], rowCount: () => 1 }
  await expect(writer.write({ rows, signal: never() })).rejects.toThrow(/could not be written.*Invalid Input/s)
})
