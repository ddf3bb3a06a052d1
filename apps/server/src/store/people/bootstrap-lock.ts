import { sql } from 'kysely'
import type { Tx } from '../db.ts'
import { locks } from '../locks.ts'

/** Processes that start together take turns here, each until its transaction ends. */
export async function takeBootstrapLock(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(locks.bootstrap)})`.execute(tx)
}
