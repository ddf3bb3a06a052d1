import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { BytePlace } from '../shared-results.ts'

const rangeBytes = 1024 * 1024

/** Stores bytes as files in one folder. A file appears under its name only once it is complete and on disk. */
export function makeFilePlace({ folder }: { folder: string }): BytePlace {
  const fileOf = (id: string) => {
    // Ids become names of files.
    if (!/^\w+$/.test(id)) throw new Error(`Invalid id: ${id}`)
    return path.join(folder, `${id}.zst`)
  }
  return {
    rangeBytes,
    async write({ id, bytes }) {
      await mkdir(folder, { recursive: true })
      const part = `${fileOf(id)}.part`
      const file = await open(part, 'w')
      try {
        for await (const piece of bytes) await file.writeFile(piece)
        await file.datasync()
      } finally {
        await file.close()
      }
      await rename(part, fileOf(id))
    },
    async read({ id, offset }) {
      try {
        const file = await open(fileOf(id))
        try {
          const { size } = await file.stat()
          // Most differences are much smaller than a range.
          const length = Math.max(0, Math.min(rangeBytes, size - offset))
          const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, offset)
          return buffer.subarray(0, bytesRead)
        } finally {
          await file.close()
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async remove(stored) {
      for (const { id } of stored) {
        await rm(fileOf(id), { force: true })
        await rm(`${fileOf(id)}.part`, { force: true })
      }
    },
  }
}
