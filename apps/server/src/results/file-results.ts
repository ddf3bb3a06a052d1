import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../ports/clock.ts'
import { encodingOf } from './encodings.ts'
import { packResult } from './pack-result.ts'
import { checkRunId, type Encoding, type ResultStore, smallBytes, type StoredResult } from './result-store.ts'

/** Longer than any run may take to write its result. */
const leftoverAgeMs = 24 * 3600_000
/** Not too often, because a sweep reads the age of every file in the folder. */
const sweepEveryMs = 6 * 3600_000
/** How many files one call of `sweep` checks, and how many are checked or removed concurrently. */
const sweptAtOnce = 500
const filesAtOnce = 16

const extensions: Record<Encoding, string> = { gzip: '.json.gz', zstd: '.json.zst' }
const encodings = Object.keys(extensions) as Encoding[]

/** The names that the file of a result may have, depending on how it is compressed. */
export const resultFileNames = (runId: string): string[] => encodings.map((encoding) => `${runId}${extensions[encoding]}`)

/**
 * Stores results as files in one folder. A file appears under its name only once it is complete and on disk, so any file found
 * can be sent. Unfinished files of processes that died are removed at a later startup or by a sweep.
 */
export async function openFileResults(options: { folder: string; clock: Clock }): Promise<ResultStore> {
  const { folder, clock } = options
  await mkdir(folder, { recursive: true })
  const atStart = await readdir(folder)
  await removeOld(folder, atStart, { '.part': leftoversBefore(clock) })
  let sweptMs = clock.monotonicMs()
  /** File names that the current sweep has not checked yet. */
  let unswept: string[] = []
  const fileOf = (runId: string, extension: string) => {
    checkRunId(runId)
    return path.join(folder, `${runId}${extension}`)
  }
  const filesOf = (runId: string) => {
    checkRunId(runId)
    return resultFileNames(runId).map((name) => path.join(folder, name))
  }

  return {
    async write({ runId, result, limits, onRows }) {
      const part = fileOf(runId, '.json.part')
      const file = await open(part, 'w')
      try {
        const { bytes, written } = packResult(result, { limits, onRows })
        let encoding: Encoding | undefined
        for await (const piece of bytes) {
          encoding ??= encodingOf(piece)
          await file.writeFile(piece)
        }
        await file.datasync()
        await rename(part, fileOf(runId, extensions[encoding!]))
        return written()
      } catch (error) {
        await rm(part, { force: true })
        throw error
      } finally {
        await file.close()
      }
    },

    async open(runId) {
      for (const encoding of encodings) {
        const file = await openIfPresent(fileOf(runId, extensions[encoding]))
        if (file) return { encoding, ...(await readFrom(file)) }
      }
      return undefined
    },

    async remove(runId) {
      for (const file of filesOf(runId)) await rm(file, { force: true })
    },

    async removeAll(runIds) {
      await forEachConcurrently(runIds.flatMap(filesOf), (file) => rm(file, { force: true }))
    },

    async sweep({ writtenBefore }) {
      if (unswept.length === 0) {
        if (clock.monotonicMs() < sweptMs + sweepEveryMs) return { removed: 0, hasMore: false }
        sweptMs = clock.monotonicMs()
        unswept = await readdir(folder)
      }
      const names = unswept.splice(-sweptAtOnce)
      const removed = await removeOld(folder, names, {
        '.part': leftoversBefore(clock),
        [extensions.gzip]: writtenBefore,
        [extensions.zstd]: writtenBefore,
      })
      return { removed, hasMore: unswept.length > 0 }
    },
  }
}

const leftoversBefore = (clock: Clock) => new Date(clock.now().getTime() - leftoverAgeMs)

/** Removes files last written before the time given for their extension. Returns how many were removed. */
async function removeOld(folder: string, names: string[], before: Record<string, Date>): Promise<number> {
  let removed = 0
  await forEachConcurrently(names, async (name) => {
    const extension = Object.keys(before).find((each) => name.endsWith(each))
    if (extension === undefined) return
    const file = path.join(folder, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs >= before[extension]!.getTime()) return
    await rm(file, { force: true })
    removed += 1
  })
  return removed
}

/** Limited concurrency, because file operations share a few threads with the readers of results. */
async function forEachConcurrently<Item>(items: Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values()
  const workers = Array.from({ length: filesAtOnce }, async () => {
    for (const item of queue) await act(item)
  })
  await Promise.all(workers)
}

async function openIfPresent(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The file is open, so removing it afterwards does not affect the reader. */
async function readFrom(file: FileHandle): Promise<Pick<StoredResult, 'sizeBytes' | 'bytes'>> {
  let isStreamed = false
  try {
    const { size } = await file.stat()
    isStreamed = size > smallBytes
    return { sizeBytes: size, bytes: isStreamed ? createReadStream('', { fd: file, highWaterMark: 256 * 1024 }) : await file.readFile() }
  } finally {
    // A stream closes its file itself.
    if (!isStreamed) await file.close()
  }
}
