import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cheapHash } from '@querypost/server/testing'
import { openTestStore, type TestStore } from '@querypost/server/testing/suites'
import { fillStore } from './fill-store.ts'
import { addressOf, listRoutesOf, unmeasuredLists } from './list-routes.ts'
import { makePartitions } from './make-partitions.ts'
import { listProbes } from './probe-lists.ts'
import { requestProbes } from './probe-requests.ts'
import { finishWalks, workProbes } from './probe-work.ts'
import { openSite, password, type Site } from './site.ts'

let store: TestStore
let site: Site
beforeAll(async () => {
  store = await openTestStore('postgres', { isNew: true })
  await makePartitions(store, new Date())
  await store.db.connection().execute((connection) =>
    fillStore(
      async (text) => {
        const { rows, numAffectedRows = 0n } = await sql.raw<Record<string, unknown>>(text).execute(connection)
        return { rows, rowCount: Number(numAffectedRows) }
      },
      { sizes: { organizations: 3, events: 2000, references: 500, automations: 100 }, now: new Date(), passwordHash: cheapHash(password) },
    ),
  )
  site = await openSite(store)
})
afterAll(() => site.close())

test('fills tables with rows that satisfy every foreign key', async () => {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace`.execute(store.db)
  expect(rows.length).toBeGreaterThan(50)
  for (const { table, name, definition } of rows) {
    // Adding a foreign key checks all rows.
    await sql.raw(`alter table ${table} drop constraint ${name}, add constraint ${name} ${definition}`).execute(store.db)
  }
})

test('fills partitions of several weeks, not the first or the default one', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct tableoid::regclass::text as name from webhook_events union select distinct tableoid::regclass::text from audit_log`.execute(store.db)
  const names = rows.map(({ name }) => name)
  expect(names.filter((name) => !/_p\d{8}$/.test(name))).toEqual([])
  expect(names.filter((name) => name.startsWith('webhook_events')).length).toBeGreaterThan(2)
  expect(names.filter((name) => name.startsWith('audit_log')).length).toBeGreaterThan(12)
})

test('fills the search index as the trigger does', async () => {
  const read = () => sql`select reference_id, words::text from query_reference_search order by reference_id`.execute(store.db)
  const filled = await read()
  await sql`update query_references set title = title where deleted_at is null`.execute(store.db)
  expect((await read()).rows).toEqual(filled.rows)
})

test('probes every list route, and finds items in those that grow', async () => {
  const probes = await listProbes([site])
  const names = probes.map(({ what }) => what)
  for (const { route } of site.lists) expect(names.some((name) => name === route || name.startsWith(`${route}, `)), route).toBe(true)
  for (const { what, act } of probes.filter((probe) => probe.what.endsWith('page'))) {
    const { items } = (await act(site)) as { items: unknown[] }
    expect(items.length, what).toBeGreaterThan(what.endsWith('first page') ? 0 : 19)
  }
})

test('finds list routes by what they answer', () => {
  const schema = (querystring: object) => ({ querystring, response: { 200: { type: 'object', properties: { items: { type: 'array' } } } } })
  const routes = [
    { method: 'GET', url: '/api/things', schema: schema({ properties: { cursor: {} } }) },
    { method: 'GET', url: '/app/api/things', schema: schema({}) },
    { method: 'POST', url: '/api/things', schema: schema({}) },
    { method: 'GET', url: '/api/things/:id', schema: {} },
    ...Object.keys(unmeasuredLists).map((url) => ({ method: 'GET', url, schema: schema({}) })),
  ]
  expect(listRoutesOf(routes)).toEqual([
    { route: '/api/things', isPaginated: true },
    { route: '/app/api/things', isPaginated: false },
  ])
})

test('does not know the address of a list about something unknown', () => {
  expect(addressOf('/api/planets/:id/moons', { queryId: '' })).toBeUndefined()
})

test('probes requests and background work without errors', async () => {
  await finishWalks(site)
  const failures: string[] = []
  for (const { what, act } of [...requestProbes, ...workProbes]) {
    await act(site).catch((error: unknown) => failures.push(`${what}: ${String(error)}`))
  }
  expect(failures).toEqual([])
})
