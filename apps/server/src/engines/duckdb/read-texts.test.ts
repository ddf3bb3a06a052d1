import duckdb, { type Connection } from '@duckdb/node-bindings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryTexts, readText } from './read-texts.ts'

let connection: Connection
beforeAll(async () => {
  connection = await duckdb.connect(await duckdb.open(':memory:'))
})
afterAll(() => duckdb.disconnect_sync(connection))

test('reads empty, short and long texts, and null', async () => {
  const rows = await queryTexts(connection, `from (values ('', 'twelve bytes'), (null, 'thirteen byte'), ('ü', repeat('long ', 1000))) order by all`)
  expect(rows).toEqual([
    ['', 'twelve bytes'],
    ['ü', 'long '.repeat(1000)],
    [null, 'thirteen byte'],
  ])
})

test('reads rows of several chunks in order', async () => {
  const rows = await queryTexts(connection, `select case when i % 7 > 0 then 'row ' || i end from range(5000) as r (i) order by i`)
  expect(rows).toEqual(Array.from({ length: 5000 }, (_, index) => [index % 7 > 0 ? `row ${index}` : null]))
})

test('returns no rows for an empty result, and throws the error of the database', async () => {
  expect(await queryTexts(connection, `select 'x' where false`)).toEqual([])
  await expect(queryTexts(connection, 'select missing')).rejects.toThrow(/^Binder Error: .*missing/)
})

test('reads the text of the first row', async () => {
  expect(await readText(await duckdb.query(connection, `select 'a text of more than twelve bytes' union all select 'b'`))).toBe('a text of more than twelve bytes')
  expect(await readText(await duckdb.query(connection, `select null::varchar`))).toBeNull()
  expect(await readText(await duckdb.query(connection, `select 'x' where false`))).toBeNull()
})
