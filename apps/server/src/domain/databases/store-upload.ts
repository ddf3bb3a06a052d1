import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../refusal.ts'

/**
 * Writes a stream of bytes to a new file, in pieces. Throws if the upload is too large or breaks off; removing the file is then up
 * to the caller.
 */
export async function storeUpload(options: { bytes: Readable; file: string; maxBytes: number }): Promise<void> {
  const { bytes, file, maxBytes } = options
  let isBrokenOff = false
  async function* bounded() {
    let sizeBytes = 0
    // Not destroyed when this ends early: the sender must still be able to read the response.
    const pieces = bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
    try {
      for await (const piece of pieces) {
        sizeBytes += piece.length
        if (sizeBytes > maxBytes) throw uploadTooLarge(maxBytes)
        yield piece
      }
    } catch (error) {
      isBrokenOff = !(error instanceof Refusal)
      throw error
    }
  }
  try {
    await pipeline(bounded, createWriteStream(file, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    if (!isBrokenOff) throw error
    throw new Refusal('invalid_request', 'The upload was interrupted. Upload the file again.')
  }
}

export function uploadTooLarge(maxBytes: number): Refusal {
  const mebibytes = maxBytes / 1024 ** 2
  const limit = mebibytes >= 1024 ? `${mebibytes / 1024} GiB` : mebibytes >= 1 ? `${mebibytes} MiB` : `${maxBytes} bytes`
  return new Refusal('body_too_large', `The file is larger than ${limit}. Upload less.`)
}
