import { sql } from 'kysely'
import { sweepOfPartitions } from '@querypost/server/background-statements'
import { systemClock } from '@querypost/server/ports'
import { migrate, openPostgres, type Store } from '@querypost/server/store'
import { silentLog, startPostgresServer } from '@querypost/server/testing'
import type { Measurement } from '../report.ts'
import { runParts } from '../run-parts.ts'

/** Measures what it costs to remove a million expired events: with their partition, and one by one. */
export const benchRetention = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const eventCount = 1_000_000
const keptMs = 64 * 24 * 3600_000

interface World {
  store: Store
  close(): Promise<void>
}

async function makeWorld(): Promise<World> {
  const server = await startPostgresServer({ durable: true })
  const store = await openPostgres({ url: server.url, clock: systemClock, log: silentLog })
  await migrate({ db: store.db, clock: systemClock })
  await sql`insert into organizations (id, name, created_at) values ('org_1', 'Shop', now())`.execute(store.db)
  return {
    store,
    async close() {
      await store.close()
      await server.stop()
    },
  }
}

async function measureEvents({ store }: World): Promise<Measurement[]> {
  await sweepAt(store, '2100-01-13')
  const { rows } = await sql<{ bound: string }>`
    select substring(pg_get_expr(relpartbound, oid) from $$FROM [(]'([^']*)'$$) as bound from pg_class
    where relname = 'webhook_events_p21000111'`.execute(store.db)
  await fill(store, { idPrefix: rows[0]!.bound, day: '2100-01-13' })
  const dropped = await costOf(store, () => sweepAt(store, '2100-04-05'))
  // Ids that tell no time are in the default partition.
  await fill(store, { idPrefix: 'evt_zzzzzzzz', day: '2100-03-13' })
  const deleted = await costOf(store, () => sweepAt(store, '2100-06-01'))
  const vacuumed = await costOf(store, () => sql`/* no deadline */ vacuum webhook_events`.execute(store.db))
  const { rows: left } = await sql`select from webhook_events limit 1`.execute(store.db)
  if (left.length > 0) throw new Error('The sweeps have left events behind.')
  const named = `${eventCount.toLocaleString('en-US')} expired events`
  return [
    { what: `${named}: time`, unit: 's', ours: dropped.seconds, ceiling: { what: 'deleted one by one', value: deleted.seconds } },
    { what: `${named}: write-ahead log`, unit: 'MB', ours: dropped.logMb, ceiling: { what: 'deleted one by one', value: deleted.logMb } },
    { what: 'vacuum after deleting one by one: time', unit: 's', ours: vacuumed.seconds },
    { what: 'vacuum after deleting one by one: write-ahead log', unit: 'MB', ours: vacuumed.logMb },
  ]
}

/** Repeats the sweep until nothing is left to do. */
async function sweepAt(store: Store, day: string): Promise<void> {
  const clock = { ...systemClock, now: () => new Date(`${day}T00:00:00Z`) }
  const { removeBatch } = sweepOfPartitions({ db: store.db, clock }, { table: 'webhook_events', kind: 'webhook_events', keptMs })
  while ((await removeBatch()).hasMore);
}

async function fill(store: Store, { idPrefix, day }: { idPrefix: string; day: string }): Promise<void> {
  await sql`/* no deadline */
    insert into webhook_events (id, organization_id, type, created_at, body)
    select ${idPrefix} || lpad(i::text, 14, '0'), 'org_1', 'query.run.completed', ${day}::timestamptz + i * interval '10 ms', repeat(md5(i::text), 16)
    from generate_series(1, ${eventCount}::integer) as i`.execute(store.db)
  await sql`/* no deadline */ vacuum (analyze) webhook_events`.execute(store.db)
  await sql`/* no deadline */ checkpoint`.execute(store.db)
}

async function costOf(store: Store, act: () => Promise<unknown>): Promise<{ seconds: number; logMb: number }> {
  const position = async () => {
    const { rows } = await sql<{ bytes: string }>`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text as bytes`.execute(store.db)
    return Number(rows[0]!.bytes)
  }
  const [startedBytes, startedMs] = [await position(), performance.now()]
  await act()
  return { seconds: (performance.now() - startedMs) / 1000, logMb: ((await position()) - startedBytes) / 1e6 }
}

const benchmark = {
  name: 'retention',
  title: 'Removing expired events',
  limitMinutes: 20,
  method: 'one after the other',
  makeWorld,
  parts: { events: measureEvents },
}
