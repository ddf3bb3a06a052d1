import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { Schema } from '../schema.ts'

/** False when the user is not a member of the organization (any more). open-session.ts says what the lock is for. */
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
    insert into api_keys (id, organization_id, user_id, name, prefix, key_hash, created_at)
    select ${key.id}::text, organization_id, user_id, ${key.name}::text, ${key.prefix}::text,
      ${key.key_hash}::bytea, ${key.created_at}::timestamptz
    from membership
    returning id
  `.execute(db)
  return rows.length === 1
}
