/**
 * *Staging* collects a consistent snapshot of everything that goes into an archive, in a folder under DATA_DIR/temporary, without
 * blocking the service. Writing the archive can then take as long as it needs.
 *
 * - The store is copied while it is in use (store/embedded-folder.ts). The snapshot is of the moment at which that copy ends.
 * - DuckDB databases are never modified in place: an import replaces the file (domain/databases/import-table.ts). So a hard link
 *   made at that moment preserves the file, at no cost.
 * - Results are written completely before their run is marked as completed. They are linked after the snapshot: a result that is
 *   missing by then has expired, and an extra one belongs to a run that will be marked as failed.
 */
import { existsSync } from 'node:fs'
import { constants, copyFile, link, mkdir, mkdtemp, readdir, realpath, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../store/db.ts'
import { type About, fingerprintOf } from './manifest.ts'
import { productVersion } from './product-version.ts'
import { readMigrationNames } from '../store/read-migration-names.ts'

export interface Staged {
  folder: string
  about: About
  /** How long the service had to wait for the store; see `CopyTimes`. */
  checkpointMs: number
  heldMs: number
}

export async function stageBackup(options: {
  dataDirectory: string
  /** Omitted for a backup of the files alone. */
  store?: Pick<Store, 'db' | 'systemIdentifier' | 'embeddedFolder'>
  /** Undefined if there is no key yet. */
  secretKey: Uint8Array | undefined
  /** Whether SECRET_KEY is set. Then the operator keeps the key, and a `secret.key` file is a leftover that is not backed up. */
  isSecretKeyGiven: boolean
  clock: Clock
  signal: AbortSignal
}): Promise<Staged> {
  const { dataDirectory, store, clock, signal } = options
  const temporary = path.join(dataDirectory, 'temporary')
  await mkdir(temporary, { recursive: true, mode: 0o700 })
  await removeForgotten(temporary, clock)
  const folder = await mkdtemp(path.join(temporary, 'backup-'))
  try {
    const linkPart = (part: string) => linkTree({ from: path.join(dataDirectory, part), to: path.join(folder, part) })
    if (!options.isSecretKeyGiven) {
      await linkFile(path.join(dataDirectory, 'secret.key'), path.join(folder, 'secret.key'))
    }
    let times = { checkpointMs: 0, heldMs: 0 }
    if (store) {
      times = await store.embeddedFolder!.copyTo({
        target: path.join(folder, 'store'),
        clock,
        signal,
        atThatMoment: () => linkPart('databases'),
      })
    } else await linkPart('databases')
    const createdAt = clock.now().toISOString()
    await linkPart('results')
    // After the store: the bytes of every kept result that it knows are complete, and stay for a day after their removal.
    if (existsSync(path.join(dataDirectory, 'archive'))) await linkPart('archive')
    signal.throwIfAborted()
    const about: About = {
      kind: store ? 'embedded' : 'files',
      querypostVersion: productVersion(),
      createdAt,
      migrations: store ? await readMigrationNames(store.db) : [],
      systemIdentifier: store?.systemIdentifier ?? null,
      secretKey: options.isSecretKeyGiven ? 'given' : 'included',
      secretKeyFingerprint: options.secretKey ? fingerprintOf(options.secretKey) : null,
    }
    return { folder, about, ...times }
  } catch (error) {
    await removeStaged(folder)
    throw error
  }
}

export const removeStaged = (folder: string) => rm(folder, { recursive: true, force: true })

/** Longer than writing an archive takes. */
const forgottenMs = 24 * 3600_000

/** Removes what killed processes left behind. With a PostgreSQL server no process owns the folder and cleans it at its start. */
async function removeForgotten(temporary: string, clock: Clock): Promise<void> {
  for (const name of await readdir(temporary)) {
    if (!name.startsWith('backup-')) continue
    const { mtimeMs } = await stat(path.join(temporary, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < clock.now().getTime() - forgottenMs) await removeStaged(path.join(temporary, name))
  }
}

/** Files of an import, an upload or a sample shop in progress. */
const isUnfinished = (name: string) => /\.(part|unfinished)(\.wal)?$/.test(name)

async function linkTree({ from, to }: { from: string; to: string }): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true }).catch(() => [])) {
    if (isUnfinished(entry.name)) continue
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) await linkTree({ from: source, to: target })
    else if (entry.isFile() || entry.isSymbolicLink()) await linkFile(source, target)
  }
}

/** False if the file does not exist (any more). A file on another file system, behind an operator's link, is copied. */
async function linkFile(from: string, to: string): Promise<boolean> {
  try {
    const file = await realpath(from)
    if (!(await stat(file)).isFile()) return false
    await link(file, to).catch(() => copyFile(file, to, constants.COPYFILE_FICLONE))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
