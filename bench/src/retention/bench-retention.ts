import { sql } from 'kysely'
import { sweepOfPartitions, webhookSweeps } from '@querypost/server/background-statements'
import { systemClock } from '@querypost/server/ports'
import { migrate, openPostgres, type Store } from '@querypost/server/store'
import { silentLog, startPostgresServer } from '@querypost/server/testing'
import type { Measurement } from '../report.ts'
import { runParts } from '../run-parts.ts'

/** Measures what it costs to remove a million expired events, with their partition and one by one, and a million expired deliveries. */
export const benchRetention = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const eventCount = 1_000_000
const deliveryCount = 1_000_000
const endpointCount = 100
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
  await sql`insert into users (id, email, name, password_hash, created_at) values ('usr_1', 'ada@shop.test', 'Ada', '', now())`.execute(store.db)
  await sql`
    insert into webhook_endpoints (id, organization_id, url, event_types, state, secret, created_by, created_at, updated_at)
    select 'we_' || i, 'org_1', 'https://shop.test', '{}', 'enabled', '', 'usr_1', now(), now()
    from generate_series(0, ${endpointCount - 1}::integer) as i`.execute(store.db)
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

/** Delivered at the first attempt. Deliveries have no partitions. */
async function measureDeliveries({ store: { db } }: World): Promise<Measurement[]> {
  // Ids before all times.
  await sql`/* no deadline */
    insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, attempt_count, attempts, lease_number, ended_at)
    select 'dlv_22222222' || lpad(i::text, 14, '0'), 'evt_' || i, 'we_' || i % ${endpointCount}::integer, 'delivered', false, at, 1,
      jsonb_build_array(jsonb_build_object('number', 1, 'startedAt', at, 'durationMs', i % 100, 'status', 204, 'response', md5(i::text))), 1, at
    from generate_series(1, ${deliveryCount}::integer) as i, lateral (select now() - interval '40 days' + i * interval '10 ms' as at) as made`.execute(db)
  await sql`/* no deadline */ vacuum (analyze) webhook_deliveries`.execute(db)
  await sql`/* no deadline */ checkpoint`.execute(db)
  const deleted = await costOf({ db }, async () => {
    for (const { removeBatch } of webhookSweeps({ db, clock: systemClock })) while ((await removeBatch()).hasMore);
  })
  const { rows: left } = await sql`select from webhook_deliveries limit 1`.execute(db)
  if (left.length > 0) throw new Error('The sweeps have left deliveries behind.')
  const vacuumed = await costOf({ db }, () => sql`/* no deadline */ vacuum webhook_deliveries`.execute(db))
  const named = `${deliveryCount.toLocaleString('en-US')} expired deliveries`
  return [
    { what: `${named}: time`, unit: 's', ours: deleted.seconds },
    { what: `${named}: write-ahead log`, unit: 'MB', ours: deleted.logMb },
    { what: 'vacuum after deleting deliveries: time', unit: 's', ours: vacuumed.seconds },
    { what: 'vacuum after deleting deliveries: write-ahead log', unit: 'MB', ours: vacuumed.logMb },
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

async function costOf(store: Pick<Store, 'db'>, act: () => Promise<unknown>): Promise<{ seconds: number; logMb: number }> {
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
  title: 'Removing expired events and deliveries',
  limitMinutes: 20,
  method: 'one after the other',
  makeWorld,
  parts: { events: measureEvents, deliveries: measureDeliveries },
}
