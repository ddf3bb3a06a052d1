/**
 * An exclusive lock on a file, held by the kernel on behalf of this process: it ends with the process however that dies, and other
 * processes see it across pid namespaces, containers and, where the file system supports it, machines.
 *
 * Node offers no such lock, but SQLite, which is part of Node, takes one (`fcntl`) for an exclusive transaction. The transaction
 * writes nothing, so the file stays empty. Two rules follow from how POSIX defines these locks:
 *
 * - The file is never deleted. A process that waits on a deleted file would get a lock that nobody else sees.
 * - The owner never opens the file by other means: closing any descriptor of it would release the lock.
 */
import { closeSync, existsSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

export interface FileLock {
  release(): void
}

/** Losers of a simultaneous start step back within microseconds; a winner waits this long for them. */
const patienceMs = 1_000

/** An open database holds its lock only for as long as it is not garbage collected. */
const held = new Set<DatabaseSync>()

/** Takes the lock, or returns undefined where it is taken, by this process or another. Fails where locks are not supported. */
export function lockFile(file: string): FileLock | undefined {
  // SQLite would create it readable by everybody. Opened only while no lock of this process can be on it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  const database = openDatabase(file, { readOnly: false })
  if (!take(database, `pragma busy_timeout = ${patienceMs}; pragma journal_mode = memory; begin exclusive`)) return undefined
  held.add(database)
  return {
    release() {
      if (held.delete(database)) database.close()
    },
  }
}

/** Whether a process, this one included, has the lock now. Changes nothing. */
export function isFileLocked(file: string): boolean {
  if (!existsSync(file)) return false
  const database = openDatabase(file, { readOnly: true })
  if (!take(database, 'begin; select 1 from sqlite_schema')) return true
  database.close()
  return false
}

/** False, and the database closed, when another connection is in the way. */
function take(database: DatabaseSync, statements: string): boolean {
  try {
    database.exec(statements)
    return true
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === sqliteBusy) return false
    throw error
  }
}

const sqliteBusy = 5

function openDatabase(file: string, options: { readOnly: boolean }): DatabaseSync {
  const { DatabaseSync } = loadSqlite()
  return new DatabaseSync(file, options)
}

/** Node 22 warns that its SQLite is experimental, once, when it is loaded. Operators can do nothing about that. */
function loadSqlite() {
  const warn = process.emitWarning
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = warn
  }
}
