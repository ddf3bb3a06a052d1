import { sql } from 'kysely'
import type { Db } from '../db.ts'

export async function findUserByEmail(db: Db, email: string): Promise<{ id: string; passwordHash: string } | undefined> {
  // PostgreSQL cannot hold a NUL in text and fails on being asked for one, so nobody has such an e-mail.
  if (email.includes('\0')) return undefined
  return db
    .selectFrom('users')
    .select(['id', 'password_hash as passwordHash'])
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst()
}
