import type pg from 'pg'
import type { BenchEndpoint } from './endpoints.ts'
import { eventBody, eventContent } from './events.ts'

/**
 * Writes due deliveries directly into the tables, each with its own event, spread evenly over the endpoints: the same rows as
 * `publishEvent` writes, in one statement. Ids are ordered like real ones. Then flushes to disk and analyzes the tables.
 *
 * With `keyCount`, the deliveries of each endpoint are in order by so many keys. With `headsDueInMs`, the first of each key waits.
 */
export async function addBacklog(
  sql: pg.Pool,
  options: { endpoints: BenchEndpoint[]; count: number; keyCount?: number; headsDueInMs?: number },
): Promise<void> {
  const { endpoints, count, keyCount = null, headsDueInMs = 0 } = options
  const mark = 'evt_0000000000000000000000'
  await sql.query(
    `with new as (
       select 'evt_' || lpad(i::text, 8, '0') || substr(md5('event' || $1::text || i), 1, 14) as event_id,
         'dlv_' || lpad(i::text, 8, '0') || substr(md5('delivery' || $1::text || i), 1, 14) as id,
         i % cardinality($2::text[]) + 1 as lane,
         case when $8::integer is not null then (i - 1) / cardinality($2::text[]) % $8 end as key,
         case when (i - 1) / cardinality($2::text[]) < $8 then $9::integer else 0 end as wait_ms,
         i as number
       from generate_series(1, $3::integer) as numbers (i)),
     event as (
       insert into webhook_events (id, organization_id, type, created_at, body)
       select event_id, ($4::text[])[lane], $5, now(), replace($6, $7, event_id) from new)
     insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, next_attempt_at, order_key, order_number)
     select id, event_id, ($2::text[])[lane], 'pending', false, now(), now() + wait_ms * interval '1 ms', 'key ' || key,
       case when key is not null then number end
     from new`,
    [
      `${process.hrtime.bigint()}`,
      endpoints.map(({ id }) => id),
      count,
      endpoints.map(({ organizationId }) => organizationId),
      eventContent.type,
      eventBody(mark),
      mark,
      keyCount,
      headsDueInMs,
    ],
  )
  await sql.query('vacuum (analyze) webhook_deliveries')
  await sql.query('vacuum (analyze) webhook_events')
  await sql.query('checkpoint')
}

/** Switches webhooks of the endpoints' organizations on or off. While off, no delivery is claimed. */
export async function switchWebhooks(sql: pg.Pool, endpoints: BenchEndpoint[], isOn: boolean): Promise<void> {
  const organizations = endpoints.map(({ organizationId }) => organizationId)
  await sql.query('update organizations set webhooks_enabled = $1 where id = any ($2)', [isOn, organizations])
  if (isOn) await sql.query(`select pg_notify('querypost_wakeup', 'deliveries')`)
}

/** Empties the tables once no attempt is in progress. */
export async function clearDeliveries(sql: pg.Pool): Promise<void> {
  for (;;) {
    const { rows } = await sql.query<{ count: number }>(
      `select count(*)::integer as count from webhook_deliveries where lease_owner is not null`,
    )
    if (rows[0]!.count === 0) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await sql.query('truncate webhook_deliveries, webhook_events')
}
