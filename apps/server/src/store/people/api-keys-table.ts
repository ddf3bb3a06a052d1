import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import type { Schema } from '../schema.ts'
import { scopesBeforeScopes } from '../../model/api-key-scope.ts'
import { groupIdsOfKey } from './group-ids-of-key.ts'
import type { ApiKeyLimits, Role } from '../../model/people.ts'

/** False if the user is not a member of the organization. See open-session.ts for the purpose of the lock. */
export async function insertApiKey(
  db: Db,
  key: Omit<Schema['api_keys'], 'last_used_at' | 'revoked_at'>,
): Promise<boolean> {
  const { rows } = await sql`
    with membership as (
      select organization_id, user_id from memberships
      where organization_id = ${key.organization_id} and user_id = ${key.user_id}
      for key share
    )
    insert into api_keys (id, organization_id, user_id, name, prefix, key_hash, created_at, scopes, expires_at, allowed_networks, group_ids)
    select ${key.id}::text, organization_id, user_id, ${key.name}::text, ${key.prefix}::text,
      ${key.key_hash}::bytea, ${key.created_at}::timestamptz, ${key.scopes}::text[], ${key.expires_at}::timestamptz,
      ${key.allowed_networks}::text[], ${key.group_ids}::text[]
    from membership
    returning id
  `.execute(db)
  return rows.length === 1
}

export interface StoredApiKey extends ApiKeyLimits {
  id: string
  name: string
  prefix: string
  createdAt: Date
  lastUsedAt: Date | null
  user: { id: string; email: string; name: string }
}

/** All keys of an organization, or only those of one member. */
interface KeyHolders {
  organizationId: string
  userId?: string
}

/** Newest first, without revoked keys. */
export async function readApiKeys(db: Db, { organizationId, userId }: KeyHolders): Promise<StoredApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.id', 'api_keys.name', 'api_keys.prefix', 'api_keys.created_at', 'api_keys.last_used_at'])
    .select(['api_keys.scopes', 'api_keys.expires_at', 'api_keys.allowed_networks'])
    .select(groupIdsOfKey.as('group_ids'))
    .select(['users.id as user_id', 'users.email as user_email', 'users.name as user_name'])
    .where('api_keys.organization_id', '=', organizationId)
    .where('api_keys.revoked_at', 'is', null)
    .$if(userId !== undefined, (keys) => keys.where('api_keys.user_id', '=', userId!))
    .orderBy('api_keys.created_at', 'desc')
    .orderBy('api_keys.id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    scopes: [...(row.scopes ?? scopesBeforeScopes)],
    expiresAt: row.expires_at,
    allowedNetworks: row.allowed_networks,
    groupIds: row.group_ids,
    user: { id: row.user_id, email: row.user_email, name: row.user_name },
  }))
}

export interface ApiKeyForChange extends Pick<StoredApiKey, 'id' | 'name' | 'groupIds'> {
  user: { id: string; role: Role }
}

/** Locks the key, so that changes follow each other. */
export async function findApiKeyForChange(
  tx: Tx,
  { id, organizationId, userId }: KeyHolders & { id: string },
): Promise<ApiKeyForChange | undefined> {
  const row = await tx
    .selectFrom('api_keys')
    .innerJoin('memberships', (join) =>
      join.onRef('memberships.user_id', '=', 'api_keys.user_id').onRef('memberships.organization_id', '=', 'api_keys.organization_id'),
    )
    .select(['api_keys.id', 'api_keys.name', 'api_keys.user_id', 'memberships.role', groupIdsOfKey.as('group_ids')])
    .where('api_keys.id', '=', id)
    .where('api_keys.organization_id', '=', organizationId)
    .where('api_keys.revoked_at', 'is', null)
    .$if(userId !== undefined, (keys) => keys.where('api_keys.user_id', '=', userId!))
    .forUpdate('api_keys')
    .executeTakeFirst()
  return row && { id: row.id, name: row.name, groupIds: row.group_ids, user: { id: row.user_id, role: row.role } }
}

export async function changeApiKey(tx: Tx, key: { id: string; name: string; groupIds: string[] | null }): Promise<void> {
  await tx.updateTable('api_keys').set({ name: key.name, group_ids: key.groupIds }).where('id', '=', key.id).execute()
}

/** The revoked key, or undefined if there was none. */
export async function markApiKeyRevoked(
  tx: Tx,
  { id, now, organizationId, userId }: KeyHolders & { id: string; now: Date },
): Promise<{ name: string; prefix: string; userId: string; email: string } | undefined> {
  return tx
    .updateTable('api_keys')
    .from('users')
    .set({ revoked_at: now })
    .where('api_keys.id', '=', id)
    .whereRef('users.id', '=', 'api_keys.user_id')
    .where('organization_id', '=', organizationId)
    .where('revoked_at', 'is', null)
    .$if(userId !== undefined, (keys) => keys.where('user_id', '=', userId!))
    .returning(['api_keys.name', 'prefix', 'user_id as userId', 'users.email'])
    .executeTakeFirst()
}
