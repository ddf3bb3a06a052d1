import { sql } from 'kysely'
import type { Db } from '../db.ts'

/**
 * Records when these keys were last used, never going backwards. Skips rows locked by another process, which is writing the same
 * minute; waiting for each other's rows in different orders could deadlock.
 */
export async function recordKeyUse(db: Db, use: { keyIds: string[]; usedAt: Date }): Promise<void> {
  await sql`
    with used as (
      select id from api_keys
      where id = any(${use.keyIds}::text[]) and (last_used_at is null or last_used_at < ${use.usedAt})
      for no key update skip locked
    )
    update api_keys set last_used_at = ${use.usedAt} from used where api_keys.id = used.id
  `.execute(db)
}
