import { createHash } from 'node:crypto'
import type { ChainLink } from '../../model/history.ts'
import { applySteps } from './apply-differences.ts'
import type { ArchiveBytes } from './archive-bytes.ts'
import { inTurns } from './in-turns.ts'
import { ArchiveDamaged } from './number-bytes.ts'
import { findRows } from './row-document.ts'
import { unpack, unpackStream } from './zstd.ts'

/** A difference is not larger than the document it describes plus a few bytes for each of its rows. */
const differenceMaxBytes = (documentBytes: number) => 4 * documentBytes + 1024

/**
 * The document at the end of a chain, exactly as it was stored. The last piece is followed by an `ArchiveDamaged` error if the pieces are
 * not what was stored, so nobody may use them before all have been read.
 */
export async function* restoreDocument(bytes: ArchiveBytes, chain: ChainLink[]): AsyncGenerator<Buffer> {
  const last = chain.at(-1)!
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const piece of chain.length === 1 ? unpackStream(bytes.read(last)) : applied(bytes, chain)) {
    hash.update(piece)
    sizeBytes += piece.length
    yield piece
  }
  if (sizeBytes !== last.documentBytes || hash.digest('base64url') !== last.contentHash) throw new ArchiveDamaged()
}

async function* applied(bytes: ArchiveBytes, [key, ...links]: ChainLink[]): AsyncGenerator<Buffer> {
  const packedKey = await joined(bytes.read(key!))
  const document = await inTurns(findRows(await unpack(packedKey, { maxBytes: key!.documentBytes })))
  if (!document) throw new ArchiveDamaged()
  const differences: Buffer[] = []
  for (const link of links) {
    differences.push(await unpack(await joined(bytes.read(link)), { maxBytes: differenceMaxBytes(link.documentBytes) }))
  }
  const restored = await inTurns(applySteps(document, differences))
  yield* restored.pieces()
}

export async function joined(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(piece)
  return all.length === 1 ? all[0]! : Buffer.concat(all)
}
