import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../ports/clock.ts'
import { byteCache } from './byte-cache.ts'
import { compress } from './compress.ts'
import { encodeResult } from './encode-result.ts'
import type { ResultStore } from './result-store.ts'

/** Up to this size a result is read, kept and sent as one piece of memory. */
const smallBytes = 1024 * 1024
const cacheBytes = 64 * 1024 * 1024
/** Longer than any run may take to write its result. */
const leftoverAgeMs = 24 * 3600_000

/**
 * Results as files of one folder. A file appears under its name only when it is whole and on disk, so whoever finds it can
 * send it. Unfinished files of processes that died are removed at a later start.
 */
export async function openFileResults(options: { folder: string; clock: Clock }): Promise<ResultStore> {
  const { folder } = options
  await mkdir(folder, { recursive: true })
  await removeLeftovers(options)
  const fileOf = (runId: string) => {
    if (!/^run_\w+$/.test(runId)) throw new Error(`Not a run's id: ${runId}`)
    return path.join(folder, `${runId}.json.gz`)
  }
  const cache = byteCache({ maxBytes: cacheBytes })

  return {
    async write({ runId, result, limits, onRows }) {
      const part = `${fileOf(runId)}.part`
      const file = await open(part, 'w')
      try {
        const { pieces, rowCount } = encodeResult(result, { limits, onRows })
        const hash = createHash('sha256')
        let sizeBytes = 0
        for await (const bytes of compress(pieces())) {
          hash.update(bytes)
          sizeBytes += bytes.length
          await file.write(bytes)
        }
        await file.datasync()
        await rename(part, fileOf(runId))
        return { rowCount: rowCount(), sizeBytes, hash: hash.digest('base64url') }
      } catch (error) {
        await rm(part, { force: true })
        throw error
      } finally {
        await file.close()
      }
    },

    async open(runId) {
      const cached = cache.get(runId)
      if (cached) return { sizeBytes: cached.length, bytes: cached }
      try {
        const { size } = await stat(fileOf(runId))
        if (size > smallBytes) return { sizeBytes: size, bytes: await openStream(fileOf(runId)) }
        const bytes = await readFile(fileOf(runId))
        cache.set(runId, bytes)
        return { sizeBytes: size, bytes }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },

    async remove(runId) {
      cache.delete(runId)
      await rm(fileOf(runId), { force: true })
    },
  }
}

async function removeLeftovers({ folder, clock }: { folder: string; clock: Clock }) {
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.part')) continue
    const file = path.join(folder, name)
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: 0 }))
    if (clock.now().getTime() - mtimeMs > leftoverAgeMs) await rm(file, { force: true })
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
