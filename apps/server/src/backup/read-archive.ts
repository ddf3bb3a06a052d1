import { createHash } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { type Extract, extract } from 'tar-stream'
import { BackupError, damaged, type Manifest, manifestName, parseManifest, type RecordedRows, rowsName, sumsName } from './manifest.ts'

type Entry = Extract extends AsyncIterable<infer Each> ? Each : never

/** More than the manifest of a million files needs. */
const textMaxBytes = 256 * 1024 * 1024

export interface ReadBackup {
  manifest: Manifest
  /** Null if they were not recorded. */
  rows: RecordedRows | null
}

/**
 * Unpacks an archive into an empty folder, in bounded memory, and verifies that it is complete: it contains each file of its
 * manifest exactly once, with the right size and checksum, and nothing else. Paths come from the checked manifest, and types and modes
 * are fixed. The header of an entry is only compared with them, so no entry can write outside the folder.
 */
export async function readArchive(options: {
  input: Readable
  folder: string
  signal: AbortSignal
  /** Called before anything is written; throws to reject the backup. */
  check(manifest: Manifest): Promise<void>
  onProgress?(progress: { doneBytes: number; allBytes: number }): void
}): Promise<ReadBackup> {
  const { input, signal } = options
  const entries = extract()
  const unpacking = unpack(entries, options)
  unpacking.catch((error: unknown) => entries.destroy(error as Error))
  const flowing = pipeline(input, createGunzip(), entries, { signal })
  const [unpacked, flowed] = await Promise.allSettled([unpacking, flowing])
  signal.throwIfAborted()
  if (unpacked.status === 'rejected' && unpacked.reason instanceof BackupError) throw unpacked.reason
  if (flowed.status === 'rejected') throw asDamage(flowed.reason)
  if (unpacked.status === 'rejected') throw asDamage(unpacked.reason)
  return unpacked.value
}

/** Turns errors of zlib and tar into a message about a damaged archive. Passes on errors of the file system. */
function asDamage(reason: unknown): Error {
  const { code, message } = reason as NodeJS.ErrnoException
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return reason as Error
  if (code === 'Z_BUF_ERROR' || /unexpected end|premature/i.test(message)) return damaged('it is truncated')
  return damaged(code?.startsWith('Z_') ? 'it cannot be unpacked' : message)
}

async function unpack(
  entries: AsyncIterable<Entry>,
  options: Parameters<typeof readArchive>[0],
): Promise<ReadBackup> {
  const { folder } = options
  let manifest: Manifest | undefined
  let rows: RecordedRows | null = null
  let sums: Map<string, string> | undefined
  const found = new Map<string, string>()
  const sizes = new Map<string, number>()
  let doneBytes = 0
  let allBytes = 0

  for await (const entry of entries) {
    const { name, size, type } = entry.header
    if (type !== 'file') throw damaged(`${JSON.stringify(name)} is not a plain file`)
    if (sums) throw damaged(`it has entries after ${sumsName}`)
    if (!manifest) {
      if (name !== manifestName) throw new BackupError('This is not a backup of Querypost.')
      const text = await readText(entry, size)
      manifest = parseManifest(text)
      found.set(manifestName, sumOf(text))
      await options.check(manifest)
      for (const file of manifest.files) sizes.set(file.path, file.sizeBytes)
      allBytes = manifest.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      for (const each of manifest.folders) await mkdir(path.join(folder, each), { recursive: true, mode: 0o700 })
    } else if (name === sumsName) sums = parseSums(await readText(entry, size))
    else if (name === rowsName && rows === null) {
      const text = await readText(entry, size)
      rows = JSON.parse(text) as RecordedRows
      found.set(rowsName, sumOf(text))
    } else {
      if (sizes.get(name) !== size || found.has(name)) throw damaged(`${JSON.stringify(name)} is not in its list of files`)
      const onBytes = (count: number) => options.onProgress?.({ doneBytes: (doneBytes += count), allBytes })
      found.set(name, await writeEntry(entry, path.join(folder, name), onBytes))
    }
  }
  if (!manifest || !sums) throw damaged('it is truncated')
  for (const name of sizes.keys()) if (!found.has(name)) throw damaged(`${name} is missing`)
  for (const [name, sum] of found) if (sums.get(name) !== sum) throw damaged(`the checksum of ${name} does not match`)
  return { manifest, rows }
}

async function readText(entry: Entry, size: number): Promise<string> {
  if (size > textMaxBytes) throw damaged('its list of files is too long')
  const pieces: Uint8Array[] = []
  for await (const piece of entry as AsyncIterable<Uint8Array>) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

const sumOf = (text: string) => createHash('sha256').update(text).digest('hex')

function parseSums(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '')
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]))
}

/** Returns the checksum of the written bytes. */
async function writeEntry(entry: Entry, file: string, onBytes: (count: number) => void): Promise<string> {
  const hash = createHash('sha256')
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const opened = await open(file, 'wx', 0o600)
  try {
    for await (const piece of entry as AsyncIterable<Uint8Array>) {
      hash.update(piece)
      await opened.writeFile(piece)
      onBytes(piece.length)
    }
  } finally {
    await opened.close()
  }
  return hash.digest('hex')
}
