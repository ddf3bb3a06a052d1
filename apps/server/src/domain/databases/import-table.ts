/**
 * Imports an uploaded file into a DuckDB database as a table.
 *
 * The database file itself is never modified. The table is created in a copy, which then replaces the file in one step
 * (`replace-database-file.ts`): queries already running finish on the old file, later ones see the new table, and an import that fails or
 * is canceled changes nothing. Imports into the same file run one after the other. If another process or the operator has changed
 * the file in the meantime, the copy is discarded.
 */
import { constants, copyFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { type FileFormat, type Imported, importFile } from '../../engines/duckdb/import/import-file.ts'
import type { Table } from '../../engines/engine.ts'
import { abortAfter } from '../../ports/clock.ts'
import type { KeyedSemaphore } from '../../ports/semaphore.ts'
import type { FileDatabase } from '../../model/database.ts'
import { recordAction } from '../audit/record-action.ts'
import { newId } from '../ids.ts'
import { requireAdmin } from '../access/require-admin.ts'
import type { Caller } from '../../model/caller.ts'
import type { AddDatabaseDeps } from './add-database.ts'
import { describeDatabase } from './databases.ts'
import { databaseFile } from './engines.ts'
import type { ImportLimits } from './import-limits.ts'
import { asRefusal, checkTableName, refuseIfExists, tookTooLong } from './import-refusals.ts'
import { pendingSuffix, stateOf, syncToDisk } from './pending-imports.ts'
import { replaceDatabaseFile } from './replace-database-file.ts'
import { storeUpload } from './store-upload.ts'
import { getImportableDatabase } from './get-database-config.ts'

export interface ImportDeps extends AddDatabaseDeps {
  importTurns: KeyedSemaphore
  importLimits: ImportLimits
}

export interface TableImport {
  configId: string
  table: string
  format: FileFormat
  ifExists: 'refuse' | 'replace'
  bytes: Readable
  /** Aborts when nobody is waiting for the answer. */
  signal: AbortSignal
}

export interface ImportedTable extends Table {
  rowCount: number
}

export async function importTable(deps: ImportDeps, caller: Caller, input: TableImport): Promise<ImportedTable> {
  requireAdmin(caller)
  const { table, signal } = input
  checkTableName(table)
  const database = await getImportableDatabase(deps, caller, input.configId)
  // Checked before the upload, so that nobody sends gigabytes for nothing. The import itself decides.
  if (input.ifExists === 'refuse') refuseIfExists(table, await describeDatabase(deps, caller, database.id))
  const upload = path.join(deps.dataDirectory, 'temporary', `upload-${newId(deps.random, 'db')}`)
  const file = databaseFile({ ...deps, ...database })
  try {
    await storeUpload({ bytes: input.bytes, file: upload, maxBytes: deps.importLimits.uploadMaxBytes })
    const { columns, rowCount } = await deps.importTurns.run(
      file,
      () => importUpload(deps, caller, { ...input, database, file, upload }),
      signal,
    )
    return { schema: 'main', name: table, kind: 'table', columns, rowEstimate: rowCount, comment: null, rowCount }
  } catch (error) {
    throw asRefusal(error, { table, wasCanceled: signal.aborted })
  } finally {
    await rm(upload, { force: true })
  }
}

async function importUpload(
  deps: ImportDeps,
  caller: Caller,
  input: TableImport & { database: FileDatabase; file: string; upload: string },
): Promise<Imported> {
  const { database, file, upload, format, table, ifExists } = input
  const copy = `${file}.${newId(deps.random, 'db')}.part`
  const limit = abortAfter(deps.clock, deps.importLimits.timeMs)
  const signal = AbortSignal.any([input.signal, limit.signal])
  try {
    const before = await stateOf(file)
    await copyFile(file, copy, constants.COPYFILE_FICLONE)
    const imported = await importFile(
      { temporaryDirectory: path.join(deps.dataDirectory, 'temporary'), log: deps.log },
      { target: copy, source: { file: upload, format, table, ifExists }, limits: deps.importLimits },
      signal,
    )
    await syncToDisk(copy)
    const ready = `${file}.${newId(deps.random, 'db')}${pendingSuffix}`
    await rename(copy, ready)
    await replaceDatabaseFile(deps, {
      database,
      file,
      ready,
      before,
      signal,
      tableCount: imported.tableCount,
      record: (tx) =>
        recordAction({ ...deps, tx }, caller, {
          action: 'database.table_imported',
          subject: { type: 'database', id: database.id, name: database.name },
          details: { table, format, ifExists, rowCount: imported.rowCount },
        }),
    })
    return imported
  } catch (error) {
    if (limit.signal.aborted) throw tookTooLong(deps.importLimits.timeMs)
    throw error
  } finally {
    limit.cancel()
    await Promise.all([copy, `${copy}.wal`].map((each) => rm(each, { force: true })))
  }
}
