import { sql } from 'kysely'
import { hasAccessRules } from '../access/read-access-rules.ts'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import type { Role } from '../../model/people.ts'

export interface SessionCaller {
  organizationId: string
  userId: string
  role: Role
  /** Whether the organization restricts who may see what. */
  hasAccessRules: boolean
  /** The admin who views the pages as this member. */
  viewedBy: string | null
}

/** The callers behind sessions with these token hashes (hex). The role is the member's current one, not the one at sign-in. */
export async function readSessionCallers(
  db: Db,
  options: { tokenHashes: string[]; now: Date },
): Promise<Map<string, SessionCaller>> {
  const { rows } = await sql<SessionCaller & { hash: string }>`${prepared}
    select encode(sessions.token_hash, 'hex') as hash, memberships.organization_id as "organizationId",
      coalesce(viewed.user_id, memberships.user_id) as "userId", coalesce(viewed.role, memberships.role) as role,
      viewed.user_id is not null or ${hasAccessRules('memberships.organization_id')} as "hasAccessRules",
      case when viewed.user_id is not null then memberships.user_id end as "viewedBy"
    from sessions join memberships using (organization_id, user_id)
    left join memberships as viewed
      on viewed.organization_id = sessions.organization_id and viewed.user_id = sessions.viewed_user_id and memberships.role = 'admin'
    where sessions.token_hash = any(${options.tokenHashes.map((hash) => Buffer.from(hash, 'hex'))}::bytea[])
      and sessions.expires_at > ${options.now}
  `.execute(db)
  return new Map(rows.map(({ hash, ...member }) => [hash, member]))
}
