import { pipeline, Readable } from 'node:stream'
import { createGunzip, createZstdDecompress } from 'node:zlib'
import type { Encoding, StoredResult } from './result-store.ts'

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** By its first bytes. */
export const encodingOf = (bytes: Uint8Array): Encoding => (zstdMagic.equals(bytes.subarray(0, zstdMagic.length)) ? 'zstd' : 'gzip')

const unpackedChunkBytes = 128 * 1024

/** The JSON text of a stored result. Errors surface where the stream is read. */
export function unpacked({ bytes, encoding }: Pick<StoredResult, 'bytes' | 'encoding'>): Readable {
  const packed = Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes
  const unpacking = encoding === 'zstd' ? createZstdDecompress : createGunzip
  return pipeline(packed, unpacking({ chunkSize: unpackedChunkBytes }), () => {})
}
