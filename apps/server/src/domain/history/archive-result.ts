import type { ArchiveDecision, ClaimedArchiveJob } from '../../model/history.ts'
import type { Random } from '../../ports/random.ts'
import type { ArchiveBytes } from '../../results/archive/archive-bytes.ts'
import { differenceSteps } from '../../results/archive/encode-difference.ts'
import { inTurns } from '../../results/archive/in-turns.ts'
import { ArchiveDamaged } from '../../results/archive/number-bytes.ts'
import { readDocument } from '../../results/archive/read-document.ts'
import { joined, restoreDocument } from '../../results/archive/restore-document.ts'
import { findRows } from '../../results/archive/row-document.ts'
import { pack, packStream } from '../../results/archive/zstd.ts'
import { unpacked } from '../../results/encodings.ts'
import type { ResultStore } from '../../results/result-store.ts'
import type { Db } from '../../store/db.ts'
import {
  type BaseObject,
  beginObject,
  findBaseObject,
  findObjectByContent,
  noteObjectUpload,
  readChain,
} from '../../store/history/archive-objects.ts'
import { newId } from '../ids.ts'
import { differenceDocumentMaxBytes, isWorthADifference } from './archive-policy.ts'

export interface ArchiveDeps {
  db: Db
  random: Random
  results: ResultStore
  archive: ArchiveBytes
  /** For tests: larger documents are stored whole. */
  differenceMaxBytes?: number
}

/**
 * Stores the cached result of a run in the archive: not at all if an equal one is there, as a difference from an earlier one if that is
 * much smaller, else as it is. Nothing can be opened until the decision is recorded; what an interrupted attempt leaves is swept.
 */
export async function archiveResult(deps: ArchiveDeps, job: ClaimedArchiveJob, signal: AbortSignal): Promise<ArchiveDecision> {
  const { organizationId } = job
  const stored = await deps.results.open(job.id)
  if (!stored) return { state: 'skipped', reason: 'The cached result is no longer stored.' }
  const document = await readDocument(stored, deps.differenceMaxBytes ?? differenceDocumentMaxBytes)
  signal.throwIfAborted()
  const { contentHash, sizeBytes } = document
  const equal = await findObjectByContent(deps.db, { organizationId, contentHash })
  if (equal) return { state: 'archived', objectId: equal.id, storedBytes: null }

  const difference = document.bytes && (await differenceFrom(deps, { runId: job.id, bytes: document.bytes }, signal))
  const bytes = difference?.packed ?? (await wholeOf(deps, job.id, document.bytes))
  if (!bytes) return { state: 'skipped', reason: 'The cached result is no longer stored.' }
  const object = { id: newId(deps.random, 'arc'), organizationId, contentHash, place: deps.archive.writeTo, documentBytes: sizeBytes }
  const base = difference?.base ?? null
  const hasBegun = await beginObject(deps.db, { ...object, base, differenceBytes: difference?.packed.length ?? 0 })
  if (!hasBegun) return { state: 'due', waitMs: 0, reason: 'The earlier result was removed.' }
  const storedBytes = await deps.archive.write({
    id: object.id,
    bytes: Buffer.isBuffer(bytes) ? only(bytes) : bytes,
    onUpload: (uploadId) => noteObjectUpload(deps.db, { objectId: object.id, uploadId }),
  })
  return { state: 'archived', objectId: object.id, storedBytes }
}

/** Undefined if there is no base, or the difference is not worth it. */
async function differenceFrom(
  deps: ArchiveDeps,
  next: { runId: string; bytes: Buffer },
  signal: AbortSignal,
): Promise<{ base: BaseObject; packed: Buffer } | undefined> {
  const base = await findBaseObject(deps.db, next)
  if (!base) return undefined
  const chain = await readChain(deps.db, base.id)
  if (chain.length === 0 || chain.at(-1)!.documentBytes > (deps.differenceMaxBytes ?? differenceDocumentMaxBytes)) return undefined
  if (!isWorthADifference(base, 0)) return undefined
  const nextRows = await inTurns(findRows(next.bytes), signal)
  const baseRows = nextRows && (await readBase(deps, chain, signal))
  if (!baseRows) return undefined
  const packed = await pack(await inTurns(differenceSteps(baseRows, nextRows), signal))
  return isWorthADifference(base, packed.length) ? { base, packed } : undefined
}

/** A damaged base must not keep later results from being stored. */
async function readBase({ archive }: ArchiveDeps, chain: Parameters<typeof restoreDocument>[1], signal: AbortSignal) {
  try {
    return await inTurns(findRows(await joined(restoreDocument(archive, chain))), signal)
  } catch (error) {
    if (error instanceof ArchiveDamaged) return undefined
    throw error
  }
}

/** A document that is too large for memory is read a second time. */
async function wholeOf({ results }: ArchiveDeps, runId: string, bytes: Buffer | undefined) {
  if (bytes) return pack(bytes)
  const stored = await results.open(runId)
  return stored && packStream(unpacked(stored))
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
