/**
 * Reads an uploaded file. Gzip files are decompressed first, into a file in the child's folder. Node checks length and
 * checksum, while DuckDB would accept a truncated file. The code that follows then only deals with plain files.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { ImportFault } from './import-fault.ts'

const chunkBytes = 1024 * 1024

/** Enough to recognize the file's format. */
export async function readBeginning(file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    const bytes = Buffer.alloc(chunkBytes)
    const { bytesRead } = await handle.read(bytes)
    return bytes.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

export const readChunks = (file: string): AsyncIterable<Buffer> => createReadStream(file, { highWaterMark: chunkBytes })

export const isGzip = (beginning: Uint8Array) => beginning[0] === 0x1f && beginning[1] === 0x8b

/** The path of the decompressed file: the file itself, unless it is compressed. */
export async function unpacked(file: string, options: { beginning: Uint8Array; maxMb: number }): Promise<string> {
  if (!isGzip(options.beginning)) return file
  const target = resolve('unpacked')
  async function* bounded(pieces: AsyncIterable<Buffer>) {
    let sizeBytes = 0
    for await (const piece of pieces) {
      sizeBytes += piece.length
      if (sizeBytes > options.maxMb * 1024 * 1024) {
        throw new ImportFault('too_large', `Decompressed, the file is larger than ${options.maxMb} MiB.`)
      }
      yield piece
    }
  }
  try {
    await pipeline(createReadStream(file), createGunzip({ chunkSize: chunkBytes }), bounded, createWriteStream(target))
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw error
    const reason = (error as Error).message
    throw new ImportFault('file', `The file is compressed with gzip and cannot be decompressed: ${reason}. Compress it again.`)
  }
  return target
}
