import type { Caller } from '../../model/caller.ts'
import type { FileDatabase } from '../../model/database.ts'
import type { Db } from '../../store/db.ts'
import { requireTableChanges, requireUploads } from '../access/require-upload.ts'
import { getDatabaseConfig, requireImportable } from './get-database-config.ts'
import { isOnServer } from './is-on-server.ts'

/** A database whose tables the caller may change. */
export async function getWritableDatabase(deps: { db: Db }, caller: Caller, configId: string): Promise<FileDatabase> {
  await requireUploads(deps.db, caller)
  const database = await getDatabaseConfig(deps, caller, configId)
  requireTableChanges(caller, isOnServer(database) ? {} : database.settings)
  return requireImportable(database)
}
