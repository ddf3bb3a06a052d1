import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { uploadTooLarge } from '../domain/databases/store-upload.ts'
import { Refusal } from '../domain/refusal.ts'

export interface SpooledUpload {
  contentHash: Uint8Array
  /** Reads the file from its beginning. */
  open(): Readable
  remove(): Promise<void>
}

/** Receives a file whose hash must be known before it is used. It is kept on disk, because it can be larger than memory allows. */
export async function spoolUpload(body: Readable, maxBytes: number): Promise<SpooledUpload> {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-upload-'))
  const file = path.join(folder, 'file')
  const remove = () => rm(folder, { recursive: true, force: true })
  const hash = createHash('sha256')
  async function* counted(pieces: AsyncIterable<Uint8Array>) {
    let sizeBytes = 0
    for await (const piece of pieces) {
      sizeBytes += piece.length
      if (sizeBytes > maxBytes) throw uploadTooLarge(maxBytes)
      hash.update(piece)
      yield piece
    }
  }
  try {
    // Not destroyed when this ends early: the sender must still be able to read the response.
    await pipeline(counted(body.iterator({ destroyOnReturn: false })), createWriteStream(file))
  } catch (error) {
    await remove()
    if (error instanceof Refusal || !body.errored) throw error
    throw new Refusal('invalid_request', 'The file was not sent completely. Send it again.')
  }
  return { contentHash: hash.digest(), open: () => createReadStream(file), remove }
}
