import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { FileDatabase, PendingImport } from '../../model/database.ts'
import type { Log } from '../../ports/log.ts'
import { lockDatabasesOnFile, recordDatabaseFacts } from '../../store/databases/databases-table.ts'
import {
  clearPendingImport,
  type DatabaseWithImport,
  readPendingImports,
  setPendingImport,
} from '../../store/databases/pending-imports-table.ts'
import type { Db, Tx } from '../../store/db.ts'
import { noDatabase } from './get-database-config.ts'
import { changedConcurrently } from './import-refusals.ts'
import { applyPendingImport, settleImportsOn, stateOf } from './pending-imports.ts'

export interface ReplaceDeps {
  db: Db
  log: Log
  dataDirectory: string
}

export interface FileReplacement {
  database: FileDatabase
  file: string
  /** The new version of the file, complete and on disk. */
  ready: string
  before: string
  signal: AbortSignal
  /** If it may have changed. */
  tableCount?: number
  /** Writes in the transaction that makes the replacement final. */
  record(tx: Tx): Promise<void>
}

/** Commits to the store first, then replaces the file: wherever the process dies, the next one can finish or discard the import. */
export async function replaceDatabaseFile(deps: ReplaceDeps, replacement: FileReplacement): Promise<void> {
  const { database, ready, before } = replacement
  const { organizationId, settings } = database
  const pending = { file: path.basename(ready), before }
  const imported = { organizationId, file: settings.file, pending }
  try {
    await commit(deps, replacement, pending)
  } catch (error) {
    // The connection may be lost after the commit but before its response: then the import counts.
    const isCommitted = await isPending(deps, imported).catch(() => 'unknown' as const)
    // If it is unknown, the next start finds out.
    if (isCommitted === false) await rm(ready, { force: true })
    if (isCommitted !== true) throw error
  }
  await applyPendingImport(deps, imported)
  await clearPendingImport(deps.db, imported).catch((error: unknown) => {
    deps.log.warn({ err: error, databaseId: database.id }, 'clearing a pending import failed')
  })
}

/** Runs under the lock of the file's databases, so that the second of two processes sees what the first has done. */
async function commit(deps: ReplaceDeps, replacement: FileReplacement, pending: PendingImport): Promise<void> {
  const { database, file, before, signal, tableCount, record } = replacement
  const { organizationId } = database
  const on = { organizationId, file: database.settings.file }
  await deps.db.transaction().execute(async (tx) => {
    const existing = await lockDatabasesOnFile(tx, on)
    if (!existing.some(({ id }) => id === database.id)) throw noDatabase(database.id)
    await settleImportsOn({ ...deps, tx }, on)
    if ((await stateOf(file)) !== before) throw changedConcurrently()
    if (tableCount !== undefined) {
      for (const { id } of existing) await recordDatabaseFacts(tx, { organizationId, configId: id }, { tableCount })
    }
    await setPendingImport(tx, { ...on, pending })
    await record(tx)
    signal.throwIfAborted()
  })
}

async function isPending(deps: ReplaceDeps, { pending, ...on }: DatabaseWithImport): Promise<boolean> {
  return (await readPendingImports(deps.db, on)).some((found) => found.pending.file === pending.file)
}
