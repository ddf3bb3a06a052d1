import { existsSync } from 'node:fs'
import { mkdir, readdir, statfs } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Config } from '../settings/config.ts'
import { lockDataDirectory, prepareDataDirectory } from '../settings/data-directory.ts'
import type { Clock } from '../ports/clock.ts'
import { type Random, randomText } from '../ports/random.ts'
import { openEmbedded } from '../store/db.ts'
import { readMigrations } from '../store/migration-files.ts'
import { BackupError, damaged, fingerprintOf, type Manifest, parts, requireKnownSchema } from './manifest.ts'
import { commitRestore, finishRestore, moveIntoPlace, removeUnverified, restoringFolder } from './put-in-place.ts'
import { readArchive, type ReadBackup } from './read-archive.ts'
import { readMigrationNames } from '../store/read-migration-names.ts'

export interface Restored {
  dataDirectory: string
  backup: Pick<Manifest, 'kind' | 'createdAt' | 'querypostVersion' | 'secretKey'>
  fileCount: number
  contentBytes: number
  /** Where the previous content is now. */
  replaced: string | null
}

export interface RestoreOptions {
  input: Readable
  config: Pick<Config, 'dataDirectory' | 'databaseUrl' | 'secretKey'>
  isReplacing: boolean
  clock: Clock
  random: Random
  processId: number
  signal: AbortSignal
  /** Called when the archive has been read and verified. */
  onRead?(read: ReadBackup): void
  onProgress?(progress: { doneBytes: number; allBytes: number }): void
}

/**
 * Restores a backup into an empty data directory, all or nothing: nothing changes until the whole archive has been read and verified
 * and its store opened. After that the restore is completed, if necessary by the next start.
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { config, clock, random, processId } = options
  const { dataDirectory } = config
  await prepareDataDirectory(dataDirectory)
  await finishRestore(dataDirectory, processId)
  const unlock = await lockDataDirectory(dataDirectory, processId)
  try {
    const before = await readdir(dataDirectory)
    if (!options.isReplacing) requireEmpty(dataDirectory, before)
    await removeUnverified(dataDirectory)
    const folder = restoringFolder(dataDirectory)
    await mkdir(folder, { mode: 0o700 })
    const read = await readArchive({ ...options, folder, check: (found) => checkManifest(found, options) })
    const { manifest } = read
    await checkStore(folder, manifest)
    options.onRead?.(read)
    const now = clock.now().toISOString()
    const replacedFolder = `replaced-${now.replaceAll(/[-:]|\.\d+/g, '')}`
    const { kind, createdAt, querypostVersion, secretKey } = manifest
    await commitRestore(dataDirectory, {
      id: randomText(random, 'abcdefghijkmnpqrstuvwxyz23456789', 12),
      restoredAt: now,
      backup: { createdAt, querypostVersion },
      parts: parts.filter((part) => existsSync(path.join(folder, part))),
      replacedFolder,
    })
    await moveIntoPlace(dataDirectory)
    const replaced = path.join(dataDirectory, replacedFolder)
    return {
      dataDirectory,
      backup: { kind, createdAt, querypostVersion, secretKey },
      fileCount: manifest.files.length,
      contentBytes: sizeOf(manifest),
      replaced: existsSync(replaced) ? replaced : null,
    }
  } catch (error) {
    await removeUnverified(dataDirectory)
    throw explainFullDisk(error)
  } finally {
    await unlock()
  }
}

/** Files that a folder may contain and still count as empty: none of them holds data of a service. */
const isIgnorable = (name: string) =>
  /^(lock|lock\.sqlite|lost\+found|temporary|restoring|operator\.(sock|path)|backups\.json|replaced-.*)$/.test(name)

function requireEmpty(dataDirectory: string, names: string[]): void {
  const found = names.filter((name) => !isIgnorable(name))
  if (found.length === 0) return
  throw new BackupError(
    `DATA_DIR=${dataDirectory} is not empty (${found.slice(0, 3).join(', ')}${found.length > 3 ? ', …' : ''}). ` +
      'Choose an empty folder with --data-dir, or use --replace to move the existing files aside.',
  )
}

const sizeOf = ({ files }: Manifest) => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

/** Everything that can be checked before a byte is written. */
async function checkManifest(manifest: Manifest, { config }: RestoreOptions): Promise<void> {
  requireKnownSchema(manifest, (await readMigrations()).map(({ name }) => name))
  if (manifest.kind === 'embedded' && config.databaseUrl) {
    throw new BackupError(
      'This backup contains the embedded store, which is not used while DATABASE_URL is set. Unset DATABASE_URL and try again.',
    )
  }
  if (manifest.kind === 'files' && !config.databaseUrl) {
    throw new BackupError(
      'This backup contains only the files of a service that uses a PostgreSQL server. Restore that server from its own backup, ' +
        'set DATABASE_URL to it, and try again.',
    )
  }
  const { secretKeyFingerprint } = manifest
  const given = config.secretKey && fingerprintOf(Buffer.from(config.secretKey))
  if (given && secretKeyFingerprint && given !== secretKeyFingerprint) {
    throw new BackupError(
      'SECRET_KEY is not the key this backup was made with, so stored secrets would be unreadable. ' +
        (manifest.secretKey === 'included' ? 'Unset it: the archive contains the key.' : 'Use the SECRET_KEY of that service.'),
    )
  }
  const { bavail, bsize } = await statfs(config.dataDirectory)
  if (bavail * bsize < sizeOf(manifest)) {
    const neededMb = Math.ceil(sizeOf(manifest) / 1e6)
    throw new BackupError(`There is not enough space at ${config.dataDirectory} for ${neededMb} MB.`)
  }
}

/** Opening the store also replays the write-ahead log of the time in which it was copied. */
async function checkStore(folder: string, manifest: Manifest): Promise<void> {
  if (manifest.kind !== 'embedded') return
  const place = path.join(folder, 'store')
  if (!existsSync(place)) throw damaged('the store is missing')
  const store = await openEmbedded({ folder: place }).catch((error: unknown) => {
    throw damaged(`its store cannot be opened (${(error as Error).message})`)
  })
  try {
    const migrations = await readMigrationNames(store.db)
    const isTheSame = store.systemIdentifier === manifest.systemIdentifier
    if (!isTheSame || migrations.join() !== manifest.migrations.join()) {
      throw damaged('its store does not match its manifest')
    }
  } finally {
    await store.close()
  }
}

function explainFullDisk(error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') return error
  return new BackupError('The disk is full. Nothing was restored.')
}
