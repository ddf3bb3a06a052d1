import { sql } from 'kysely'
import type { Db } from '../../src/store/db.ts'

/** Works beside a held snapshot, as during a backup: until it is over, nothing that was removed since it began can be cleared away. */
export async function besideSnapshot(db: Db, work: () => Promise<void>): Promise<void> {
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
