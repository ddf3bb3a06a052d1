import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Records when the sessions with these token hashes (hex) were last seen. See record-key-use.ts for why locked rows are skipped. */
export async function recordSessionUse(db: Db, use: { tokenHashes: string[]; usedAt: Date }): Promise<void> {
  await sql`
    with seen as (
      select token_hash from sessions
      where token_hash = any(${use.tokenHashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[])
        and (last_seen_at is null or last_seen_at < ${use.usedAt})
      for no key update skip locked
    )
    update sessions set last_seen_at = ${use.usedAt} from seen where sessions.token_hash = seen.token_hash
  `.execute(db)
}
