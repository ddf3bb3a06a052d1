/**
 * Organizations can be spread over several PostgreSQL servers, because no transaction, foreign key or sequence connects two of them
 * (docs/decisions/0054-organizations-over-several-stores.md). These tests fail when one does.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { belongsTo } from '../../testing/store/organization-tables.ts'
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts'

let store: TestStore
beforeAll(async () => {
  store = await openTestStore('postgres')
})
afterAll(() => store.close())

/** People may belong to several organizations, so each store would have the row of a person who belongs to one of its organizations. */
const ofPeople = ['users', 'oidc_identities', 'person_links', 'second_factors', 'recovery_codes', 'sign_in_budgets']
/** Each store has its own. Budgets are those of keys, organizations and visitors of links, which it knows. */
const ofStore = ['organizations', 'schema_migrations', 'present_workers', 'sweep_walks', 'api_budgets', 'viewer_runs']

/** Numbers that no two stores have to agree on. */
const sequences = {
  deleted_items_id_seq: 'names a row',
  webhook_delivery_order: 'orders the deliveries of one endpoint',
  worker_lock_numbers: 'names the lock of a worker in its store',
}

test('every table belongs to an organization, to people or to the store', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and not exists (
      select from pg_attribute where attrelid = pg_class.oid and attname = 'organization_id' and attnotnull)`.execute(store.db)
  const known = [...Object.keys(belongsTo), ...ofPeople, ...ofStore]
  expect(rows.map(({ name }) => name).toSorted()).toEqual(known.toSorted())
})

test.each(Object.entries(belongsTo))('%s belongs to an organization through %s', async (table, [column, parent]) => {
  const { rows } = await sql<{ isRequired: boolean }>`
    select attnotnull as "isRequired" from pg_attribute where attrelid = ${table}::regclass and attname = ${column}`.execute(store.db)
  expect(rows).toEqual([{ isRequired: true }])
  expect([...ofPeople, ...ofStore]).not.toContain(parent)
})

test('foreign keys stay within an organization, or name a person', async () => {
  const { rows } = await sql<{ from: string; to: string }>`
    select distinct conrelid::regclass::text as from, confrelid::regclass::text as to from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace`.execute(store.db)
  const isShared = (table: string) => [...ofPeople, ...ofStore].includes(table)
  expect(rows.length).toBeGreaterThan(100)
  expect(rows.filter(({ from, to }) => isShared(from) && !ofPeople.includes(to))).toEqual([])
  const toShared = new Set(rows.filter(({ from, to }) => !isShared(from) && isShared(to)).map(({ to }) => to))
  expect([...toShared].toSorted()).toEqual(['organizations', 'users'])
})

test('no sequence has a meaning beyond its store', async () => {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace order by 1`.execute(store.db)
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(sequences))
})
