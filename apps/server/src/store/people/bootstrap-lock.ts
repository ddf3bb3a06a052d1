import { sql } from 'kysely'
import type { Tx } from '../db.ts'

/** Any number that nobody else uses; migrate.ts has another. */
const bootstrapLock = 7_246_051_114

/** Processes that start together take turns here, each until its transaction ends. */
export async function takeBootstrapLock(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(bootstrapLock)})`.execute(tx)
}
