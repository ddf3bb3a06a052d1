import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import type { PendingImport } from '../../model/database.ts'

export interface DatabaseWithImport {
  organizationId: string
  /** The database's file. */
  file: string
  pending: PendingImport
}

/** Sets it on all databases backed by the file, in the transaction that records the import. */
export async function setPendingImport(
  tx: Tx,
  on: { organizationId: string; file: string; pending: PendingImport },
): Promise<void> {
  await updateBackedBy(tx, on).set({ pending_import: JSON.stringify(on.pending) }).execute()
}

/** Does not clear a later import. */
export async function clearPendingImport(db: Db | Tx, { organizationId, file, pending }: DatabaseWithImport): Promise<void> {
  await updateBackedBy(db, { organizationId, file })
    .where(sql<boolean>`pending_import ->> 'file' = ${pending.file}`)
    .set({ pending_import: null })
    .execute()
}

/** For one file, or for all. */
export async function readPendingImports(
  db: Db | Tx,
  on?: { organizationId: string; file: string },
): Promise<DatabaseWithImport[]> {
  const rows = await db
    .selectFrom('analytical_database_configs')
    .select(['organization_id', sql<string>`settings ->> 'file'`.as('file'), 'pending_import'])
    .where('deleted_at', 'is', null)
    .where('pending_import', 'is not', null)
    .$if(on !== undefined, (some) =>
      some.where('organization_id', '=', on!.organizationId).where(sql<boolean>`settings ->> 'file' = ${on!.file}`),
    )
    .distinct()
    .execute()
  return rows.map((row) => ({ organizationId: row.organization_id, file: row.file, pending: row.pending_import! }))
}

const updateBackedBy = (db: Db | Tx, { organizationId, file }: { organizationId: string; file: string }) =>
  db
    .updateTable('analytical_database_configs')
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`settings ->> 'file' = ${file}`)
