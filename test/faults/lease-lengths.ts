import { sql } from 'kysely'
import type { Db } from '@querypost/server/store'

const expiries = {
  runs: 'lease_expires_at',
  agent_runs: 'lease_expires_at',
  webhook_deliveries: 'lease_expires_at',
  notifications: 'email_next_attempt_at',
} as const
const leaseNumbers = {
  runs: 'lease_number',
  agent_runs: 'lease_number',
  webhook_deliveries: 'lease_number',
  notifications: 'email_lease_number',
} as const

export type LeasedTable = keyof typeof expiries

/**
 * Records the length of each lease by PostgreSQL's clock, with a trigger on the statement that grants it. Processes are identified by the
 * application name of their connections.
 */
export async function keepLeaseLengths(db: Db): Promise<void> {
  await sql`create table lease_lengths (kind text, process text, seconds integer)`.execute(db)
  await sql`
    create function note_lease_length() returns trigger language plpgsql as $$
    begin
      insert into lease_lengths values (tg_table_name, current_setting('application_name'),
        round(extract(epoch from (to_jsonb(new) ->> tg_argv[0])::timestamptz - statement_timestamp())));
      return null;
    end $$`.execute(db)
  for (const table of Object.keys(expiries) as LeasedTable[]) {
    const leaseNumber = sql.ref(leaseNumbers[table])
    const owned = table === 'notifications' ? sql`true` : sql`new.lease_owner is not null and new.lease_owner <> 'another worker'`
    await sql`
      create trigger note_lease_length after update on ${sql.table(table)} for each row
      when (new.${leaseNumber} > old.${leaseNumber} and ${owned})
      execute function note_lease_length(${sql.lit(expiries[table])})`.execute(db)
  }
}

/** The lengths in seconds of the leases that a process was granted, by table. */
export async function leaseLengths(db: Db, process: string): Promise<Map<LeasedTable, number[]>> {
  const { rows } = await sql<{ kind: LeasedTable; seconds: number }>`
    select distinct kind, seconds from lease_lengths where process = ${process} order by kind, seconds`.execute(db)
  const byKind = Map.groupBy(rows, ({ kind }) => kind)
  return new Map([...byKind].map(([kind, all]) => [kind, all.map(({ seconds }) => seconds)]))
}
