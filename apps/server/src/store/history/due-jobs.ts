import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db.ts'
import { dueInTurn } from '../due-in-turn.ts'
import { prepared } from '../prepared.ts'
import { storeNowPlus } from '../store-now.ts'

/** A table of jobs whose state is `due` until they end. A claim moves the next attempt to the end of a lease. */
interface JobTable {
  name: 'archive_jobs' | 'history_fills'
  id: 'run_id' | 'id'
}

/** The beginning of a statement that claims due jobs, in turns between organizations. Their rows are then in `claimed`. */
export const claimDueJobs = ({ name, id }: JobTable, options: { leaseMs: number; count: number }): RawBuilder<unknown> => sql`${prepared}
  with recursive ${dueInTurn(name, options)},
  claimed as (
    update ${sql.table(name)} as job
    set attempt_count = attempt_count + 1, lease_number = lease_number + 1, next_attempt_at = ${storeNowPlus(options.leaseMs)}
    from due where due.id = ${sql.ref(`job.${id}`)}
    returning job.*)`

/** Returns the ids of the jobs that are still held. */
export async function renewDueJobs(
  db: Db,
  { name, id }: JobTable,
  options: { leaseMs: number; items: { id: string; leaseNumber: number }[] },
  condition = sql`true`,
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`${prepared}
    update ${sql.table(name)} as job set next_attempt_at = ${storeNowPlus(options.leaseMs)}
    from unnest(${options.items.map((item) => item.id)}::text[], ${options.items.map(({ leaseNumber }) => leaseNumber)}::integer[])
      as held (id, lease_number)
    where ${sql.ref(`job.${id}`)} = held.id and job.lease_number = held.lease_number and job.state = 'due' and ${condition}
    returning held.id`.execute(db)
  return new Set(rows.map((row) => row.id))
}
