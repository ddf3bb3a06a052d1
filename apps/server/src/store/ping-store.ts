import { sql } from 'kysely'
import type { Db } from './db.ts'

/** Throws if the store does not answer. */
export async function pingStore(db: Db): Promise<void> {
  await sql`select 1`.execute(db)
}
