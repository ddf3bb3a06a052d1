import { sql } from 'kysely'
import type { Folder } from '../../model/folder.ts'
import type { Db, Tx } from '../db.ts'

/**
 * Locks the organization's folders until the transaction ends: whether a folder may be moved or deleted depends on others.
 */
export async function lockFolders(tx: Tx, organizationId: string): Promise<void> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
}

/** All folders of the organization, by name. There are at most a thousand. */
export async function listFolders(db: Db | Tx, organizationId: string): Promise<Folder[]> {
  const rows = await existingFolders(db).where('organization_id', '=', organizationId).orderBy('name').orderBy('id').execute()
  return rows.map(present)
}

export async function findFolder(
  db: Db | Tx,
  key: { organizationId: string; folderId: string },
): Promise<Folder | undefined> {
  const row = await existingFolders(db)
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.folderId)
    .executeTakeFirst()
  return row && present(row)
}

/** Whether the folder exists. It cannot be deleted until the transaction ends, so that nothing is put into a deleted folder. */
export async function lockFolderAgainstDeletion(
  tx: Tx,
  key: { organizationId: string; folderId: string },
): Promise<boolean> {
  const row = await existingFolders(tx)
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.folderId)
    .forShare()
    .executeTakeFirst()
  return row !== undefined
}

export async function insertFolder(
  tx: Tx,
  folder: { id: string; organizationId: string; name: string; parentId: string | null; createdBy: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('folders')
    .values({
      id: folder.id,
      organization_id: folder.organizationId,
      name: folder.name,
      parent_id: folder.parentId,
      version: 1,
      created_by: folder.createdBy,
      created_at: folder.now,
      updated_at: folder.now,
    })
    .execute()
  await keepVersion(tx, folder.id)
}

/** `updatedAt` never goes backwards, even if the clock does. */
export async function updateFolder(
  tx: Tx,
  change: { id: string; name: string; parentId: string | null; now: Date },
): Promise<void> {
  await tx
    .updateTable('folders')
    .set({
      name: change.name,
      parent_id: change.parentId,
      version: sql`version + 1`,
      updated_at: sql<Date>`greatest(updated_at, ${change.now})`,
    })
    .where('id', '=', change.id)
    .execute()
  await keepVersion(tx, change.id)
}

export async function markFolderDeleted(tx: Tx, change: { id: string; now: Date }): Promise<void> {
  await tx
    .updateTable('folders')
    .set({ deleted_at: change.now, version: sql`version + 1`, updated_at: sql<Date>`greatest(updated_at, ${change.now})` })
    .where('id', '=', change.id)
    .execute()
  await keepVersion(tx, change.id)
}

/** Whether a folder, board or query that is not deleted is in it. */
export async function isFolderInUse(tx: Tx, folderId: string): Promise<boolean> {
  const { rows } = await sql<{ isInUse: boolean }>`
    select exists (select from folders where parent_id = ${folderId} and deleted_at is null)
      or exists (select from boards where folder_id = ${folderId} and deleted_at is null)
      or exists (select from query_references where folder_id = ${folderId} and deleted_at is null) as "isInUse"`.execute(tx)
  return rows[0]!.isInUse
}

async function keepVersion(tx: Tx, folderId: string): Promise<void> {
  await sql`
    insert into folder_versions (folder_id, number, name, parent_id, is_deletion, changed_at)
    select id, version, name, parent_id, deleted_at is not null, updated_at from folders where id = ${folderId}`.execute(tx)
}

const existingFolders = (db: Db | Tx) =>
  db.selectFrom('folders').select(['id', 'name', 'parent_id', 'created_at', 'updated_at']).where('deleted_at', 'is', null)

type FolderRow = Awaited<ReturnType<ReturnType<typeof existingFolders>['execute']>>[number]

const present = (row: FolderRow): Folder => ({
  id: row.id,
  name: row.name,
  parentId: row.parent_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
