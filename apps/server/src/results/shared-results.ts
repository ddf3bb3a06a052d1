import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { holdMs, makeHolds } from './holds.ts'
import { packResult } from './pack-result.ts'
import { readRanges } from './read-ranges.ts'
import { checkRunId, type ResultStore, smallBytes, type StoredResult } from './result-store.ts'

/**
 * Results that several processes share.
 *
 * - The *ledger* is a table of the service's own database with a row a result: which place has it, whether it is whole,
 *   whether it was removed, until when it is held.
 * - A *place* keeps the bytes: the same database in pieces, or an S3 bucket.
 * - A *hold* (holds.ts) keeps the bytes of a removed result for those who have it open.
 *
 * A row is there before the first byte and until after the last, so nothing is ever stored that the ledger does not
 * know of. A result can be opened from when its row says that it is whole until its row says that it was removed. Its
 * bytes go when it was removed at least `holdMs` ago and nobody holds it.
 */
export type PlaceName = 'postgres' | 's3'

export interface BytePlace {
  /** How much `read` gives at a time; no less than a small result. */
  rangeBytes: number
  /**
   * Leaves whatever it has written when it throws. `onUpload` is told of what `remove` needs to know if this process
   * dies.
   */
  write(options: {
    runId: string
    bytes: AsyncIterable<Buffer>
    onUpload(uploadId: string): Promise<void>
  }): Promise<void>
  /** `rangeBytes` from there, or up to the end. Nothing when it is not there. */
  read(options: { runId: string; offset: number }): Promise<Buffer | undefined>
  /** Whole or not, or not there at all. What it cannot remove it leaves, and throws. */
  remove(results: { runId: string; uploadId: string | null }[]): Promise<void>
}

export interface ResultLedger {
  begin(options: { runId: string; place: PlaceName; heldUntil: Date }): Promise<void>
  /** False, as from `finish`, when the result was given up meanwhile: its writer was taken for dead. */
  noteUpload(options: { runId: string; uploadId: string }): Promise<boolean>
  finish(options: { runId: string; sizeBytes: number; writtenAt: Date }): Promise<boolean>
  /** All of a small result whose place is the ledger's own database. */
  insertWhole(options: { runId: string; bytes: Buffer; writtenAt: Date }): Promise<void>
  find(runId: string): Promise<{ place: PlaceName; sizeBytes: number; beginning: Buffer | null } | undefined>
  hold(options: { runIds: string[]; until: Date }): Promise<void>
  markRemoved(options: { runIds: string[]; removedAt: Date }): Promise<void>
  leftovers(options: {
    places: PlaceName[]
    now: Date
    removedBefore: Date
    abandonedBefore: Date
    writtenBefore: Date
    count: number
  }): Promise<Leftover[]>
  forget(runIds: string[]): Promise<void>
}

interface Leftover {
  runId: string
  place: PlaceName
  uploadId: string | null
  /** Null for one that was never finished. */
  sizeBytes: number | null
}

/** A writer is dead when it has not held its result for this long; until then its database may just have been away. */
const abandonedAfterMs = 3600_000
/** One batch of the sweep: so many results, or as few as make up so many bytes. */
const leftoversAtOnce = 200
const leftoverBytesAtOnce = 128 * 1024 * 1024

export function openSharedResults(options: {
  ledger: ResultLedger
  /** Those that can be reached: what is in another place cannot be opened, and is left alone. */
  places: Partial<Record<PlaceName, BytePlace>>
  writeTo: PlaceName
  clock: Clock
  log: Log
}): ResultStore {
  const { ledger, places, writeTo, clock, log } = options
  const holds = makeHolds({ clock, log, tell: (told) => ledger.hold(told) })
  const ago = (ms: number) => new Date(clock.now().getTime() - ms)

  async function writeInSteps(runId: string, bytes: AsyncIterable<Buffer>, sizeBytes: () => number) {
    const place = places[writeTo]!
    await ledger.begin({ runId, place: writeTo, heldUntil: new Date(clock.now().getTime() + holdMs) })
    const letGo = holds.take(runId)
    let uploadId: string | null = null
    try {
      await place.write({
        runId,
        bytes,
        async onUpload(id) {
          uploadId = id
          if (!(await ledger.noteUpload({ runId, uploadId }))) throw givenUp(runId)
        },
      })
      if (!(await ledger.finish({ runId, sizeBytes: sizeBytes(), writtenAt: clock.now() }))) throw givenUp(runId)
    } catch (error) {
      await remove(writeTo, [{ runId, uploadId }]).catch((err: unknown) =>
        log.warn({ err, runId }, 'could not remove an unfinished result; it is left to the sweeper'),
      )
      throw error
    } finally {
      letGo()
    }
  }

  async function remove(place: PlaceName, results: Pick<Leftover, 'runId' | 'uploadId'>[]) {
    await places[place]!.remove(results)
    await ledger.forget(results.map(({ runId }) => runId))
  }

  return {
    async write({ runId, result, limits, onRows }) {
      checkRunId(runId)
      const { bytes, sizeBytes, written } = packResult(result, { limits, onRows })
      try {
        const { beginning, isWhole } = await takeBeginning(bytes)
        if (isWhole && writeTo === 'postgres') {
          await ledger.insertWhole({ runId, bytes: Buffer.concat(beginning), writtenAt: clock.now() })
        } else {
          await writeInSteps(runId, joined(beginning, bytes), sizeBytes)
        }
      } finally {
        // Whoever stops early also stops the engine.
        await bytes.return(undefined)
      }
      return written()
    },

    async open(runId): Promise<StoredResult | undefined> {
      checkRunId(runId)
      const found = await ledger.find(runId)
      const place = found && places[found.place]
      if (!found || !place) return undefined
      const { sizeBytes } = found
      const { rangeBytes } = place
      const read = (offset: number) => place.read({ runId, offset })
      const letGo = holds.take(runId)
      try {
        const beginning = found.beginning ?? (await read(0))
        // Somebody removed the bytes by hand, or restored the database without them.
        if (beginning?.length !== Math.min(rangeBytes, sizeBytes)) return undefined
        if (sizeBytes <= smallBytes) return { sizeBytes, bytes: beginning }
        const onClose = holds.take(runId)
        return { sizeBytes, bytes: readRanges({ sizeBytes, rangeBytes, beginning, read, onClose }) }
      } finally {
        letGo()
      }
    },

    async remove(runId) {
      checkRunId(runId)
      await ledger.markRemoved({ runIds: [runId], removedAt: clock.now() })
    },

    async removeAll(runIds) {
      runIds.forEach(checkRunId)
      await ledger.markRemoved({ runIds, removedAt: clock.now() })
    },

    async sweep({ writtenBefore }) {
      const swept = { removed: 0, hasMore: false }
      const failures: unknown[] = []
      // Place by place: a bucket that is away keeps nothing in the database.
      for (const place of Object.keys(places) as PlaceName[]) {
        const found = await ledger.leftovers({
          places: [place],
          now: clock.now(),
          removedBefore: ago(holdMs),
          abandonedBefore: ago(abandonedAfterMs),
          writtenBefore,
          count: leftoversAtOnce,
        })
        if (found.length === 0) continue
        const batch = upToBytes(found, leftoverBytesAtOnce)
        try {
          await remove(place, batch)
          swept.removed += batch.length
          swept.hasMore ||= found.length === leftoversAtOnce || batch.length < found.length
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
      return swept
    },
  }
}

/** The first ones, which together have about so many bytes; one at least. */
function upToBytes(leftovers: Leftover[], maxBytes: number): Leftover[] {
  let bytes = 0
  return leftovers.filter(({ sizeBytes }, index) => {
    bytes += sizeBytes ?? 0
    return index === 0 || bytes <= maxBytes
  })
}

const givenUp = (runId: string) =>
  new Error(`The result of ${runId} was given up: its writer had not been heard of for too long.`)

async function takeBeginning(bytes: AsyncGenerator<Buffer>): Promise<{ beginning: Buffer[]; isWhole: boolean }> {
  const beginning: Buffer[] = []
  for (let takenBytes = 0; takenBytes <= smallBytes; takenBytes += beginning.at(-1)!.length) {
    const next = await bytes.next()
    if (next.done) return { beginning, isWhole: true }
    beginning.push(next.value)
  }
  return { beginning, isWhole: false }
}

async function* joined(beginning: Buffer[], rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield* beginning
  yield* rest
}
