import type { Db } from '../db.ts'
import type { LinkPurpose } from '../../model/people.ts'

export async function insertLink(
  db: Db,
  link: { tokenHash: Uint8Array; purpose: LinkPurpose; userId: string; createdAt: Date; expiresAt: Date },
): Promise<void> {
  const { tokenHash, purpose, userId, createdAt, expiresAt } = link
  await db
    .insertInto('person_links')
    .values({ token_hash: tokenHash, purpose, user_id: userId, created_at: createdAt, expires_at: expiresAt })
    .execute()
}

export async function findLink(
  db: Db,
  options: { tokenHash: Uint8Array; purpose: LinkPurpose },
): Promise<{ userId: string; expiresAt: Date; usedAt: Date | null } | undefined> {
  return db
    .selectFrom('person_links')
    .select(['user_id as userId', 'expires_at as expiresAt', 'used_at as usedAt'])
    .where('token_hash', '=', options.tokenHash)
    .where('purpose', '=', options.purpose)
    .executeTakeFirst()
}

/** False if it was already used. */
export async function markLinkUsed(db: Db, options: { tokenHash: Uint8Array; usedAt: Date }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('person_links')
    .set({ used_at: options.usedAt })
    .where('token_hash', '=', options.tokenHash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Deletes links that were sent to a user and not used. */
export async function deleteUnusedLinks(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('person_links').where('user_id', '=', userId).where('used_at', 'is', null).execute()
}

export async function countLinks(
  db: Db,
  options: { userId: string; purpose: LinkPurpose; createdAfter: Date },
): Promise<number> {
  const { count } = await db
    .selectFrom('person_links')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('user_id', '=', options.userId)
    .where('purpose', '=', options.purpose)
    .where('created_at', '>', options.createdAfter)
    .executeTakeFirstOrThrow()
  return Number(count)
}
