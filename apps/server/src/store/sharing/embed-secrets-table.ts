import { sql } from 'kysely'
import type { EmbedSecret } from '../../model/sharing/embedding.ts'
import type { Db, Tx } from '../db.ts'
import { storeNow } from '../store-now.ts'

export async function insertEmbedSecret(
  tx: Tx,
  secret: { id: string; organizationId: string; name: string; sealedSecret: Uint8Array; createdBy: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('embed_secrets')
    .values({
      id: secret.id,
      organization_id: secret.organizationId,
      name: secret.name,
      sealed_secret: secret.sealedSecret,
      created_by: secret.createdBy,
      created_at: secret.now,
    })
    .execute()
}

/** Newest first, without those whose overlap has ended. */
export async function readEmbedSecrets(db: Db | Tx, organizationId: string): Promise<EmbedSecret[]> {
  const rows = await db
    .selectFrom('embed_secrets as secret')
    .innerJoin('users', 'users.id', 'secret.created_by')
    .select(['secret.id', 'secret.name', 'secret.created_at', 'secret.last_used_at', 'secret.expires_at'])
    .select(['users.id as user_id', 'users.name as user_name'])
    .where('organization_id', '=', organizationId)
    .where((each) => each.or([each('expires_at', 'is', null), each('expires_at', '>', storeNow)]))
    .orderBy('secret.created_at', 'desc')
    .orderBy('secret.id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdBy: { id: row.user_id, name: row.user_name },
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
  }))
}

/** Ends a secret at a time; undefined if there is none that is still valid without end. */
export async function expireEmbedSecret(
  tx: Tx,
  key: { organizationId: string; id: string; expiresAt: Date },
): Promise<{ name: string } | undefined> {
  return tx
    .updateTable('embed_secrets')
    .set({ expires_at: key.expiresAt })
    .where('id', '=', key.id)
    .where('organization_id', '=', key.organizationId)
    .where('expires_at', 'is', null)
    .returning('name')
    .executeTakeFirst()
}

export async function deleteEmbedSecret(
  tx: Tx,
  key: { organizationId: string; id: string },
): Promise<{ name: string } | undefined> {
  return tx
    .deleteFrom('embed_secrets')
    .where('id', '=', key.id)
    .where('organization_id', '=', key.organizationId)
    .returning('name')
    .executeTakeFirst()
}

export interface ValidEmbedSecret {
  id: string
  organizationId: string
  sealedSecret: Uint8Array
  /** The origins that may embed the organization's items. */
  origins: string[]
}

/** The secret with this id, unless its overlap has ended. */
export async function findEmbedSecret(db: Db, id: string): Promise<ValidEmbedSecret | undefined> {
  const row = await db
    .selectFrom('embed_secrets as secret')
    .innerJoin('organizations', 'organizations.id', 'secret.organization_id')
    .select(['secret.id', 'secret.organization_id', 'secret.sealed_secret', 'organizations.embed_origins'])
    .where('secret.id', '=', id)
    .where((each) => each.or([each('expires_at', 'is', null), each('expires_at', '>', storeNow)]))
    .executeTakeFirst()
  return row && { id: row.id, organizationId: row.organization_id, sealedSecret: row.sealed_secret, origins: row.embed_origins ?? [] }
}

/** At most one write a minute for each secret. */
export async function recordEmbedUse(db: Db, { id, now }: { id: string; now: Date }): Promise<void> {
  await sql`
    update embed_secrets set last_used_at = ${now}
    where id = ${id} and (last_used_at is null or last_used_at < ${now}::timestamptz - interval '1 minute')`.execute(db)
}
