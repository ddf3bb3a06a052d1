import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { Role, SignInMethod } from '../../model/people.ts'

export interface SessionRow {
  tokenHash: Uint8Array
  userAgent: string | null
  createdAt: Date
  lastSeenAt: Date
  organizationName: string
}

/** A user's sessions in all organizations, most recently seen first. */
export async function readSessionsOf(db: Db, options: { userId: string; now: Date }): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .innerJoin('organizations', 'organizations.id', 'sessions.organization_id')
    .select(['token_hash as tokenHash', 'user_agent as userAgent', 'sessions.created_at as createdAt'])
    .select((eb) => eb.fn.coalesce('last_seen_at', 'sessions.created_at').as('lastSeenAt'))
    .select('organizations.name as organizationName')
    .where('user_id', '=', options.userId)
    .where('expires_at', '>', options.now)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('token_hash')
    .execute()
}

/** Returns the session's user and organization; undefined if there was no such session. */
export async function deleteSession(
  db: Db,
  tokenHash: Uint8Array,
): Promise<{ organizationId: string; userId: string } | undefined> {
  return db
    .deleteFrom('sessions')
    .where('token_hash', '=', tokenHash)
    .returning(['organization_id as organizationId', 'user_id as userId'])
    .executeTakeFirst()
}

/** Ends a user's sessions, except the given one. */
export async function deleteSessionsOf(
  db: Db,
  options: { userId: string; exceptTokenHash?: Uint8Array },
): Promise<void> {
  const { userId, exceptTokenHash } = options
  const sessions = db.deleteFrom('sessions').where('user_id', '=', userId)
  await (exceptTokenHash ? sessions.where('token_hash', '!=', exceptTokenHash) : sessions).execute()
}

/** Null for a session of an earlier version; undefined if there is no such session. */
export async function findSessionMethod(db: Db, tokenHash: Uint8Array): Promise<SignInMethod | null | undefined> {
  const row = await db.selectFrom('sessions').select('method').where('token_hash', '=', tokenHash).executeTakeFirst()
  return row?.method
}

/**
 * Moves a session to another of the user's organizations; undefined if the user is not a member there. See open-session.ts for the
 * purpose of the lock.
 */
export async function moveSession(
  db: Db,
  options: { tokenHash: Uint8Array; userId: string; organizationId: string },
): Promise<{ role: Role } | undefined> {
  const { rows } = await sql<{ role: Role }>`
    with membership as (
      select organization_id, user_id, role from memberships
      where organization_id = ${options.organizationId} and user_id = ${options.userId}
      for key share
    )
    update sessions set organization_id = membership.organization_id
    from membership
    where sessions.token_hash = ${options.tokenHash} and sessions.user_id = membership.user_id
    returning membership.role
  `.execute(db)
  return rows[0]
}

/** Null: the session is the person's own again. */
export async function setViewedMember(db: Db, options: { tokenHash: Uint8Array; userId: string | null }): Promise<void> {
  await db.updateTable('sessions').set({ viewed_user_id: options.userId }).where('token_hash', '=', options.tokenHash).execute()
}
