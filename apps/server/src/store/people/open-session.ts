import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { Role } from '../schema.ts'

/**
 * Opens a session in the organization the user joined first; undefined when the user is in none. The lock waits for a
 * removal that is under way, so that the foreign key never has to refuse the session of a member just removed.
 */
export async function openSession(
  db: Db,
  session: { tokenHash: Uint8Array; userId: string; createdAt: Date; expiresAt: Date },
): Promise<{ organizationId: string; role: Role } | undefined> {
  const { rows } = await sql<{ organizationId: string; role: Role }>`
    with membership as (
      select organization_id, role from memberships
      where user_id = ${session.userId}
      order by created_at, organization_id
      limit 1
      for key share
    ), opened as (
      insert into sessions (token_hash, user_id, organization_id, created_at, expires_at)
      select ${session.tokenHash}::bytea, ${session.userId}::text, organization_id,
        ${session.createdAt}::timestamptz, ${session.expiresAt}::timestamptz
      from membership
    )
    select organization_id as "organizationId", role from membership
  `.execute(db)
  return rows[0]
}
