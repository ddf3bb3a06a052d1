import type pg from 'pg'
import { cheapHash } from '@querypost/server/testing'
import { signIn } from '../api/caller.ts'
import { readKb } from '../api/peak-memory.ts'
import { password } from '../api/service.ts'
import { type Measurement, ratioGoal } from '../report.ts'
import { addBacklog } from './backlog.ts'
import type { BenchEndpoint } from './endpoints.ts'
import { eventBody, eventContent } from './events.ts'
import type { World } from './world.ts'

/** Even the small amount takes the process long enough to grow its heap to the size that it works with. */
const smallCount = 50_000
const largeCount = 200_000
const quarters = 4
const limitMs = 10 * 60_000

/** Resident memory in MB: after each quarter of the deliveries, and at its highest until nothing was left to do. */
interface Memory {
  afterQuarters: number[]
  peak: number
}

/**
 * The memory of one process that does all background work, by the amount of it. Because their endpoint is disabled, it holds `count`
 * pending deliveries; then it releases, claims and sends them. Beside that it sweeps `count` expired deliveries with their events,
 * `count` deliveries of a deleted endpoint, and a quarter as many expired results.
 */
export async function measureMemory(world: World): Promise<Measurement[]> {
  const small = await doAllWork(world, smallCount)
  const large = await doAllWork(world, largeCount)
  const work = `background work on ${formatCount(largeCount)} of everything`
  const [afterFirst, afterLast] = [large.afterQuarters[0]!, large.afterQuarters.at(-1)!]
  return [
    {
      what: `Peak resident memory during ${work}`,
      unit: 'MB',
      ours: large.peak,
      ceiling: { what: `on ${formatCount(smallCount)}`, value: small.peak },
      goal: ratioGoal({ ours: large.peak, ceiling: small.peak, atMost: 1.25 }),
    },
    {
      what: `Resident memory after the last quarter of ${work}`,
      note: `after each quarter: ${large.afterQuarters.map((mb) => mb.toFixed(0)).join(', ')}`,
      unit: 'MB',
      ours: afterLast,
      ceiling: { what: 'after the first quarter', value: afterFirst },
      goal: ratioGoal({ ours: afterLast, ceiling: afterFirst, atMost: 1.25 }),
    },
  ]
}

const formatCount = (count: number) => count.toLocaleString('en-US')

/** In a new process each time: the memory that a process once took says nothing about what it needs now. */
async function doAllWork(world: World, count: number): Promise<Memory> {
  const { sql, receivers } = world
  await sql.query('truncate webhook_deliveries, webhook_events, result_pieces, results')
  await receivers.ask({ act: 'forget' })
  const [endpoint, deleted] = (await world.addEndpoints(2)) as [BenchEndpoint, BenchEndpoint]
  const account = await addAdmin(sql, endpoint)
  await addSweepable(sql, { endpoint, deleted, count })
  await addBacklog(sql, { endpoints: [endpoint], count })
  await sql.query(`update webhook_deliveries set next_attempt_at = now() + interval '1 day' where state = 'pending'`)

  const service = await world.startProcess('all')
  const pages = await signIn(service, account)
  const route = `/app/api/webhook-endpoints/${endpoint.id}`
  await pages.post(`${route}/disable`, {})
  await pages.post(`${route}/enable`, { sendHeld: true })
  const afterQuarters: number[] = []
  for (let quarter = 1; quarter <= quarters; quarter += 1) {
    const expectedCount = (count * quarter) / quarters
    const { arrivedCount } = await receivers.ask({ act: 'wait for', count: expectedCount, limitMs })
    if (arrivedCount < expectedCount) throw new Error(`Only ${arrivedCount} of ${count} deliveries arrived.`)
    afterQuarters.push(readKb(service.pid, 'VmRSS') / 1024)
  }
  await sweepEnd(sql)
  const peak = readKb(service.pid, 'VmHWM') / 1024
  await service.stop()
  return { afterQuarters, peak }
}

/** Someone who may disable the endpoint. */
async function addAdmin(sql: pg.Pool, { organizationId }: BenchEndpoint): Promise<{ email: string; password: string }> {
  const id = `user_${organizationId}`
  const email = `admin@${organizationId.toLowerCase()}.test`
  await sql.query(`insert into users values ($1, $2, 'Bench', $3, now())`, [id, email, cheapHash(password)])
  await sql.query(`insert into memberships values ($1, $2, 'admin', now())`, [organizationId, id])
  return { email, password }
}

/** Rows that the sweeper removes, straight into the tables. */
async function addSweepable(
  sql: pg.Pool,
  { endpoint, deleted, count }: { endpoint: BenchEndpoint; deleted: BenchEndpoint; count: number },
): Promise<void> {
  await sql.query('update webhook_endpoints set deleted_at = now() where id = $1', [deleted.id])
  for (const { id, organizationId } of [endpoint, deleted]) {
    await sql.query(
      `with old as (
         select i, 'evt_' || lpad(i::text, 8, '0') || substr(md5('old' || $1::text || i), 1, 14) as event_id
         from generate_series(1, $2::integer) as numbers (i)),
       event as (
         insert into webhook_events (id, organization_id, type, created_at, body)
         select event_id, $3, $4, now() - interval '70 days', $5 from old)
       insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, attempt_count, ended_at)
       select 'dlv_' || substr(event_id, 5), event_id, $1, 'delivered', false, now() - interval '70 days', 1, now() - interval '70 days'
       from old`,
      [id, count, organizationId, eventContent.type, eventBody('evt_0000000000000000000000')],
    )
  }
  const client = await sql.connect()
  // No query exists for these runs.
  await client.query('set session_replication_role = replica')
  await client.query(
    `with old as (select 'run_' || substr(md5('old' || $1::text || i), 1, 22) as id from generate_series(1, $2::integer) as numbers (i)),
     run as (
       insert into runs (id, organization_id, query_id, number, status, trigger_id, parameter_values, parameter_types,
         rendered_sql, run_at, started_at, completed_at, row_count, started_xid, ended_xid)
       select id, $1, gen_random_uuid(), 1, 'completed', 'bench', '{}', '{}', 'select 1', now() - interval '9 days',
         now() - interval '9 days', now() - interval '9 days', 1, pg_current_xact_id(), pg_current_xact_id() from old),
     result as (
       insert into results (run_id, place, size_bytes, written_at, held_until)
       select id, 'postgres', 1000, now() - interval '9 days', now() - interval '9 days' from old)
     insert into result_pieces (run_id, number, bytes) select id, 0, convert_to(repeat('b', 1000), 'UTF8') from old`,
    [endpoint.organizationId, Math.ceil(count / 4)],
  )
  await client.query('set session_replication_role = origin')
  client.release()
  for (const table of ['runs', 'results', 'result_pieces']) await sql.query(`vacuum (analyze) ${table}`)
}

/** Resolves when the sweeper has nothing left to remove. */
async function sweepEnd(sql: pg.Pool): Promise<void> {
  const startedMs = performance.now()
  for (;;) {
    const { rows } = await sql.query<{ name: string }>(
      `select 'deliveries' as name where exists (select from webhook_deliveries where created_at < now() - interval '60 days')
       union all select 'events' where exists (select from webhook_events where created_at < now() - interval '65 days')
       union all select 'results' where exists (select from results where removed_at is null)`,
    )
    if (rows.length === 0) return
    if (performance.now() - startedMs > limitMs) throw new Error(`Not swept: ${rows.map(({ name }) => name).join(', ')}.`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
