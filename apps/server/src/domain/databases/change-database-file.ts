import { constants, copyFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { type Imported, importFile, type ImportRequest } from '../../engines/duckdb/import/import-file.ts'
import type { Caller } from '../../model/caller.ts'
import type { FileDatabase } from '../../model/database.ts'
import { abortAfter } from '../../ports/clock.ts'
import type { KeyedSemaphore } from '../../ports/semaphore.ts'
import { type AuditEntry, recordAction } from '../audit/record-action.ts'
import { newId } from '../ids.ts'
import type { AddDatabaseDeps } from './add-database.ts'
import { databaseFile } from './engines.ts'
import { type ImportLimits, limitsOf } from './import-limits.ts'
import { tookTooLong } from './import-refusals.ts'
import { pendingSuffix, stateOf, syncToDisk } from './pending-imports.ts'
import { replaceDatabaseFile } from './replace-database-file.ts'

export interface ChangeFileDeps extends AddDatabaseDeps {
  importTurns: KeyedSemaphore
  importLimits: ImportLimits
}

export interface FileChange {
  database: FileDatabase
  /** What is done in the copy. */
  work: Pick<ImportRequest, 'source' | 'change'>
  /** The audit record, without its subject. */
  audit(imported: Imported): Omit<AuditEntry, 'subject'>
  signal: AbortSignal
}

/**
 * Changes the tables of a database file. The file itself is never modified. The change is made in a copy, which then replaces the file in one
 * step (`replace-database-file.ts`): queries already running finish on the old file, later ones see the new tables, and a change that fails
 * or is canceled leaves nothing behind. Changes to the same file run one after the other. If another process or the operator has changed
 * the file in the meantime, the copy is discarded.
 */
export function changeDatabaseFile(deps: ChangeFileDeps, caller: Caller, change: FileChange): Promise<Imported> {
  const file = databaseFile({ ...deps, ...change.database })
  return deps.importTurns.run(file, () => changeCopy(deps, caller, { ...change, file }), change.signal)
}

async function changeCopy(deps: ChangeFileDeps, caller: Caller, input: FileChange & { file: string }): Promise<Imported> {
  const { database, file, work, audit } = input
  const copy = `${file}.${newId(deps.random, 'db')}.part`
  const limit = abortAfter(deps.clock, deps.importLimits.timeMs)
  const signal = AbortSignal.any([input.signal, limit.signal])
  try {
    const before = await stateOf(file)
    await copyFile(file, copy, constants.COPYFILE_FICLONE)
    const imported = await importFile(
      { temporaryDirectory: path.join(deps.dataDirectory, 'temporary'), log: deps.log },
      { target: copy, ...work, limits: limitsOf(database, deps.importLimits) },
      signal,
    )
    await syncToDisk(copy)
    const ready = `${file}.${newId(deps.random, 'db')}${pendingSuffix}`
    await rename(copy, ready)
    const subject = { type: 'database', id: database.id, name: database.name } as const
    await replaceDatabaseFile(deps, {
      database,
      file,
      ready,
      before,
      signal,
      tableCount: imported.tableCount,
      record: (tx) => recordAction({ ...deps, tx }, caller, { ...audit(imported), subject }),
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
