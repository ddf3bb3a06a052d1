import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import type { Role } from '../../model/people.ts'

/** The callers behind sessions with these token hashes (hex). The role is the member's current one, not the one at sign-in. */
export async function readSessionCallers(
  db: Db,
  options: { tokenHashes: string[]; now: Date },
): Promise<Map<string, { organizationId: string; userId: string; role: Role }>> {
  const { rows } = await sql<{ hash: string; organizationId: string; userId: string; role: Role }>`${prepared}
    select encode(sessions.token_hash, 'hex') as hash, memberships.organization_id as "organizationId",
      memberships.user_id as "userId", memberships.role
    from sessions join memberships using (organization_id, user_id)
    where sessions.token_hash = any(${options.tokenHashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[])
      and sessions.expires_at > ${options.now}
  `.execute(db)
  return new Map(rows.map(({ hash, ...member }) => [hash, member]))
}
