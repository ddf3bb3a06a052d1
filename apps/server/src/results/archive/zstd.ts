import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createZstdCompress, createZstdDecompress, zstdCompress, zstdDecompress } from 'node:zlib'
import { ArchiveDamaged } from './number-bytes.ts'

/** A higher level gains a few percent and takes several times as long (`npm run bench -- history`). The checksum detects damage. */
const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 }

const compressAll = promisify(zstdCompress) as (bytes: Buffer, options: object) => Promise<Buffer>
const unpackAll = promisify(zstdDecompress) as (bytes: Buffer, options: object) => Promise<Buffer>

export const pack = (bytes: Buffer): Promise<Buffer> => compressAll(bytes, { params })

/** `maxBytes` bounds what damaged bytes can expand to. */
export async function unpack(bytes: Buffer, { maxBytes }: { maxBytes: number }): Promise<Buffer> {
  try {
    return await unpackAll(bytes, { maxOutputLength: Math.max(1, maxBytes) })
  } catch {
    throw new ArchiveDamaged()
  }
}

export const packStream = (bytes: AsyncIterable<Buffer>): AsyncIterable<Buffer> =>
  Readable.from(bytes, { objectMode: false }).compose(createZstdCompress({ params, chunkSize: 256 * 1024 }))

export async function* unpackStream(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const packed = Readable.from(bytes, { objectMode: false })
  // Errors surface in the loop below.
  const unpacked = pipeline(packed, createZstdDecompress({ chunkSize: 256 * 1024 }), () => {})
  try {
    yield* unpacked as AsyncIterable<Buffer>
  } catch (error) {
    if (isDamage(error)) throw new ArchiveDamaged()
    throw error
  } finally {
    unpacked.destroy()
    packed.destroy()
  }
}

const isDamage = (error: unknown) => /^(ZSTD_|ERR_BUFFER|Z_)/.test(String((error as NodeJS.ErrnoException).code))
