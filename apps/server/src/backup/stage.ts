/**
 * *Staging* gathers, in one moment and without keeping anybody waiting, what goes into an archive, in a folder of its
 * own under DATA_DIR/temporary. Writing the archive may then take as long as it likes.
 *
 * - The store is copied while it is in use (store/embedded-folder.ts); the moment is the end of that copy.
 * - DuckDB databases are never written to: an import puts another file in their place (domain/databases/import-
 *   table.ts). So a second name for the same file (a hard link), made in that moment, keeps it as it was and costs
 *   nothing.
 * - Results appear whole, before their run says that it is completed. Those are linked after the moment: one that is
 *   missing then had outlived its lifetime, and one too many belongs to a run that will be found to have failed.
 */
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
  /** How long others had to wait for the store; see `CopyTimes`. */
  checkpointMs: number
  heldMs: number
}

export async function stageBackup(options: {
  dataDirectory: string
  /** Without one, the files alone. */
  store?: Pick<Store, 'db' | 'systemIdentifier' | 'embeddedFolder'>
  /** Undefined where there is none yet. */
  secretKey: Uint8Array | undefined
  /** In the environment: then it is the operator's to keep, and a file of an earlier one is nobody's. */
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

/** What a process that was killed has left, where no owner of the folder removes it at its start. */
async function removeForgotten(temporary: string, clock: Clock): Promise<void> {
  for (const name of await readdir(temporary)) {
    if (!name.startsWith('backup-')) continue
    const { mtimeMs } = await stat(path.join(temporary, name)).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < clock.now().getTime() - forgottenMs) await removeStaged(path.join(temporary, name))
  }
}

/** Of an import, an upload or the sample that is still being made. */
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

/** False where there is no such file, or none any more. Files elsewhere, that an operator has linked to, are copied. */
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
