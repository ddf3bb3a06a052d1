import { sql } from 'kysely'
import { hasAccessRules } from '../access/read-access-rules.ts'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { type Scope, scopesBeforeScopes } from '../../model/api-key-scope.ts'
import type { ApiKeyLimits, Role } from '../../model/people.ts'
import { fixedStatement } from '../fixed-statement.ts'
import { groupIdsOfKey } from './group-ids-of-key.ts'
import { storeNow } from '../store-now.ts'

export interface KeyCaller extends ApiKeyLimits {
  keyId: string
  keyName: string
  organizationId: string
  userId: string
  role: Role
  isExpired: boolean
  /** False for a key without scopes of its own, which has `scopesBeforeScopes`. */
  hasChosenScopes: boolean
  /** Whether the organization restricts who may see what. */
  hasAccessRules: boolean
}

/** The callers behind keys with these hashes (hex). Revoked keys and keys of former members are not found. */
export async function readKeyCallers(db: Db, keyHashes: string[]): Promise<Map<string, KeyCaller>> {
  const { rows } = await statement(
    db,
    keyHashes.map((hash) => Buffer.from(hash, 'hex')),
  )
  return new Map(
    rows.map(({ hash, scopes, ...caller }) => [
      hash,
      { ...caller, scopes: [...(scopes ?? scopesBeforeScopes)], hasChosenScopes: scopes !== null },
    ]),
  )
}

type Row = Omit<KeyCaller, 'scopes' | 'hasChosenScopes'> & { hash: string; scopes: Scope[] | null }

const statement = fixedStatement(
  (_db, keyHashes: Buffer[]) => sql<Row>`${prepared}
    select encode(api_keys.key_hash, 'hex') as hash, api_keys.id as "keyId", api_keys.name as "keyName",
      memberships.organization_id as "organizationId", memberships.user_id as "userId", memberships.role,
      api_keys.scopes, api_keys.expires_at as "expiresAt", api_keys.allowed_networks as "allowedNetworks",
      ${groupIdsOfKey} as "groupIds",
      coalesce(api_keys.expires_at <= ${storeNow}, false) as "isExpired",
      (api_keys.group_ids is not null or ${hasAccessRules('memberships.organization_id')}) as "hasAccessRules"
    from api_keys join memberships using (organization_id, user_id)
    where api_keys.key_hash = any(${keyHashes}::bytea[]) and api_keys.revoked_at is null`,
)
