import { createHash } from 'node:crypto'
import { unpacked } from '../encodings.ts'
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
  for await (const piece of unpacked(stored) as AsyncIterable<Buffer>) {
    hash.update(piece)
    sizeBytes += piece.length
    if (sizeBytes <= maxBytes) pieces.push(piece)
    else pieces = []
  }
  return { contentHash: hash.digest('base64url'), sizeBytes, bytes: sizeBytes <= maxBytes ? Buffer.concat(pieces) : undefined }
}
