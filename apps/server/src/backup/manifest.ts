/**
 * A *backup* is one archive (tar, gzip) of what DATA_DIR holds that cannot be made anew, as of one moment. Its entries
 * are, in this order:
 *
 *     manifest.json   what this is, and every file with its size
 *     …               the files, under the *parts* that they belong to
 *     SHA256SUMS      the checksum of each, as `sha256sum -c` reads them; an archive without it was cut short
 *
 * It is *embedded* when the service's own state is in it, and of *files* when that is in a PostgreSQL server, which is
 * backed up by other means.
 */
import { hkdfSync } from 'node:crypto'

export const formatVersion = 1
export const manifestName = 'manifest.json'
export const sumsName = 'SHA256SUMS'

/** What a data directory consists of, beside what is made anew. */
export const parts = ['secret.key', 'databases', 'results', 'store'] as const

export interface Manifest extends About {
  format: 'querypost backup'
  formatVersion: number
  files: { path: string; sizeBytes: number }[]
  /** PostgreSQL wants its empty folders too. */
  folders: string[]
}

export interface About {
  kind: 'embedded' | 'files'
  querypostVersion: string
  /** The moment. */
  createdAt: string
  /** Of the store's schema; none, where the store is not in it. */
  migrations: string[]
  /** Of the PostgreSQL in it. */
  systemIdentifier: string | null
  /** Whether the key is in the archive, or was given in the environment. */
  secretKey: 'included' | 'given'
  /** By which a key can be told to be the one; nothing else can be learned from it. */
  secretKeyFingerprint: string | null
}

/** Said to the operator as it is. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

export const fingerprintOf = (secretKey: Uint8Array) =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'querypost key fingerprint v1', 8)).toString('hex')

/**
 * Reads a manifest that may have been made by anybody: what is not as it must be is refused before anything is written.
 */
export function parseManifest(text: string): Manifest {
  const manifest = readJson(text)
  if (manifest?.format !== 'querypost backup') throw new BackupError('This is not a backup of Querypost.')
  if (typeof manifest.formatVersion !== 'number' || manifest.formatVersion > formatVersion) {
    throw new BackupError(
      `This backup was made by Querypost ${manifest.querypostVersion}, in a form that this version does not know. ` +
        'Restore it with that version or a newer one.',
    )
  }
  const { files, folders, migrations } = manifest
  const isWhole = [files, folders, migrations].every(Array.isArray) && ['embedded', 'files'].includes(manifest.kind!)
  if (!isWhole) throw damaged('its list of files cannot be read')
  for (const { path, sizeBytes } of files!) {
    if (!isInside(path) || !Number.isSafeInteger(sizeBytes) || sizeBytes < 0) {
      throw damaged(`${JSON.stringify(path)} is not a file of a backup`)
    }
  }
  const stray = folders!.find((folder) => !isInside(folder))
  if (stray !== undefined) throw damaged(`${JSON.stringify(stray)} is not a folder of a backup`)
  return manifest as Manifest
}

function readJson(text: string): Partial<Manifest> | undefined {
  try {
    return JSON.parse(text) as Partial<Manifest>
  } catch {
    return undefined
  }
}

/** A path that leads to one of the parts or into it, and by no way out again. */
export function isInside(path: unknown): boolean {
  if (typeof path !== 'string' || path.includes('\0')) return false
  const steps = path.split('/')
  return parts.some((part) => part === steps[0]) && steps.every((step) => step !== '' && step !== '.' && step !== '..')
}

export const damaged = (why: string) =>
  new BackupError(`The archive is damaged or is not a backup: ${why}. Nothing was restored.`)

/** Refuses what only a newer version can read, and says which. */
export function requireKnownSchema(manifest: Pick<About, 'migrations' | 'querypostVersion'>, known: string[]): void {
  const unknown = manifest.migrations.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new BackupError(
    `This backup was made by Querypost ${manifest.querypostVersion}, whose schema (${unknown}) is newer than this ` +
      'version knows. Restore it with that version or a newer one.',
  )
}
