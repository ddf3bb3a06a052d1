import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../ports/clock.ts'
import { packResult } from './pack-result.ts'
import { checkRunId, type ResultStore, smallBytes } from './result-store.ts'

/** Longer than any run may take to write its result. */
const leftoverAgeMs = 24 * 3600_000
/** Looking through the folder means asking for the age of every file in it. */
const sweepEveryMs = 6 * 3600_000
/** How many files one call of `sweep` looks at, and how many are looked at or removed at the same time. */
const sweptAtOnce = 500
const filesAtOnce = 16

/**
 * Results as files of one folder. A file appears under its name only when it is whole and on disk, so whoever finds it
 * can send it. Unfinished files of processes that died are removed at a later start, or later.
 */
export async function openFileResults(options: { folder: string; clock: Clock }): Promise<ResultStore> {
  const { folder, clock } = options
  await mkdir(folder, { recursive: true })
  const atStart = await readdir(folder)
  await removeOld(folder, atStart, { '.part': leftoversBefore(clock) })
  let sweptMs = clock.monotonicMs()
  /** Names that the walk through the folder has yet to look at. */
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
      await forEachOf(runIds.map(fileOf), (file) => rm(file, { force: true }))
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

/** Removes those of the files that were last written before the time given for their ending. Returns how many there were. */
async function removeOld(folder: string, names: string[], before: Record<string, Date>): Promise<number> {
  let removed = 0
  await forEachOf(names, async (name) => {
    const ending = Object.keys(before).find((each) => name.endsWith(each))
    if (ending === undefined) return
    const file = path.join(folder, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs >= before[ending]!.getTime()) return
    await rm(file, { force: true })
    removed += 1
  })
  return removed
}

/** A few at a time: the file system has only a few threads, which those who read results need too. */
async function forEachOf<Item>(items: Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values()
  const workers = Array.from({ length: filesAtOnce }, async () => {
    for (const item of queue) await act(item)
  })
  await Promise.all(workers)
}

/** Resolves with the file already open, so that a removal from now on does not disturb the reader. */
function openStream(file: string) {
  const stream = createReadStream(file, { highWaterMark: 256 * 1024 })
  return new Promise<typeof stream>((resolve, reject) => {
    stream.once('open', () => resolve(stream))
    stream.once('error', reject)
  })
}
