import { sql } from 'kysely'
import type { Db } from '@querypost/server/store'
import { until } from './until.ts'

/**
 * Records the outcome of every lease with a trigger in PostgreSQL: which process *claimed* a delivery, and whether the lease ended by
 * being *recorded* or *released*. Processes are identified by the application name of their connections.
 *
 * A lease that was claimed but neither recorded nor released is *lost*: it was in flight when its process was killed. Only lost leases
 * may cause a repeated delivery.
 */
export async function keepLeaseLog(db: Db): Promise<void> {
  await sql`create table lease_log (delivery_id text, lease_number integer, step text, process text, was_leased boolean)`.execute(db)
  await sql`
    create function note_lease() returns trigger language plpgsql as $$
    begin
      insert into lease_log values (new.id, new.lease_number, tg_argv[0], current_setting('application_name'),
        old.lease_expires_at > statement_timestamp());
      return null;
    end $$`.execute(db)
  await sql`
    create trigger note_claimed after update on webhook_deliveries for each row
    when (new.lease_number <> old.lease_number) execute function note_lease('claimed')`.execute(db)
  await sql`
    create trigger note_recorded after update on webhook_deliveries for each row
    when (new.attempt_count <> old.attempt_count) execute function note_lease('recorded')`.execute(db)
  await sql`
    create trigger note_released after update on webhook_deliveries for each row
    when (new.lease_owner is null and old.lease_owner is not null and new.attempt_count = old.attempt_count)
    execute function note_lease('released')`.execute(db)
}

export interface LostLease {
  deliveryId: string
  process: string
}

export async function lostLeases(db: Db): Promise<LostLease[]> {
  const { rows } = await sql<LostLease>`
    select delivery_id as "deliveryId", process
    from lease_log as claimed
    where step = 'claimed' and not exists (
      select from lease_log as ended
      where ended.delivery_id = claimed.delivery_id and ended.lease_number = claimed.lease_number
        and ended.step <> 'claimed')`
    .execute(db)
  return rows
}

/** What happened to the leases of some deliveries, for a failure's message. */
export async function leasesOf(db: Db, deliveryIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select delivery_id || ', lease ' || lease_number || ' ' || step || ' by ' || process as text
    from lease_log where delivery_id = any (${deliveryIds}) order by delivery_id, lease_number, step`.execute(db)
  return rows.map(({ text }) => text)
}

/** How many deliveries were claimed before the lease of another worker had expired. */
export async function countTakenOver(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from lease_log where step = 'claimed' and was_leased`.execute(db)
  return rows[0]!.count
}

/** Resolves when PostgreSQL has closed the connections of the process, so that nothing more can happen in its name. */
export function untilDisconnected(db: Db, process: string): Promise<void> {
  return until(async () => {
    const { rows } = await sql`select from pg_stat_activity where application_name = ${process}`.execute(db)
    return rows.length === 0
  })
}

/**
 * Expires the leases of killed processes now instead of in half a minute. This is equivalent to waiting, since expiry is a comparison of
 * this column with the store's time. Leases of living processes are left alone.
 */
export async function expireLeasesOf(db: Db, options: { processes: string[]; now: Date }): Promise<void> {
  await sql`
    update webhook_deliveries as delivery set lease_expires_at = ${options.now}
    from lease_log
    where lease_log.delivery_id = delivery.id and lease_log.lease_number = delivery.lease_number
      and lease_log.step = 'claimed' and lease_log.process = any (${options.processes})
      and delivery.lease_owner is not null`.execute(db)
}
