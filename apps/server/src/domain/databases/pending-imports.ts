/**
 * How a new version of a database file takes the place of the one before, together with what the store says of it.
 *
 * 1. The new version is whole and on disk, under a name of its own that ends with `.import`.
 * 2. A transaction records the import, and the new version as *pending*.
 * 3. Once that has committed, the new version is renamed to the database's file, and is pending no more.
 *
 * Whenever the process dies, the next one can tell what is left to do: before 2 has committed nothing has happened, and
 * the new version is a leftover; after it the import counts, and is *settled* by renaming what is pending. Settling
 * again does nothing. Statements that run on the version before keep it open, and finish on it.
 */
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { clearPendingImport, type DatabaseWithImport, readPendingImports } from '../../store/databases/pending-imports-table.ts'
import type { Db, Tx } from '../../store/db.ts'
import { databaseFolder } from './engines.ts'
import { writtenByOthers } from './import-refusals.ts'

export const pendingEnding = '.import'

interface SettleDeps {
  log: Log
  dataDirectory: string
}

/** Renames what is pending. The row still names it afterwards. */
export async function putInPlace({ log, dataDirectory }: SettleDeps, database: DatabaseWithImport): Promise<void> {
  const { organizationId, file, pending } = database
  const folder = databaseFolder({ dataDirectory, organizationId })
  const [from, to] = [path.join(folder, pending.file), path.join(folder, file)]
  if (!(await stat(from).catch(() => undefined))) return
  if ((await stateOf(to)) !== pending.before) {
    // Somebody put another file there after the import was recorded. That is the later version.
    log.warn({ organizationId, file }, 'pending import dropped: the database file was replaced')
    return rm(from, { force: true })
  }
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    // Another process settles it too, and was first.
    if (error.code !== 'ENOENT') throw error
  })
  await syncToDisk(folder)
}

/** Settles the imports that are pending on one file before it is replaced. Under the lock of its databases. */
export async function settleImportsOn(
  deps: SettleDeps & { tx: Tx },
  on: { organizationId: string; file: string },
): Promise<void> {
  for (const database of await readPendingImports(deps.tx, on)) await putInPlace(deps, database)
}

/** Longer than any import takes. */
const leftoverAgeMs = 24 * 3600_000

/** At the start of a process: finishes what a process that died has left pending, and removes what nobody needs. */
export async function settleImports(deps: SettleDeps & { db: Db; clock: Clock }): Promise<void> {
  for (const database of await readPendingImports(deps.db)) {
    try {
      await putInPlace(deps, database)
      await clearPendingImport(deps.db, database)
      deps.log.info({ organizationId: database.organizationId, file: database.file }, 'pending import settled')
    } catch (error) {
      deps.log.error({ err: error, file: database.file }, 'pending import could not be settled')
    }
  }
  const needed = new Set((await readPendingImports(deps.db)).map(({ pending }) => pending.file))
  const before = deps.clock.now().getTime() - leftoverAgeMs
  const folder = path.join(deps.dataDirectory, 'databases')
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    if (!name.endsWith(pendingEnding) || needed.has(path.basename(name))) continue
    const { mtimeMs } = await stat(path.join(folder, name)).catch(() => ({ mtimeMs: Infinity }))
    if (mtimeMs < before) await rm(path.join(folder, name), { force: true })
  }
}

/**
 * Changes with the file. A log beside it belongs to a program that has it open for writing: then there is no state to
 * speak of.
 */
export async function stateOf(file: string): Promise<string> {
  if (await stat(`${file}.wal`).catch(() => undefined)) throw writtenByOthers()
  const { dev, ino, size, mtimeMs } = await stat(file)
  return `${dev}:${ino}:${size}:${mtimeMs}`
}

/** A file's bytes, or a folder's names. */
export async function syncToDisk(name: string): Promise<void> {
  const handle = await open(name, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
