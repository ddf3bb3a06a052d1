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

/**
 * Results as files of one folder. A file appears under its name only when it is whole and on disk, so whoever finds it
 * can send it. Unfinished files of processes that died are removed at a later start, or later.
 */
export async function openFileResults(options: { folder: string; clock: Clock }): Promise<ResultStore> {
  const { folder, clock } = options
  await mkdir(folder, { recursive: true })
  await removeOld({ folder, ending: '.part', before: leftoversBefore(clock) })
  let sweptMs = clock.monotonicMs()
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

    async sweep({ writtenBefore }) {
      if (clock.monotonicMs() < sweptMs + sweepEveryMs) return
      sweptMs = clock.monotonicMs()
      await removeOld({ folder, ending: '.part', before: leftoversBefore(clock) })
      await removeOld({ folder, ending: '.json.gz', before: writtenBefore })
    },
  }
}

const leftoversBefore = (clock: Clock) => new Date(clock.now().getTime() - leftoverAgeMs)

async function removeOld({ folder, ending, before }: { folder: string; ending: string; before: Date }) {
  for (const name of await readdir(folder)) {
    if (!name.endsWith(ending)) continue
    const file = path.join(folder, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (mtimeMs < before.getTime()) await rm(file, { force: true })
  }
}

/** Resolves with the file already open, so that a removal from now on does not disturb the reader. */
function openStream(file: string) {
  const stream = createReadStream(file, { highWaterMark: 256 * 1024 })
  return new Promise<typeof stream>((resolve, reject) => {
    stream.once('open', () => resolve(stream))
    stream.once('error', reject)
  })
}
