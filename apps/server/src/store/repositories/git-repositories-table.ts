import type { GitRepository, KnownFiles } from '../../model/git-repository.ts'
import type { Db, Tx } from '../db.ts'
import { storeNow } from '../store-now.ts'

export async function insertRepository(
  tx: Tx,
  repository: { id: string; organizationId: string; name: string; url: string; sealedSecret: Uint8Array; createdBy: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('git_repositories')
    .values({
      id: repository.id,
      organization_id: repository.organizationId,
      name: repository.name,
      url: repository.url,
      sealed_secret: repository.sealedSecret,
      known: JSON.stringify({}),
      created_by: repository.createdBy,
      created_at: repository.now,
    })
    .execute()
}

/** Newest first. */
export async function listRepositories(db: Db | Tx, organizationId: string): Promise<GitRepository[]> {
  const rows = await db
    .selectFrom('git_repositories as repository')
    .innerJoin('users', 'users.id', 'repository.created_by')
    .select(['repository.id', 'repository.name', 'url', 'repository.created_at', 'last_pushed_at', 'previous_secret_until'])
    .select(['users.id as user_id', 'users.name as user_name'])
    .where('organization_id', '=', organizationId)
    .orderBy('repository.created_at', 'desc')
    .orderBy('repository.id', 'desc')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    url: row.url,
    createdBy: { id: row.user_id, name: row.user_name },
    createdAt: row.created_at,
    lastPushedAt: row.last_pushed_at,
    previousSecretUntil: row.previous_secret_until,
  }))
}

interface RepositoryKey {
  organizationId: string
  id: string
}

/** The current secret becomes the previous one. Undefined if there is no such repository. */
export async function replaceRepositorySecret(
  tx: Tx,
  change: RepositoryKey & { sealedSecret: Uint8Array; previousUntil: Date },
): Promise<{ name: string } | undefined> {
  return tx
    .updateTable('git_repositories')
    .set((set) => ({
      sealed_previous_secret: set.ref('sealed_secret'),
      previous_secret_until: change.previousUntil,
      sealed_secret: change.sealedSecret,
    }))
    .where('id', '=', change.id)
    .where('organization_id', '=', change.organizationId)
    .returning('name')
    .executeTakeFirst()
}

export async function deleteRepository(tx: Tx, key: RepositoryKey): Promise<{ name: string } | undefined> {
  return tx
    .deleteFrom('git_repositories')
    .where('id', '=', key.id)
    .where('organization_id', '=', key.organizationId)
    .returning('name')
    .executeTakeFirst()
}

export interface RepositoryAccess {
  organizationId: string
  createdBy: string
  url: string
  /** The current one, and the previous one until its overlap ends. */
  sealedSecrets: Uint8Array[]
}

/** For a request whose sender is not known yet. */
export async function findRepositoryAccess(db: Db, id: string): Promise<RepositoryAccess | undefined> {
  const row = await db
    .selectFrom('git_repositories')
    .select(['organization_id', 'created_by', 'url', 'sealed_secret', 'sealed_previous_secret'])
    .select((select) => select('previous_secret_until', '>', storeNow).as('is_previous_valid'))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const previous = row.is_previous_valid && row.sealed_previous_secret ? [row.sealed_previous_secret] : []
  return { organizationId: row.organization_id, createdBy: row.created_by, url: row.url, sealedSecrets: [row.sealed_secret, ...previous] }
}

/** Locks the repository until the transaction ends, so that its pushes are applied one after the other. */
export async function lockRepository(tx: Tx, key: RepositoryKey): Promise<{ known: KnownFiles; lastSignedAt: Date | null } | undefined> {
  const row = await tx
    .selectFrom('git_repositories')
    .select(['known', 'last_signed_at'])
    .where('id', '=', key.id)
    .where('organization_id', '=', key.organizationId)
    .forUpdate()
    .executeTakeFirst()
  return row && { known: row.known, lastSignedAt: row.last_signed_at }
}

export async function recordPush(tx: Tx, push: { id: string; known: KnownFiles; signedAt: Date; now: Date }): Promise<void> {
  await tx
    .updateTable('git_repositories')
    .set({ known: JSON.stringify(push.known), last_signed_at: push.signedAt, last_pushed_at: push.now })
    .where('id', '=', push.id)
    .execute()
}
