import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { compress } from '../compress.ts'
import { encodingOf } from '../encodings.ts'
import { smallBytes, type StoredResult } from '../result-store.ts'

/**
 * A restored document as the result that was cached once: compressed, with a known size. All of it is restored, and so verified,
 * before the first byte can be read. A large one waits in a file, so that a slow reader takes no memory.
 */
export async function restoreResult(
  document: AsyncGenerator<Buffer>,
  { temporaryDirectory }: { temporaryDirectory: string },
): Promise<StoredResult> {
  const beginning: Buffer[] = []
  let sizeBytes = 0
  const bytes = compress(document)
  for await (const piece of { [Symbol.asyncIterator]: () => ({ next: () => bytes.next() }) }) {
    beginning.push(piece)
    sizeBytes += piece.length
    if (sizeBytes > smallBytes) return inFile(beginning, bytes, temporaryDirectory)
  }
  const whole = Buffer.concat(beginning)
  return { sizeBytes, encoding: encodingOf(whole), bytes: whole }
}

async function inFile(beginning: Buffer[], rest: AsyncGenerator<Buffer>, temporaryDirectory: string): Promise<StoredResult> {
  await mkdir(temporaryDirectory, { recursive: true })
  const folder = await mkdtemp(path.join(path.resolve(temporaryDirectory), 'restored-'))
  try {
    const file = await open(path.join(folder, 'result'), 'wx+')
    try {
      for (const piece of beginning) await file.writeFile(piece)
      for await (const piece of rest) await file.writeFile(piece)
      const { size } = await file.stat()
      const stream: Readable = createReadStream('', { fd: file, start: 0, highWaterMark: 256 * 1024 })
      return { sizeBytes: size, encoding: encodingOf(beginning[0]!), bytes: stream }
    } catch (error) {
      await file.close()
      throw error
    }
  } finally {
    // The open file can be read to its end even after its name is removed.
    await rm(folder, { recursive: true, force: true })
    await rest.return(undefined)
  }
}
