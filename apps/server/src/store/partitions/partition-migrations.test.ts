import { randomUUID } from 'node:crypto'
import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { shortPause } from '../../../testing/poll-pause.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { systemClock } from '../../ports/clock.ts'
import { openEmbedded, openPostgres, type Store } from '../db.ts'
import { migrate } from '../migrate.ts'
import { type Migration, readMigrations } from '../migration-files.ts'

/** The migrations that make existing tables the first partition of a partitioned one. */
const clock = systemClock
const ending: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0)) await end()
})

interface Stage {
  store: Store
  client: pg.Client
  /** Everything that PostgreSQL has told the client. */
  notices: string[]
  connect(): Promise<pg.Client>
}

/** A client of the server, or an embedded database. */
interface Queryable {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

async function asAdmin(statement: string): Promise<void> {
  const admin = new pg.Client(inject('postgresUrl'))
  await admin.connect()
  await admin.query(statement)
  await admin.end()
}

const newName = () => `partitions_${randomUUID().replaceAll('-', '')}`
const urlOf = (name: string) => Object.assign(new URL(inject('postgresUrl')), { pathname: `/${name}` }).href
const open = (name: string) => openPostgres({ url: urlOf(name), clock, log: silentLog })

/** A database with the schema of the previous version. */
const template = newName()
let migrations: Migration[]
beforeAll(async () => {
  migrations = await readMigrations()
  await asAdmin(`create database ${template}`)
  const { db, close } = await open(template)
  await migrate({ db, clock, migrations: migrations.filter((each) => each.name < '0294') })
  await db.insertInto('organizations').values({ id: 'org_1', name: 'Shop', created_at: new Date(0) }).execute()
  await close()
})

async function openPrevious(): Promise<Stage> {
  const name = newName()
  await asAdmin(`create database ${name} template ${template}`)
  const store = await open(name)
  ending.push(() => store.close())
  const connect = async () => {
    const client = new pg.Client(urlOf(name))
    await client.connect()
    ending.unshift(() => client.end())
    return client
  }
  const client = await connect()
  const notices: string[] = []
  client.on('notice', ({ message }) => notices.push(message ?? ''))
  return { store, client, notices, connect }
}

const tables = ['audit_log', 'webhook_events'] as const
type Table = (typeof tables)[number]
const files: Record<Table, string> = { audit_log: '0295-audit-log-partitions.sql', webhook_events: '0296-event-partitions.sql' }
const fileOf = (table: Table) => migrations.find(({ name }) => name === files[table])!
const finish = ({ store }: Stage) => migrate({ db: store.db, clock, migrations })
/** Up to the file of the table. */
const begin = ({ store }: Stage, table: Table) =>
  migrate({ db: store.db, clock, migrations: migrations.filter(({ name }) => name < files[table]) })

/** Any id below `evt_Z` is before the bound. */
const insert = (client: Queryable, table: Table, { id, days }: { id: string; days: number }) =>
  client.query(
    table === 'audit_log'
      ? `insert into audit_log (id, organization_id, occurred_at, action, actor_kind, subject_type, details)
         values ($1, 'org_1', now() + $2 * interval '1 day', 'session.started', 'user', 'user', '{}')`
      : `insert into webhook_events (id, organization_id, type, created_at, body) values ($1, 'org_1', 'test', now() + $2 * interval '1 day', '{}')`,
    [id, days],
  )

async function partsOf(client: Queryable, table: Table): Promise<Record<string, string[]>> {
  const { rows } = await client.query(
    `select tableoid::regclass::text as part, array_agg(id order by id) as ids from ${table} group by 1 order by 1`,
  )
  return Object.fromEntries((rows as { part: string; ids: string[] }[]).map(({ part, ids }) => [part, ids]))
}

test('existing tables become the first partition while others write to them', async () => {
  const stage = await openPrevious()
  const { client } = stage
  for (const table of tables) for (let n = 0; n < 50; n += 1) await insert(client, table, { id: `old_${n}`, days: -n })
  await client.query('create role auditor')
  ending.unshift(async () => void (await client.query('drop owned by auditor; drop role auditor')))
  await client.query('grant select on audit_log, webhook_events to auditor')

  // Prepared statements of the previous version, on connections that stay open.
  let isMigrated = false
  const write = async (table: Table) => {
    const writer = await stage.connect()
    let count = 0
    for (; !isMigrated || count < 20; count += 1) {
      await insert(writer, table, { id: `new_${String(count).padStart(6, '0')}`, days: 0 })
      const { rows } = await writer.query({ name: 'find', text: `select id from ${table} where id = $1`, values: [`new_${String(count).padStart(6, '0')}`] })
      expect(rows).toHaveLength(1)
    }
    return count
  }
  const writing = Promise.all(tables.map(write))
  await finish(stage)
  isMigrated = true
  const counts = await writing
  for (const [index, table] of tables.entries()) {
    const parts = await partsOf(client, table)
    expect(Object.keys(parts)).toEqual([`${table}_p_first`])
    expect(parts[`${table}_p_first`]).toHaveLength(50 + counts[index]!)
    const { rows } = await client.query(
      `select has_table_privilege('auditor', '${table}', 'select') as "mayRead", has_table_privilege('auditor', '${table}', 'insert') as "mayWrite"`,
    )
    expect(rows).toEqual([{ mayRead: true, mayWrite: false }])
  }
  await expect(client.query(`update audit_log set action = 'other'`)).rejects.toThrow('never changed')
  await expect(client.query(`insert into webhook_events select * from webhook_events limit 1`)).rejects.toThrow('duplicate key')
  const { rows: left } = await client.query(`select conname from pg_constraint where conname like '%_bound' union all select proname from pg_proc where proname like '%_bound'`)
  expect(left).toEqual([])
})

test('the rows of an embedded store are in the first partition after the migration', async () => {
  const pglite = await PGlite.create()
  ending.push(() => pglite.close())
  const { db } = await openEmbedded({ pglite })
  await migrate({ db, clock, migrations: migrations.filter(({ name }) => name < '0294') })
  await db.insertInto('organizations').values({ id: 'org_1', name: 'Shop', created_at: new Date(0) }).execute()
  const ids = Array.from({ length: 20 }, (_, n) => `old_${String(n).padStart(2, '0')}`)
  for (const table of tables) for (const [n, id] of ids.entries()) await insert(pglite, table, { id, days: -n })
  await migrate({ db, clock, migrations })
  for (const table of tables) {
    await insert(pglite, table, { id: 'new', days: 0 })
    expect(await partsOf(pglite, table)).toEqual({ [`${table}_p_first`]: ['new', ...ids] })
  }
})

describe.each(tables)('the migration of %s', (table) => {
  test('attaches the existing table without reading it', async () => {
    const stage = await openPrevious()
    await begin(stage, table)
    await insert(stage.client, table, { id: 'evt_1', days: -1 })
    await stage.client.query('set client_min_messages = debug1')
    for (const statement of fileOf(table).statements) await stage.client.query(statement)
    expect(stage.notices).toContain(`partition constraint for table "${table}_p_first" is implied by existing constraints`)
  })

  test.each([1, 2, 3])('continues after it was interrupted behind statement %i', async (count) => {
    const stage = await openPrevious()
    await begin(stage, table)
    await insert(stage.client, table, { id: 'evt_1', days: -1 })
    for (const statement of fileOf(table).statements.slice(0, count)) await stage.client.query(statement)
    await insert(stage.client, table, { id: 'evt_2', days: 0 })
    await finish(stage)
    expect(await partsOf(stage.client, table)).toEqual({ [`${table}_p_first`]: ['evt_1', 'evt_2'] })
  })

  test('if it is interrupted for weeks, rejects no row, and starts over', async () => {
    const stage = await openPrevious()
    const { client } = stage
    await begin(stage, table)
    for (const statement of fileOf(table).statements.slice(0, 2)) await client.query(statement)
    const later = { id: 'evt_zzzzzzzzz', days: 40 }
    await expect(insert(client, table, later)).rejects.toThrow(`violates check constraint "${table}_bound"`)
    // A day before the bound.
    const { rows } = await client.query<{ definition: string }>(`select pg_get_functiondef('${table}_bound'::regproc) as definition`)
    const lapsed = rows[0]!.definition.replace(/now\(\) < '[^']*'/, `now() < '2020-01-01'`)
    expect(lapsed).not.toBe(rows[0]!.definition)
    await client.query(lapsed)
    await insert(client, table, later)
    await finish(stage)
    expect(await partsOf(client, table)).toEqual({ [`${table}_p_first`]: [later.id] })
  })

  test('retries while a transaction keeps the table locked, without blocking others', async () => {
    const stage = await openPrevious()
    await begin(stage, table)
    const [reader, writer] = [await stage.connect(), await stage.connect()]
    await reader.query('begin')
    await reader.query(`select from ${table}`)
    const finishing = finish(stage)
    const isWaiting = async () => {
      const { rows } = await stage.client.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      return rows.length > 0
    }
    while (!(await isWaiting())) await shortPause()
    await insert(writer, table, { id: 'evt_1', days: 0 })
    await reader.query('commit')
    await finishing
    expect(await partsOf(stage.client, table)).toEqual({ [`${table}_p_first`]: ['evt_1'] })
  })
})
