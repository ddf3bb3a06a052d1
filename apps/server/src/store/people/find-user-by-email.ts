import { sql } from 'kysely'
import type { Db } from '../db.ts'

export interface FoundUser {
  id: string
  email: string
  name: string
  /** Null if the user signs in only through the OIDC provider. */
  passwordHash: string | null
}

export async function findUserByEmail(db: Db, email: string): Promise<FoundUser | undefined> {
  // PostgreSQL cannot store NUL in text and fails when searching for it, so no user has such an e-mail.
  if (email.includes('\0')) return undefined
  return db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'password_hash as passwordHash'])
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .executeTakeFirst()
}

export async function findUser(db: Db, userId: string): Promise<FoundUser | undefined> {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'name', 'password_hash as passwordHash'])
    .where('id', '=', userId)
    .executeTakeFirst()
}
