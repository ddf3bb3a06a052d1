import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../ports/clock.ts'
import { packResult } from './pack-result.ts'
import { checkRunId, type ResultStore, smallBytes } from './result-store.ts'

/** Longer than any run may take to write its result. */
const leftoverAgeMs = 24 * 3600_000
/** Not too often, because a sweep reads the age of every file in the folder. */
const sweepEveryMs = 6 * 3600_000
/** How many files one call of `sweep` checks, and how many are checked or removed concurrently. */
const sweptAtOnce = 500
const filesAtOnce = 16

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
  const fileOf = (runId: string) => {
    checkRunId(runId)
    return path.join(folder, `${runId}.json.gz`)
  }

  return {
    async write({ runId, result, limits, onRows }) {
      const part = `${fileOf(runId)}.part`
      const file = await open(part, 'w')
      try {
        const { bytes, written } = packResult(result, { limits, onRows })
        for await (const piece of bytes) await file.writeFile(piece)
        await file.datasync()
        await rename(part, fileOf(runId))
        return written()
      } catch (error) {
        await rm(part, { force: true })
        throw error
      } finally {
        await file.close()
      }
    },

    async open(runId) {
      try {
        const { size } = await stat(fileOf(runId))
        if (size > smallBytes) return { sizeBytes: size, bytes: await openStream(fileOf(runId)) }
        return { sizeBytes: size, bytes: await readFile(fileOf(runId)) }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },

    remove: (runId) => rm(fileOf(runId), { force: true }),

    async removeAll(runIds) {
      await forEachConcurrently(runIds.map(fileOf), (file) => rm(file, { force: true }))
    },

    async sweep({ writtenBefore }) {
      if (unswept.length === 0) {
        if (clock.monotonicMs() < sweptMs + sweepEveryMs) return { removed: 0, hasMore: false }
        sweptMs = clock.monotonicMs()
        unswept = await readdir(folder)
      }
      const names = unswept.splice(-sweptAtOnce)
      const removed = await removeOld(folder, names, { '.part': leftoversBefore(clock), '.json.gz': writtenBefore })
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

/** Resolves once the file is open, so that removing it afterwards does not affect the reader. */
function openStream(file: string) {
  const stream = createReadStream(file, { highWaterMark: 256 * 1024 })
  return new Promise<typeof stream>((resolve, reject) => {
    stream.once('open', () => resolve(stream))
    stream.once('error', reject)
  })
}
