import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ParquetWriter } from '../../engines/duckdb/parquet/writer.ts'
import { toParquetRows } from '../../results/downloads/parquet-rows.ts'
import { readRawRows } from '../../results/read-rows.ts'
import type { StoredResult } from '../../results/result-store.ts'

/**
 * Stored results as Parquet files, for DuckDB to read. A file is *in use* until it is released. Files that are not in use are kept for the
 * next run, and the least recently used ones are removed when all together exceed the limit.
 */
export interface InputFiles {
  /** `key`: equal results have equal keys. `open` is called if there is no file yet. */
  use(options: { key: string; open(): Promise<StoredResult>; signal: AbortSignal }): Promise<UsedFile>
}

export interface UsedFile {
  /** Absolute path. */
  file: string
  release(): Promise<void>
}

interface KeptFile {
  file: string
  sizeBytes: number
  useCount: number
}

/** A little more than the largest row any engine returns. */
const rowMaxBytes = 40 * 1024 * 1024

export function makeInputFiles(options: { parquet: Pick<ParquetWriter, 'write'>; temporaryDirectory: string; keptMaxBytes?: number }): InputFiles {
  const { parquet, keptMaxBytes = 2 * 1024 ** 3 } = options
  /** Least recently used first. */
  const files = new Map<string, Promise<KeptFile>>()
  const known = new Map<string, KeptFile>()
  let folder: Promise<string> | undefined
  let count = 0

  async function makeFolder(): Promise<string> {
    await mkdir(options.temporaryDirectory, { recursive: true })
    return mkdtemp(path.join(path.resolve(options.temporaryDirectory), 'inputs-'))
  }

  async function write(key: string, open: () => Promise<StoredResult>, signal: AbortSignal): Promise<KeptFile> {
    folder ??= makeFolder()
    const file = path.join(await folder, `${++count}.parquet`)
    const rows = toParquetRows(async () => readRawRows(await open(), { rowMaxBytes }))
    const { sizeBytes, bytes } = await parquet.write({ rows, signal })
    try {
      await pipeline(bytes, createWriteStream(`${file}.part`), { signal })
      await rename(`${file}.part`, file)
    } catch (error) {
      await rm(`${file}.part`, { force: true })
      throw error
    }
    const kept = { file, sizeBytes, useCount: 0 }
    known.set(key, kept)
    return kept
  }

  async function removeUnused(): Promise<void> {
    let totalBytes = [...known.values()].reduce((total, { sizeBytes }) => total + sizeBytes, 0)
    for (const key of files.keys()) {
      const kept = known.get(key)
      if (totalBytes <= keptMaxBytes) return
      if (!kept || kept.useCount > 0) continue
      files.delete(key)
      known.delete(key)
      totalBytes -= kept.sizeBytes
      await rm(kept.file, { force: true })
    }
  }

  /** The file of a key, which another run may be writing. If that run is stopped, this one writes it. */
  async function find(key: string, open: () => Promise<StoredResult>, signal: AbortSignal): Promise<KeptFile> {
    for (;;) {
      const existing = files.get(key)
      if (!existing) {
        const writing = write(key, open, signal)
        files.set(key, writing)
        writing.catch(() => files.delete(key))
        return writing
      }
      const kept = await existing.catch(() => undefined)
      signal.throwIfAborted()
      if (kept && files.get(key) === existing) return kept
    }
  }

  return {
    async use({ key, open, signal }) {
      const kept = await find(key, open, signal)
      kept.useCount++
      const entry = files.get(key)!
      files.delete(key)
      files.set(key, entry)
      let isReleased = false
      return {
        file: kept.file,
        async release() {
          if (isReleased) return
          isReleased = true
          kept.useCount--
          await removeUnused()
        },
      }
    },
  }
}
