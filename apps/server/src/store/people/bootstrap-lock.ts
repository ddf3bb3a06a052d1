import { sql } from 'kysely'
import type { Tx } from '../db.ts'
import { locks } from '../locks.ts'

/** Serializes processes that start at the same time. Held until the transaction ends. */
export async function takeBootstrapLock(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(locks.bootstrap)})`.execute(tx)
}
