import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest'
import { systemClock } from '../ports/clock.ts'
import { shortPause } from '../../testing/poll-pause.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { openEmbedded, openPostgres, type Store } from './db.ts'
import { migrate, SchemaTooNew } from './migrate.ts'
import { parseMigration, readMigrations } from './migration-files.ts'

const clock = systemClock
const stores: Store[] = []
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()))
})
let embedded: Store | undefined
afterAll(() => embedded?.close())

async function newDatabase(): Promise<string> {
  const name = `migrate_${randomUUID().replaceAll('-', '')}`
  const url = new URL(inject('postgresUrl'))
  const admin = new pg.Client(url.href)
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  url.pathname = `/${name}`
  return url.href
}

async function open(url: string): Promise<Store> {
  const store = await openPostgres({ url, clock, log: silentLog })
  stores.push(store)
  return store
}

async function openEmpty(kind: 'pglite' | 'postgres'): Promise<Store> {
  if (kind === 'postgres') return open(await newDatabase())
  // Load an image and empty it, because creating a new database takes seconds. The next test empties the same one.
  embedded ??= await openEmbedded({ pglite: await PGlite.create({ loadDataDir: await openAsBlob(inject('pgliteImage')) }) })
  await sql`drop schema public cascade`.execute(embedded.db)
  await sql`create schema public`.execute(embedded.db)
  return embedded
}

const first = parseMigration('0001-plans.sql', 'create table plans (id text);\n')
const second = parseMigration('0002-prices.sql', 'alter table plans add column price integer not null default 5;\n')
const index = parseMigration(
  '0003-index.sql',
  `-- without a transaction
drop index concurrently if exists plans_price;
create index concurrently plans_price on plans (price);
`,
)
const contracting = parseMigration(
  '0004-gone.sql',
  '-- contracts 0002-prices.sql: read by nobody since\nalter table plans drop column id;\n',
)

test('processes that start at the same time migrate an empty database once', async () => {
  const url = await newDatabase()
  const together = await Promise.all(Array.from({ length: 5 }, () => open(url)))

  const migrated = await Promise.all(together.map(({ db }) => migrate({ db, clock })))

  expect(migrated.filter(({ applied }) => applied.length > 0)).toHaveLength(1)
  expect(await migrate({ db: together[0]!.db, clock })).toEqual({ applied: [], unknown: [] })
})

test('processes that start at the same time build an index concurrently without deadlock', async () => {
  const url = await newDatabase()
  const together = await Promise.all(Array.from({ length: 3 }, () => open(url)))
  const migrated = await Promise.all(together.map(({ db }) => migrate({ db, clock, migrations: [first, second, index] })))
  expect(migrated.flatMap(({ applied }) => applied)).toEqual(['0001-plans.sql', '0002-prices.sql', '0003-index.sql'])
})

describe.each(['pglite', 'postgres'] as const)('migrations on %s', (kind) => {
  test('an older version works with additions by a newer one and rejects removals', async () => {
    const { db } = await openEmpty(kind)
    expect(await migrate({ db, clock, migrations: [first] })).toEqual({ applied: ['0001-plans.sql'], unknown: [] })
    const { applied } = await migrate({ db, clock, migrations: [first, second, index] })
    expect(applied).toEqual(['0002-prices.sql', '0003-index.sql'])
    expect(await migrate({ db, clock, migrations: [first] })).toEqual({ applied: [], unknown: applied })

    await migrate({ db, clock, migrations: [first, second, index, contracting] })
    // This version knows the migration that prepared the removal.
    expect(await migrate({ db, clock, migrations: [first, second] })).toEqual({
      applied: [],
      unknown: ['0003-index.sql', '0004-gone.sql'],
    })
    const tooOld = migrate({ db, clock, migrations: [first] })
    await expect(tooOld).rejects.toThrow(SchemaTooNew)
    await expect(tooOld).rejects.toThrow('its migration 0004-gone.sql removed something this version needs')
  })

  test('a failed file leaves nothing behind and does not block later migrations', async () => {
    const { db } = await openEmpty(kind)
    const broken = parseMigration('0002-broken.sql', 'create table prices (id text);\nalter table nowhere add column a text;\n')
    await expect(migrate({ db, clock, migrations: [first, broken] })).rejects.toThrow('"nowhere" does not exist')
    const fixed = parseMigration('0002-broken.sql', 'create table prices (id text);\n')
    expect((await migrate({ db, clock, migrations: [first, fixed] })).applied).toEqual(['0002-broken.sql'])
  })

  test('rejects a file that was changed after it was applied', async () => {
    const { db } = await openEmpty(kind)
    await migrate({ db, clock, migrations: [first] })
    const changed = parseMigration(first.name, `${first.text}-- changed\n`)
    await expect(migrate({ db, clock, migrations: [changed] })).rejects.toThrow('0001-plans.sql was changed after')
  })
})

test('a migration yields to running transactions and retries', async () => {
  const url = await newDatabase()
  const [{ db }, worker] = await Promise.all([open(url), open(url)])
  await migrate({ db, clock, migrations: [first] })
  const waitsOn = async () => {
    const { rows } = await sql<{ state: string }>`
      select state from pg_stat_activity where query like '%alter table plans%' and wait_event_type = 'Lock'`.execute(worker.db)
    return rows.length
  }
  let migrating: Promise<unknown> | undefined
  await worker.db.transaction().execute(async (tx) => {
    await sql`insert into plans (id) values ('one')`.execute(tx)
    migrating = migrate({ db, clock, migrations: [first, second] })
    while ((await waitsOn()) === 0) await shortPause()
    // Its lock request timed out. Until the next retry, nothing queues behind it.
    while ((await waitsOn()) > 0) await shortPause()
    await sql`insert into plans (id) values ('two')`.execute(worker.db)
  })
  expect(await migrating).toEqual({ applied: ['0002-prices.sql'], unknown: [] })
})

test('references from before there was a history have a first version, and deleted items are in the trash', async () => {
  const { db } = await open(await newDatabase())
  const migrations = await readMigrations()
  await migrate({ db, clock, migrations: migrations.filter(({ name }) => name < '0080') })
  const [created, changed, deleted] = ['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => new Date(day))
  await db.insertInto('organizations').values({ id: 'org', name: 'Shop', created_at: created! }).execute()
  await db.insertInto('users').values({ id: 'ada', email: 'ada@shop.test', name: 'Ada', password_hash: null, created_at: created! }).execute()
  const reference = (id: string, times: { updated_at: Date; deleted_at: Date | null }) => ({
    id,
    organization_id: 'org',
    short_id: id,
    title: id,
    is_optimistic: true,
    query_id: randomUUID(),
    parameters: '[]',
    created_by: 'ada',
    created_at: created!,
    ...times,
  })
  await db
    .insertInto('query_references')
    .values([
      reference('new', { updated_at: created!, deleted_at: null }),
      reference('edited', { updated_at: changed!, deleted_at: null }),
      reference('gone', { updated_at: changed!, deleted_at: deleted! }),
    ])
    .execute()
  await migrate({ db, clock, migrations })
  const versions = await db
    .selectFrom('query_reference_versions')
    .select(['reference_id', 'number', 'title', 'changed_by', 'changed_at'])
    .orderBy('reference_id')
    .execute()
  expect(versions).toEqual([
    { reference_id: 'edited', number: 1, title: 'edited', changed_by: null, changed_at: changed },
    { reference_id: 'gone', number: 1, title: 'gone', changed_by: null, changed_at: changed },
    { reference_id: 'new', number: 1, title: 'new', changed_by: 'ada', changed_at: created },
  ])
  const trash = await db.selectFrom('deleted_items').select(['kind', 'item_id', 'deleted_by', 'deleted_at']).execute()
  expect(trash).toEqual([{ kind: 'reference', item_id: 'gone', deleted_by: null, deleted_at: deleted }])
})
