import { makeSemaphore } from '../../../ports/semaphore.ts'
import { type PatchPiece, patchSteps, textPieces } from '../../../results/archive/document-patch.ts'
import { inTurns } from '../../../results/archive/in-turns.ts'
import { readDocument } from '../../../results/archive/read-document.ts'
import { unpacked } from '../../../results/encodings.ts'
import { findRows } from '../../../results/archive/row-document.ts'
import { differenceDocumentMaxBytes } from '../archive-policy.ts'
import { openKeptResult, type OpenKeptResultDeps } from '../open-kept-result.ts'
import type { OpenedChange } from './reference-changes.ts'

export type PatchLine = PatchPiece | { end: { bytes: number; sha256: string } }

/** Finding a patch takes memory for both documents. */
const patching = makeSemaphore({ permits: 1 })

/**
 * The exact difference between the documents of two results, as the result route sends them: unlike the changed rows, it has their order
 * and every byte. The last line has the size and the hash of the later document. Documents that are too large for memory are repeated.
 */
export async function* changePatch(
  deps: OpenKeptResultDeps & { differenceMaxBytes?: number },
  { from, to }: Pick<OpenedChange, 'from' | 'to'>,
  signal: AbortSignal,
): AsyncGenerator<PatchLine> {
  const maxBytes = deps.differenceMaxBytes ?? differenceDocumentMaxBytes
  const later = await readDocument(await openKeptResult(deps, to), maxBytes)
  const pieces = later.bytes && (await patching.run(() => patchFrom(deps, from, later.bytes!, { maxBytes, signal }), signal))
  if (pieces) yield* pieces
  else yield* repeated(deps, to)
  yield { end: { bytes: later.sizeBytes, sha256: Buffer.from(later.contentHash, 'base64url').toString('hex') } }
}

/** Undefined if one of the documents has no rows, or the earlier one does not fit into memory. */
async function patchFrom(
  deps: OpenKeptResultDeps,
  from: OpenedChange['from'],
  later: Buffer,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<PatchPiece[] | undefined> {
  const { bytes: earlier } = await readDocument(await openKeptResult(deps, from), maxBytes)
  const fromRows = earlier && (await inTurns(findRows(earlier), signal))
  const toRows = fromRows && (await inTurns(findRows(later), signal))
  return toRows && inTurns(patchSteps(fromRows, toRows), signal)
}

async function* repeated(deps: OpenKeptResultDeps, to: OpenedChange['to']): AsyncGenerator<PatchPiece> {
  let rest = Buffer.alloc(0)
  for await (const piece of unpacked(await openKeptResult(deps, to)) as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, piece])
    const end = completeEnd(bytes)
    yield* textPieces(bytes.subarray(0, end))
    rest = bytes.subarray(end)
  }
  yield* textPieces(rest)
}

/** Where the last character begins, which may be cut off. */
function completeEnd(bytes: Buffer): number {
  let end = bytes.length - 1
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return Math.max(0, end)
}
