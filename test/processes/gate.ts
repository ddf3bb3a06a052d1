import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '@querypost/server/store'
import { until } from '../faults/until.ts'

/**
 * Blocks processes in the middle of their work so that they can be killed there: the statement that records the outcome waits in
 * PostgreSQL until the gate opens.
 */
export interface Gate {
  /** Blocks statements that record the completion of this work. */
  holdUp(table: 'runs' | 'agent_runs', column: 'query_id' | 'automation_id', id: string): Promise<void>
  /** Resolves when this many statements wait at the gate. */
  untilHeld(count: number): Promise<void>
  open(): Promise<void>
  /** For use after a restart of the server, which opens the gate: removes the triggers. */
  remove(db: Db): Promise<void>
}

const key = 77

export async function closeGate(db: Db, url: string): Promise<Gate> {
  const keeper = new pg.Client(url)
  keeper.on('error', () => {})
  await keeper.connect()
  await keeper.query(`select pg_advisory_lock(${key})`)
  await keeper.query(`
    create function stand_at_gate() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${key});
      return new;
    end $$`)
  return {
    async holdUp(table, column, id) {
      await keeper.query(`
        create trigger gate before update on ${table} for each row
        when (new.status = 'completed' and new.${column} = '${id}') execute function stand_at_gate()`)
    },
    untilHeld: (count) =>
      until(async () => {
        const { rows } = await sql`
          select from pg_locks where locktype = 'advisory' and objid = ${key} and not granted
            and database = (select oid from pg_database where datname = current_database())`.execute(db)
        return rows.length === count
      }),
    async open() {
      await keeper.query('drop function stand_at_gate() cascade')
      await keeper.end()
    },
    async remove(on) {
      await sql`drop function stand_at_gate() cascade`.execute(on)
    },
  }
}
