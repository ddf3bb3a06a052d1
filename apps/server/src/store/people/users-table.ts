import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'

/** Undefined fields are kept. */
export async function changeUser(
  db: Db,
  userId: string,
  change: { name?: string; email?: string; passwordHash?: string },
): Promise<void> {
  const { name, email, passwordHash } = change
  await db
    .updateTable('users')
    .set({
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
    })
    .where('id', '=', userId)
    .execute()
}

/** A user's organizations, in the order they were joined. */
export async function readOrganizationsOf(
  db: Db,
  userId: string,
): Promise<{ id: string; name: string; role: 'admin' | 'member' }[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select(['organizations.id', 'organizations.name', 'memberships.role'])
    .where('memberships.user_id', '=', userId)
    .orderBy('memberships.created_at')
    .orderBy('organizations.id')
    .execute()
}

export async function isEmailTaken(db: Db, options: { email: string; userId: string }): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where(sql<boolean>`lower(email) = lower(${options.email})`)
    .where('id', '!=', options.userId)
    .executeTakeFirst()
  return row !== undefined
}

/** False if the address already belongs to a user. */
export async function insertUser(
  tx: Tx,
  user: { id: string; email: string; name: string; passwordHash: string | null; now: Date },
): Promise<boolean> {
  const { id, email, name, passwordHash, now } = user
  const inserted = await tx
    .insertInto('users')
    .values({ id, email, name, password_hash: passwordHash, created_at: now })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}
