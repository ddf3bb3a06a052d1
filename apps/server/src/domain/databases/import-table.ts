/**
 * Takes a file that somebody sends into a DuckDB database, as a table.
 *
 * The database file is never written to. The table is made in a copy of it, which then takes its place in one step:
 * queries that run meanwhile finish on the file they began with, the next ones find the new table, and an import that
 * fails or is broken off has changed nothing. Imports into one file come one after the other; where another process,
 * or the operator, has changed the file in the meantime, the copy is given up.
 */
import { constants, copyFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { type FileFormat, importFile, type Imported } from '../../engines/duckdb/import/import-file.ts'
import type { Table } from '../../engines/engine.ts'
import { abortAfter } from '../../ports/clock.ts'
import type { Tx } from '../../store/db.ts'
import { lockDatabasesOnFile, noteDatabase } from '../../store/databases/databases.ts'
import { recordAction } from '../audit/record-action.ts'
import { newId } from '../ids.ts'
import { type Caller, requireAdmin } from '../people/caller.ts'
import type { AddDatabaseDeps } from './add-database.ts'
import type { DuckdbDatabase } from './database.ts'
import { describeDatabase } from './databases.ts'
import { databaseFile } from './engines.ts'
import type { ImportLimits } from './import-limits.ts'
import {
  asRefusal,
  changedMeanwhile,
  checkTableName,
  refuseIfExists,
  tookTooLong,
  writtenByOthers,
} from './import-refusals.ts'
import { storeUpload } from './store-upload.ts'
import type { Turns } from './turns.ts'
import { noDatabase, wantDuckdbDatabase } from './want-database.ts'

export interface ImportDeps extends AddDatabaseDeps {
  importTurns: Turns
  importLimits: ImportLimits
}

export interface TableImport {
  configId: string
  table: string
  format: FileFormat
  ifExists: 'refuse' | 'replace'
  bytes: Readable
  /** Aborts when nobody waits for the answer any more. */
  signal: AbortSignal
}

export interface ImportedTable extends Table {
  rowCount: number
}

export async function importTable(deps: ImportDeps, caller: Caller, input: TableImport): Promise<ImportedTable> {
  requireAdmin(caller)
  const { table, signal } = input
  checkTableName(table)
  const database = await wantDuckdbDatabase(deps, caller, input.configId)
  // Before the bytes are taken, so that nobody sends gigabytes for nothing. The import itself has the last word.
  if (input.ifExists === 'refuse') refuseIfExists(table, await describeDatabase(deps, caller, database.id))
  const upload = path.join(deps.dataDirectory, 'temporary', `upload-${newId(deps.random, 'db')}`)
  const file = databaseFile({ ...deps, ...database })
  try {
    await storeUpload({ bytes: input.bytes, file: upload, maxBytes: deps.importLimits.uploadMaxBytes })
    const { columns, rowCount } = await deps.importTurns.inTurn(file, signal, () =>
      importUpload(deps, caller, { ...input, database, file, upload }),
    )
    return { schema: 'main', name: table, kind: 'table', columns, rowEstimate: rowCount, rowCount }
  } catch (error) {
    throw asRefusal(error, { table, wasCancelled: signal.aborted })
  } finally {
    await rm(upload, { force: true })
  }
}

async function importUpload(
  deps: ImportDeps,
  caller: Caller,
  input: TableImport & { database: DuckdbDatabase; file: string; upload: string },
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
    await takeItsPlace(deps, {
      database,
      file,
      copy,
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

/**
 * Under the lock of the file's databases, so that of two processes one comes second and sees what the first has done.
 */
async function takeItsPlace(
  deps: ImportDeps,
  swap: {
    database: DuckdbDatabase
    file: string
    copy: string
    before: string
    signal: AbortSignal
    tableCount: number
    record(tx: Tx): Promise<void>
  },
): Promise<void> {
  const { database, file, copy, before, signal, tableCount, record } = swap
  const { organizationId } = database
  await deps.db.transaction().execute(async (tx) => {
    const standing = await lockDatabasesOnFile(tx, { organizationId, file: database.settings.file })
    if (!standing.some(({ id }) => id === database.id)) throw noDatabase(database.id)
    if ((await stateOf(file)) !== before) throw changedMeanwhile()
    for (const { id } of standing) await noteDatabase(tx, { organizationId, configId: id }, { tableCount })
    await record(tx)
    signal.throwIfAborted()
    await rename(copy, file)
  })
}

/**
 * Changes with the file. A log beside it belongs to a program that has it open for writing: then there is no state to
 * speak of.
 */
async function stateOf(file: string): Promise<string> {
  if (await stat(`${file}.wal`).catch(() => undefined)) throw writtenByOthers()
  const { dev, ino, size, mtimeMs } = await stat(file)
  return `${dev}:${ino}:${size}:${mtimeMs}`
}
