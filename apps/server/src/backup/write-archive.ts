import { createHash } from 'node:crypto'
import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack, type Pack } from 'tar-stream'
import { type About, BackupError, formatVersion, type Manifest, manifestName, type RecordedRows, rowsName, sumsName } from './manifest.ts'

/** Takes a third of the time of the default level 6, for an archive that is 10 % larger. */
const gzipLevel = 1
const pieceBytes = 256 * 1024

export interface Written {
  fileCount: number
  /** Total size of the files before compression. */
  contentBytes: number
}

/** Writes the archive of a staged folder, in bounded memory. */
export async function writeArchive(options: {
  folder: string
  about: About
  output: Writable
  signal: AbortSignal
  /** Called when all files are in the archive, and the folder is no longer needed as it was. */
  countRows?(): Promise<RecordedRows>
  onProgress?(progress: { doneBytes: number; allBytes: number }): void
}): Promise<Written> {
  const { folder, about, output, signal } = options
  const { files, folders } = await listFolder(folder)
  const manifest: Manifest = {
    format: 'querypost backup',
    formatVersion,
    ...about,
    files: files.map(({ path, sizeBytes }) => ({ path, sizeBytes })),
    folders,
  }
  const allBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const archive = pack()
  archive.on('error', () => {})
  const mtime = new Date(about.createdAt)

  async function addText(name: string, text: string): Promise<string> {
    const bytes = Buffer.from(text)
    await new Promise<void>((resolve, reject) => {
      const header = { name, mode: 0o600, mtime, size: bytes.length }
      archive.entry(header, bytes, (error) => (error ? reject(error) : resolve()))
    })
    return createHash('sha256').update(bytes).digest('hex')
  }
  async function addAll() {
    const sums = [`${await addText(manifestName, `${JSON.stringify(manifest)}\n`)}  ${manifestName}`]
    let doneBytes = 0
    const onBytes = (count: number) => options.onProgress?.({ doneBytes: (doneBytes += count), allBytes })
    for (const file of files) {
      signal.throwIfAborted()
      sums.push(`${await addFile({ archive, folder, file, mtime, onBytes })}  ${file.path}`)
    }
    if (options.countRows) sums.push(`${await addText(rowsName, `${JSON.stringify(await options.countRows())}\n`)}  ${rowsName}`)
    await addText(sumsName, `${sums.join('\n')}\n`)
    archive.finalize()
  }
  const sent = pipeline(archive, createGzip({ level: gzipLevel, chunkSize: pieceBytes }), output, { signal })
  const added = addAll().catch((error: unknown) => {
    archive.destroy(error as Error)
    throw error
  })
  // Prefer the error of adding files over the resulting error that the stream ended early.
  const [adding] = await Promise.allSettled([added, sent])
  signal.throwIfAborted()
  await sent.catch((error: unknown) => {
    throw adding.status === 'rejected' && !isPrematureEnd(adding.reason) ? adding.reason : error
  })
  await added
  return { fileCount: files.length, contentBytes: allBytes }
}

const isPrematureEnd = (error: unknown) => /destroyed|premature/i.test((error as Error).message)

interface StagedFile {
  path: string
  sizeBytes: number
  mtimeMs: number
}

/** Sorted by name, so that the same state gives the same order. */
async function listFolder(folder: string): Promise<{ files: StagedFile[]; folders: string[] }> {
  const files: StagedFile[] = []
  const folders: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const name = path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/')
    if (entry.isDirectory()) folders.push(name)
    else {
      const { size, mtimeMs } = await stat(path.join(folder, name))
      files.push({ path: name, sizeBytes: size, mtimeMs })
    }
  }
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), folders: folders.sort() }
}

/** Returns the checksum of the added bytes. */
async function addFile(options: {
  archive: Pack
  folder: string
  file: StagedFile
  mtime: Date
  onBytes(count: number): void
}): Promise<string> {
  const { archive, folder, file, mtime } = options
  const hash = createHash('sha256')
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  const entry = archive.entry({ name: file.path, mode: 0o600, mtime, size: file.sizeBytes }, (error) =>
    error ? reject(error) : resolve(),
  )
  ended.catch(() => {})
  // `ended` reports the error as well, but an error event without a listener would crash the process.
  entry.on('error', () => {})
  const opened = await open(path.join(folder, file.path))
  try {
    const pieces = opened.createReadStream({ highWaterMark: pieceBytes, autoClose: false }) as AsyncIterable<Uint8Array>
    for await (const piece of pieces) {
      hash.update(piece)
      if (!entry.write(piece)) await Promise.race([drained(entry), ended])
      options.onBytes(piece.length)
    }
    const { size, mtimeMs } = await opened.stat()
    // A file that another program modifies in place, such as an operator's DuckDB file, cannot be backed up consistently.
    if (size !== file.sizeBytes || mtimeMs !== file.mtimeMs) {
      throw new BackupError(`${file.path} changed while it was being read. Wait until no program writes to it, and try again.`)
    }
    entry.end(undefined)
    await ended
  } finally {
    await opened.close()
  }
  return hash.digest('hex')
}

const drained = (entry: ReturnType<Pack['entry']>) =>
  new Promise<void>((resolve) => void entry.once('drain', () => resolve()))
