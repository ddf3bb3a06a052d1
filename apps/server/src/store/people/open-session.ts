import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { Role, SignInMethod } from '../../model/people.ts'

export interface NewSession {
  tokenHash: Uint8Array
  userId: string
  /** Defaults to the organization the user joined first. */
  organizationId?: string | undefined
  userAgent?: string | null
  method: SignInMethod
  createdAt: Date
  expiresAt: Date
}

/**
 * Opens a session in one of the user's organizations; undefined if there is none. The lock waits for a concurrent removal of the
 * member, so that the insert never violates the foreign key.
 */
export async function openSession(
  db: Db,
  session: NewSession,
): Promise<{ organizationId: string; role: Role } | undefined> {
  const { rows } = await sql<{ organizationId: string; role: Role }>`
    with membership as (
      select organization_id, role from memberships
      where user_id = ${session.userId}
        and organization_id = coalesce(${session.organizationId ?? null}::text, organization_id)
      order by created_at, organization_id
      limit 1
      for key share
    ), opened as (
      insert into sessions (token_hash, user_id, organization_id, user_agent, method, created_at, expires_at)
      select ${session.tokenHash}::bytea, ${session.userId}::text, organization_id, ${session.userAgent ?? null}::text,
        ${session.method}::text, ${session.createdAt}::timestamptz, ${session.expiresAt}::timestamptz
      from membership
    )
    select organization_id as "organizationId", role from membership
  `.execute(db)
  return rows[0]
}
