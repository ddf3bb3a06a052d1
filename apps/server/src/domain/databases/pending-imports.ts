/**
 * How a new version of a database file replaces the previous one, consistently with the store.
 *
 * 1. The new version is complete and on disk, under its own name ending in `.import`.
 * 2. A transaction records the import, with the new version as *pending*.
 * 3. After the commit, the new version is renamed to the database's file and is no longer pending.
 *
 * Wherever the process dies, the next one can tell what is left to do. Before the commit of step 2 nothing has happened, and the
 * new version is a leftover. After it the import counts, and is *settled* by renaming the pending file. Settling is idempotent.
 * Statements running on the previous version keep it open and finish on it.
 */
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { clearPendingImport, type DatabaseWithImport, readPendingImports } from '../../store/databases/pending-imports-table.ts'
import type { Db, Tx } from '../../store/db.ts'
import { databaseFolder } from './engines.ts'
import { openForWritingElsewhere } from './import-refusals.ts'

export const pendingSuffix = '.import'

interface SettleDeps {
  log: Log
  dataDirectory: string
}

/** Renames the pending file. The row still names it afterwards. */
export async function applyPendingImport({ log, dataDirectory }: SettleDeps, database: DatabaseWithImport): Promise<void> {
  const { organizationId, file, pending } = database
  const folder = databaseFolder({ dataDirectory, organizationId })
  const [from, to] = [path.join(folder, pending.file), path.join(folder, file)]
  if (!(await stat(from).catch(() => undefined))) return
  if ((await stateOf(to)) !== pending.before) {
    // Another file was put there after the import was recorded. That is the later version.
    log.warn({ organizationId, file }, 'pending import dropped: the database file was replaced')
    return rm(from, { force: true })
  }
  await rename(from, to).catch((error: NodeJS.ErrnoException) => {
    // Another process settled it first.
    if (error.code !== 'ENOENT') throw error
  })
  await syncToDisk(folder)
}

/** Settles the imports pending on one file before it is replaced. Runs under the lock of its databases. */
export async function settleImportsOn(
  deps: SettleDeps & { tx: Tx },
  on: { organizationId: string; file: string },
): Promise<void> {
  for (const database of await readPendingImports(deps.tx, on)) await applyPendingImport(deps, database)
}

/** Longer than any import takes. */
const leftoverAgeMs = 24 * 3600_000

/** At process start: finishes imports that a dead process left pending, and removes leftover files. */
export async function settleImports(deps: SettleDeps & { db: Db; clock: Clock }): Promise<void> {
  for (const database of await readPendingImports(deps.db)) {
    try {
      await applyPendingImport(deps, database)
      await clearPendingImport(deps.db, database)
      deps.log.info({ organizationId: database.organizationId, file: database.file }, 'pending import settled')
    } catch (error) {
      deps.log.error({ err: error, file: database.file }, 'settling a pending import failed')
    }
  }
  const needed = new Set((await readPendingImports(deps.db)).map(({ pending }) => pending.file))
  const before = deps.clock.now().getTime() - leftoverAgeMs
  const folder = path.join(deps.dataDirectory, 'databases')
  for (const name of await readdir(folder, { recursive: true }).catch(() => [])) {
    if (!name.endsWith(pendingSuffix) || needed.has(path.basename(name))) continue
    const { mtimeMs } = await stat(path.join(folder, name)).catch(() => ({ mtimeMs: Infinity }))
    if (mtimeMs < before) await rm(path.join(folder, name), { force: true })
  }
}

/**
 * A fingerprint that changes with the file. Throws if there is a write-ahead log next to it, because then another program has the
 * file open for writing.
 */
export async function stateOf(file: string): Promise<string> {
  if (await stat(`${file}.wal`).catch(() => undefined)) throw openForWritingElsewhere()
  const { dev, ino, size, mtimeMs } = await stat(file)
  return `${dev}:${ino}:${size}:${mtimeMs}`
}

/** Syncs a file's contents or a folder's entries to disk. */
export async function syncToDisk(name: string): Promise<void> {
  const handle = await open(name, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
