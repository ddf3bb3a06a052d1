import { sql } from 'kysely'
import type { Db } from '../../src/store/db.ts'

/** Runs the work while a snapshot is open, as during a backup: until it ends, rows deleted since cannot be vacuumed. */
export async function withOpenSnapshot(db: Db, work: () => Promise<void>): Promise<void> {
  await db.connection().execute(async (reader) => {
    await sql`begin isolation level repeatable read`.execute(reader)
    await sql`select count(*) from organizations`.execute(reader)
    try {
      await work()
    } finally {
      await sql`rollback`.execute(reader)
    }
  })
}
