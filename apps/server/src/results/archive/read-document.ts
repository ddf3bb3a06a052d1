import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { StoredResult } from '../result-store.ts'

export interface ReadDocument {
  contentHash: string
  sizeBytes: number
  /** Undefined if it is too large to be held in memory. */
  bytes: Buffer | undefined
}

/** Reads the document of a result, and finds its hash. */
export async function readDocument(stored: StoredResult, maxBytes: number): Promise<ReadDocument> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  let pieces: Buffer[] = []
  for await (const piece of unzipped(stored)) {
    hash.update(piece)
    sizeBytes += piece.length
    if (sizeBytes <= maxBytes) pieces.push(piece)
    else pieces = []
  }
  return { contentHash: hash.digest('base64url'), sizeBytes, bytes: sizeBytes <= maxBytes ? Buffer.concat(pieces) : undefined }
}

export function unzipped({ bytes }: StoredResult): AsyncIterable<Buffer> {
  const packed = Buffer.isBuffer(bytes) ? Readable.from([bytes]) : bytes
  // Errors surface where the stream is read.
  return pipeline(packed, createGunzip({ chunkSize: 256 * 1024 }), () => {})
}
