import { sql } from 'kysely'
import type { Db } from '@querypost/server/store'

/**
 * Records which process claimed each run and each agent run, by a trigger in PostgreSQL. Processes are identified by the application
 * name of their connections.
 */
export async function keepClaimLog(db: Db): Promise<void> {
  await sql`create table claim_log (kind text, id text, process text)`.execute(db)
  await sql`
    create function note_claim() returns trigger language plpgsql as $$
    begin
      insert into claim_log values (tg_table_name, new.id, current_setting('application_name'));
      return null;
    end $$`.execute(db)
  for (const table of ['runs', 'agent_runs']) {
    await sql`
      create trigger note_claim after update on ${sql.table(table)} for each row
      when (new.lease_owner is not null and new.lease_owner is distinct from old.lease_owner)
      execute function note_claim()`.execute(db)
  }
}

/** The names of the processes that claimed each row, by the row's id. */
export async function claimsOf(db: Db, kind: 'runs' | 'agent_runs'): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; process: string }>`
    select id, process from claim_log where kind = ${kind}`.execute(db)
  const claims = Map.groupBy(rows, ({ id }) => id)
  return new Map([...claims].map(([id, all]) => [id, all.map(({ process }) => process)]))
}

/** Expires the leases of killed processes, as `expireLeasesOf` does for deliveries. */
export async function expireClaimsOf(db: Db, options: { processes: string[]; now: Date }): Promise<void> {
  for (const table of ['runs', 'agent_runs'] as const) {
    await sql`
      update ${sql.table(table)} as claimed set lease_expires_at = ${options.now}
      from claim_log
      where claim_log.kind = ${table} and claim_log.id = claimed.id and claim_log.process = any (${options.processes})
        and claimed.status = 'running'`.execute(db)
  }
}
