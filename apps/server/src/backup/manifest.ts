/**
 * A *backup* is an archive (tar, gzip) of everything in DATA_DIR that cannot be recreated, as of one moment. Its entries are, in
 * this order:
 *
 *     manifest.json   describes the backup and lists every file with its size
 *     …               the files, below the *parts* of the data directory that they belong to
 *     rows.json       optional: how many rows each table of the store has, and their hash
 *     SHA256SUMS      the checksum of each file, in the format of `sha256sum -c`; an archive without it is truncated
 *
 * Its kind is *embedded* when it contains the service's own state, and *files* when that state is in a PostgreSQL server, which
 * needs its own backup.
 */
import { hkdfSync } from 'node:crypto'
import type { TableFacts } from '../store/read-table-facts.ts'

export const formatVersion = 1
export const manifestName = 'manifest.json'
export const rowsName = 'rows.json'
export const sumsName = 'SHA256SUMS'

/** The rows of a backup, by table. */
export type RecordedRows = Record<string, TableFacts>

/** What a data directory consists of, apart from what can be recreated. */
export const parts = ['secret.key', 'databases', 'results', 'archive', 'store'] as const

export interface Manifest extends About {
  format: 'querypost backup'
  formatVersion: number
  files: { path: string; sizeBytes: number }[]
  /** Includes empty folders, which PostgreSQL needs. */
  folders: string[]
}

export interface About {
  kind: 'embedded' | 'files'
  querypostVersion: string
  /** The moment whose state the backup holds. */
  createdAt: string
  /** The migrations of the store's schema; empty for a backup without the store. */
  migrations: string[]
  /** Of the embedded PostgreSQL. */
  systemIdentifier: string | null
  /** Whether the key is in the archive, or was given in the environment. */
  secretKey: 'included' | 'given'
  /** Identifies the key without revealing anything about it. */
  secretKeyFingerprint: string | null
}

/** Its message is shown to the operator unchanged. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

export const fingerprintOf = (secretKey: Uint8Array) =>
  Buffer.from(hkdfSync('sha256', secretKey, '', 'querypost key fingerprint v1', 8)).toString('hex')

/**
 * Parses an untrusted manifest: rejects anything invalid before a file is written.
 */
export function parseManifest(text: string): Manifest {
  const manifest = readJson(text)
  if (manifest?.format !== 'querypost backup') throw new BackupError('This is not a backup of Querypost.')
  if (typeof manifest.formatVersion !== 'number' || manifest.formatVersion > formatVersion) {
    throw new BackupError(
      `This backup was made by Querypost ${manifest.querypostVersion}, in a format that this version cannot read. ` +
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

/** Whether a path names one of the parts or something inside one. Rejects path traversal. */
export function isInside(path: unknown): boolean {
  if (typeof path !== 'string' || path.includes('\0')) return false
  const steps = path.split('/')
  return parts.some((part) => part === steps[0]) && steps.every((step) => step !== '' && step !== '.' && step !== '..')
}

export const damaged = (why: string) =>
  new BackupError(`The archive is damaged or is not a backup: ${why}. Nothing was restored.`)

/** Rejects a backup that only a newer version can read, and names that version. */
export function requireKnownSchema(manifest: Pick<About, 'migrations' | 'querypostVersion'>, known: string[]): void {
  const unknown = manifest.migrations.find((name) => !known.includes(name))
  if (unknown === undefined) return
  throw new BackupError(
    `This backup was made by Querypost ${manifest.querypostVersion}, whose schema (${unknown}) is newer than ` +
      'this version. Restore it with that version or a newer one.',
  )
}
