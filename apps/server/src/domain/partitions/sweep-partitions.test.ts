import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openTestStore, storeKinds, type TestStore } from '../../../testing/store/test-store.ts'
import type { Db } from '../../store/db.ts'
import { createPartition, dropPartition } from '../../store/partitions/change-partitions.ts'
import type { PartitionedTable } from '../../store/partitions/partitioned-tables.ts'
import { readPartitions } from '../../store/partitions/read-partitions.ts'
import { firstOrderedId, newOrderedId } from '../ids.ts'
import { sweepOfPartitions } from './sweep-partitions.ts'

const dayMs = 24 * 3600_000
const at = (day: string) => new Date(`${day}T00:00:00.000Z`)
const random = seededRandom('partitions')
const organizationId = 'org_partitions'
const tables = ['webhook_events', 'audit_log'] as const
const kinds = { webhook_events: 'webhook_events', audit_log: 'audit_records' } as const

/** The id and the time of a row may differ. */
async function insert(db: Db, table: PartitionedTable, time: Date, idTime = time): Promise<string> {
  const clock = { ...manualClock(), now: () => idTime }
  const id = newOrderedId({ clock, random }, table === 'webhook_events' ? 'evt' : 'audit')
  await sql`insert into organizations (id, name, created_at) values (${organizationId}, 'Shop', now()) on conflict do nothing`.execute(db)
  await (table === 'webhook_events'
    ? sql`insert into webhook_events (id, organization_id, type, created_at, body) values (${id}, ${organizationId}, 'test', ${time}, '{}')`
    : sql`insert into audit_log (id, organization_id, occurred_at, action, actor_kind, subject_type, details)
        values (${id}, ${organizationId}, ${time}, 'session.started', 'user', 'user', '{}')`
  ).execute(db)
  return id
}

/** The rows that are left, with their partitions, oldest first. */
async function rowsOf(db: Db, table: PartitionedTable): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    select tableoid::regclass || ' ' || to_char(${sql.ref(table === 'audit_log' ? 'occurred_at' : 'created_at')} at time zone 'UTC', 'YYYY-MM-DD') as row
    from ${sql.table(table)} order by ${sql.ref(table === 'audit_log' ? 'occurred_at' : 'created_at')}, id`.execute(db)
  return rows.map(({ row }) => row)
}

const namesOf = async (db: Db, table: PartitionedTable) => (await readPartitions(db, table)).map(({ name }) => name)

/** All times are far in the future, where the first partition does not reach. */
describe.each(storeKinds)('partitions on %s', (kind) => {
  let store: TestStore
  beforeAll(async () => void (store = await openTestStore(kind, { isNew: true })))
  afterAll(() => store.close())

  const sweepAt = (table: PartitionedTable, day: string, keptDays = 64) =>
    sweepOfPartitions({ db: store.db, clock: { ...manualClock(), now: () => at(day) } }, { table, kind: kinds[table], keptMs: keptDays * dayMs }).removeBatch()

  test.each(tables)('of %s are created ahead and dropped after their retention', async (table) => {
    const { db } = store
    const names = (...suffixes: string[]) => suffixes.map((suffix) => `${table}_p${suffix}`)
    expect(await namesOf(db, table)).toEqual(names('_default', '_first'))
    // The first partition has no row, and the end of its range is long past.
    await sweepAt(table, '2100-01-13')
    const created = names('21000111', '21000125', '_default')
    expect(await namesOf(db, table)).toEqual(created)
    await sweepAt(table, '2100-01-13')
    expect(await namesOf(db, table)).toEqual(created)
    for (const day of ['2099-12-31', '2100-01-11', '2100-01-24', '2100-01-25']) await insert(db, table, at(day))
    const rows = [`${table}_p_default 2099-12-31`, `${table}_p21000111 2100-01-11`, `${table}_p21000111 2100-01-24`, `${table}_p21000125 2100-01-25`]
    expect(await rowsOf(db, table)).toEqual(rows)

    // Rows of the default partition are deleted by their age.
    expect(await sweepAt(table, '2100-03-07')).toEqual({ rows: 1, hasMore: false })
    expect(await rowsOf(db, table)).toEqual(rows.slice(1))
    expect(await namesOf(db, table)).toEqual(names('21000111', '21000125', '21000222', '21000308', '_default'))
    await sweepAt(table, '2100-03-29')
    expect(await rowsOf(db, table)).toEqual(rows.slice(1))
    await sweepAt(table, '2100-03-30')
    expect(await rowsOf(db, table)).toEqual(rows.slice(3))
    // A longer retention keeps what is left, a shorter one removes it.
    await sweepAt(table, '2100-06-01', 400)
    expect(await rowsOf(db, table)).toEqual(rows.slice(3))
    await sweepAt(table, '2100-04-01', 30)
    expect(await rowsOf(db, table)).toEqual([])
  })

  test.each(tables)('of %s have the indexes, constraints and triggers of the table', async (table) => {
    const { db } = store
    await sweepAt(table, '2101-01-05')
    const { rows } = await sql<{ name: string; indexCount: number; constraintCount: number; triggerCount: number }>`
      select relname as name, (select count(*)::integer from pg_index where indrelid = pg_class.oid) as "indexCount",
        (select count(*)::integer from pg_constraint where conrelid = pg_class.oid and contype in ('c', 'f', 'p')) as "constraintCount",
        (select count(*)::integer from pg_trigger where tgrelid = pg_class.oid and not tgisinternal) as "triggerCount"
      from pg_class where oid = ${table}::regclass or oid in (select inhrelid from pg_inherits where inhparent = ${table}::regclass)`.execute(db)
    const expected = table === 'webhook_events' ? [3, 2, 0] : [8, 3, 1]
    expect(rows.length).toBeGreaterThan(3)
    for (const { name, ...counts } of rows) expect(Object.values(counts), name).toEqual(expected)
  })

  test('an event that is younger than its id keeps its partition until it has expired, too', async () => {
    const { db } = store
    await sweepAt('webhook_events', '2102-01-10')
    await insert(db, 'webhook_events', at('2102-01-10'))
    await insert(db, 'webhook_events', at('2102-03-01'), at('2102-01-10'))
    const [old, young] = await rowsOf(db, 'webhook_events')
    expect(old!.split(' ')[0]).toBe(young!.split(' ')[0])
    await sweepAt('webhook_events', '2102-03-27')
    expect(await rowsOf(db, 'webhook_events')).toEqual([old, young])
    // After a quarter of the retention, single rows are deleted.
    await sweepAt('webhook_events', '2102-05-01')
    expect(await rowsOf(db, 'webhook_events')).toEqual([young])
    await sweepAt('webhook_events', '2102-05-10')
    expect(await rowsOf(db, 'webhook_events')).toEqual([])
    expect(await namesOf(db, 'webhook_events')).not.toContain(old!.split(' ')[0])
  })

  test('events whose ids tell no time are deleted by age', async () => {
    const { db } = store
    const event = { organization_id: organizationId, type: 'query.run.completed', body: '{}', created_at: at('2103-01-01') } as const
    await db.insertInto('webhook_events').values([{ ...event, id: 'imported' }, { ...event, id: 'evt_1' }, { ...event, id: 'evt_zzzzzzzzz' }]).execute()
    await sweepAt('webhook_events', '2103-03-05')
    expect(await rowsOf(db, 'webhook_events')).toHaveLength(3)
    expect(await sweepAt('webhook_events', '2103-03-07')).toMatchObject({ rows: 3 })
    expect(await rowsOf(db, 'webhook_events')).toEqual([])
  })

  test.each(tables)('of %s are not created for rows that are in the default partition already, and later ones are', async (table) => {
    const { db } = store
    await insert(db, table, at('2104-01-08'))
    await sweepAt(table, '2104-01-09')
    const [row] = await rowsOf(db, table)
    expect(row).toBe(`${table}_p_default 2104-01-08`)
    const created = (await namesOf(db, table)).filter((name) => name.startsWith(`${table}_p2104`))
    expect(created).toHaveLength(1)
    await insert(db, table, at('2104-01-25'))
    expect((await rowsOf(db, table))[1]).toBe(`${created[0]} 2104-01-25`)
    await sweepAt(table, '2104-12-01')
    expect(await rowsOf(db, table)).toEqual([])
  })

  test('several sweeps at once create and drop each partition once', async () => {
    const { db } = store
    for (const day of ['2105-01-10', '2105-06-10']) {
      const swept = await Promise.all(Array.from({ length: 4 }, () => sweepAt('webhook_events', day)))
      expect(swept).toHaveLength(4)
      await sweepAt('webhook_events', day)
      const names = await namesOf(db, 'webhook_events')
      expect(names.filter((name) => name.startsWith('webhook_events_p2105'))).toHaveLength(2)
    }
  })
})

describe('beside a reader that takes long', () => {
  let store: TestStore
  const table = 'webhook_events'
  const range = { table, name: 'webhook_events_p21000104', from: firstOrderedId('evt', Date.parse('2100-01-04')), to: firstOrderedId('evt', Date.parse('2100-01-18')) } as const
  beforeAll(async () => void (store = await openTestStore('postgres', { isNew: true })))
  afterAll(() => store.close())

  /** Runs the work while a transaction has read the table and not ended. */
  const beside = (work: () => Promise<void>) =>
    store.backgroundDb.transaction().execute(async (tx) => {
      await sql`select count(*) from webhook_events`.execute(tx)
      await work()
    })

  test('a partition is neither created nor dropped, and events are published', async () => {
    const { db } = store
    await beside(async () => {
      expect(await createPartition(db, range)).toBe(false)
      await insert(db, table, at('2100-01-31'))
    })
    expect(await createPartition(db, range)).toBe(true)
    await insert(db, table, at('2100-01-05'))
    const drop = () => dropPartition(db, { table, name: range.name, before: at('2100-06-01') })
    await beside(async () => {
      expect(await drop()).toBeUndefined()
      await insert(db, table, at('2100-01-06'))
    })
    expect(await rowsOf(db, table)).toHaveLength(3)
    expect(await drop()).toBeDefined()
    expect(await rowsOf(db, table)).toEqual([`${table}_p_default 2100-01-31`])
  })

  test('a partition with a row that has not expired is not dropped', async () => {
    const { db } = store
    await createPartition(db, range)
    await insert(db, table, at('2100-01-05'))
    expect(await dropPartition(db, { table, name: range.name, before: at('2100-01-05') })).toBeUndefined()
    expect(await dropPartition(db, { table, name: range.name, before: at('2100-01-06') })).toBeDefined()
    expect(await dropPartition(db, { table, name: range.name, before: at('2100-01-06') })).toBeUndefined()
  })
})
