import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Each removes one portion and returns the number of rows. Rows locked by another process are skipped. */
export async function removeExpiredSessions(db: Db, options: { now: Date; portion: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sessions where token_hash = any (array(
      select token_hash from sessions where expires_at <= ${options.now}
      limit ${options.portion}
      for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

export async function removeOldLinks(db: Db, options: { expiredBefore: Date; portion: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from person_links where token_hash = any (array(
      select token_hash from person_links where expires_at < ${options.expiredBefore}
      limit ${options.portion}
      for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

export async function removeOldInvitations(db: Db, options: { expiredBefore: Date; portion: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from invitations where id = any (array(
      select id from invitations where expires_at < ${options.expiredBefore}
      limit ${options.portion}
      for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
