/**
 * An exclusive lock on a file, held by the kernel on behalf of this process: it ends with the process however it dies, and other
 * processes see it across pid namespaces, containers and, if the file system supports it, machines.
 *
 * Node offers no such lock, but SQLite, which is part of Node, takes one (`fcntl`) for an exclusive transaction. The transaction
 * writes nothing, so the file stays empty. Two rules follow from how POSIX defines these locks:
 *
 * - The file is never deleted. A process waiting on a deleted file would get a lock that nobody else sees.
 * - The owner never opens the file in another way: closing any descriptor of it would release the lock.
 */
import { closeSync, existsSync, openSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

export interface FileLock {
  release(): void
}

/** Processes that lose a simultaneous start back off within microseconds; a winner waits this long for them. */
const busyTimeoutMs = 1_000

/** Keeps databases from being garbage collected, which would release their locks. */
const held = new Set<DatabaseSync>()

/** Takes the lock, or returns undefined if this or another process has it. Throws if locks are not supported. */
export function lockFile(file: string): FileLock | undefined {
  // SQLite would create it readable by everyone. Opened only while this process cannot hold a lock on it.
  if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
  const database = openDatabase(file, { readOnly: false })
  if (!take(database, `pragma busy_timeout = ${busyTimeoutMs}; pragma journal_mode = memory; begin exclusive`)) return undefined
  held.add(database)
  return {
    release() {
      if (held.delete(database)) database.close()
    },
  }
}

/** Whether any process, including this one, holds the lock now. Has no side effects. */
export function isFileLocked(file: string): boolean {
  if (!existsSync(file)) return false
  const database = openDatabase(file, { readOnly: true })
  if (!take(database, 'begin; select 1 from sqlite_schema')) return true
  database.close()
  return false
}

/** Returns false, and closes the database, if another connection holds the lock. */
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

/** Node 22 warns once that its SQLite is experimental. Operators can do nothing about that. */
function loadSqlite() {
  const warn = process.emitWarning
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = warn
  }
}
