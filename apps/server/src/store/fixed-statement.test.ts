import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts'
import type { Db, Tx } from './db.ts'
import { fixedStatement } from './fixed-statement.ts'

let store: TestStore
beforeAll(async () => {
  store = await openTestStore('pglite')
})
afterAll(() => store.close())

test('builds a statement once, and executes it with the values of each call', async () => {
  let builds = 0
  const join = fixedStatement((_db, first: string[], second: number) => {
    builds++
    return sql<{ text: string }>`select array_to_string(${first}::text[], ' ') || ' ' || ${second}::int as text`
  })
  expect((await join(store.db, ['a', 'b'], 1)).rows).toEqual([{ text: 'a b 1' }])
  expect((await join(store.db, ['c'], 2)).rows).toEqual([{ text: 'c 2' }])
  expect(builds).toBe(1)
})

test.each([
  ['twice', (_db: Db | Tx, value: string) => sql`select ${value}::text, ${value}::text`],
  ['never', () => sql`select 1`],
  ['changed', (_db: Db | Tx, value: string) => sql`select ${`${value}!`}::text`],
])('rejects a statement that uses a value %s', (_how, build) => {
  expect(() => fixedStatement(build)(store.db, 'a')).toThrow('each of its values once')
})
