import { sql } from 'kysely'
import type { Db } from '../../src/store/db.ts'

/**
 * For tests of races on a server: resolves when `count` of the database's connections wait for a lock, or when `isOver` returns true
 * because nothing is left that could wait.
 */
export async function untilWaiting(db: Db, count: number, isOver = () => false): Promise<void> {
  while (!isOver()) {
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
    `.execute(db)
    if (rows[0]!.waiting >= count) return
  }
}
