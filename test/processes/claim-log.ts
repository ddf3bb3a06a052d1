import { sql } from 'kysely'
import type { Db } from '@querypost/server/store'

/**
 * Who claimed each run and each agent run, written down by PostgreSQL itself in the transactions that the processes
 * make. Processes are told apart by the name that their connections carry.
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

/** The names of those that claimed it, by the id of what was claimed. */
export async function claimsOf(db: Db, kind: 'runs' | 'agent_runs'): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; process: string }>`
    select id, process from claim_log where kind = ${kind}`.execute(db)
  const claims = Map.groupBy(rows, ({ id }) => id)
  return new Map([...claims].map(([id, all]) => [id, all.map(({ process }) => process)]))
}

/** As `expireLeasesOf` for deliveries: what time passing looks like, for those that are gone. */
export async function expireClaimsOf(db: Db, options: { processes: string[]; now: Date }): Promise<void> {
  for (const table of ['runs', 'agent_runs'] as const) {
    await sql`
      update ${sql.table(table)} as claimed set lease_expires_at = ${options.now}
      from claim_log
      where claim_log.kind = ${table} and claim_log.id = claimed.id and claim_log.process = any (${options.processes})
        and claimed.status = 'running'`.execute(db)
  }
}
