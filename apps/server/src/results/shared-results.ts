import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { encodingOf } from './encodings.ts'
import { holdMs, makeHolds } from './holds.ts'
import { packResult } from './pack-result.ts'
import { readRanges } from './read-ranges.ts'
import { checkRunId, type Encoding, type ResultStore, smallBytes, storedAtEndBytes, type StoredResult } from './result-store.ts'

/**
 * Results that several processes share.
 *
 * - The *ledger* is a table in the service's own database with one row per result: its place, whether it is complete,
 *   whether it was removed, and until when it is held.
 * - A *place* stores the bytes: the same database, in pieces, or an S3 bucket. Results that are compressed with zstd have places of their
 *   own, which earlier versions don't know: to them, these results don't exist.
 * - A *hold* (holds.ts) keeps the bytes of a removed result for readers that have it open.
 *
 * A row exists from before the first byte until after the last one, so nothing is ever stored that the ledger does not know.
 * A result can be opened once its row says that it is complete and until its row says that it was removed. Its bytes are
 * deleted when it was removed at least `holdMs` ago and has no hold.
 */
export type PlaceName = 'postgres' | 'postgres_zstd' | 's3' | 's3_zstd'

export interface BytePlace {
  /** How much `read` returns at a time; at least the size of a small result. */
  rangeBytes: number
  /**
   * Leaves its partial data behind when it throws. Calls `onUpload` with the id that `remove` needs if this process dies.
   */
  write(options: {
    id: string
    bytes: AsyncIterable<Buffer>
    onUpload(uploadId: string): Promise<void>
  }): Promise<void>
  /** `rangeBytes` from the offset, or up to the end. Undefined if nothing is stored under the id. */
  read(options: { id: string; offset: number }): Promise<Buffer | undefined>
  /** Removes what is complete, incomplete or missing alike. Throws if something could not be removed. */
  remove(stored: { id: string; uploadId: string | null }[]): Promise<void>
}

export interface ResultLedger {
  begin(options: { runId: string; place: PlaceName; heldUntil: Date }): Promise<void>
  /** False, as from `finish`, if the result was abandoned because its writer was considered dead. */
  noteUpload(options: { runId: string; uploadId: string }): Promise<boolean>
  finish(options: { runId: string; sizeBytes: number; writtenAt: Date }): Promise<boolean>
  /** Stores a small result, ledger row and bytes, if its place is the ledger's own database. */
  insertWhole(options: { runId: string; place: PlaceName; bytes: Buffer; writtenAt: Date }): Promise<void>
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
  /** Null if it was never finished. */
  sizeBytes: number | null
}

const placeNames: Record<'postgres' | 's3', Record<Encoding, PlaceName>> = {
  postgres: { gzip: 'postgres', zstd: 'postgres_zstd' },
  s3: { gzip: 's3', zstd: 's3_zstd' },
}
const encodingIn: Record<PlaceName, Encoding> = { postgres: 'gzip', postgres_zstd: 'zstd', s3: 'gzip', s3_zstd: 'zstd' }

/** A writer counts as dead once its hold expired this long ago. Until then, its database may just have been unreachable. */
const abandonedAfterMs = 3600_000
/** The limits of one sweep batch: the number of results and their total bytes. */
const leftoversAtOnce = 200
const leftoverBytesAtOnce = 128 * 1024 * 1024

export function openSharedResults(options: {
  ledger: ResultLedger
  /** The reachable places. Results in other places cannot be opened and are left alone. */
  places: Partial<Record<PlaceName, BytePlace>>
  writeTo: 'postgres' | 's3'
  clock: Clock
  log: Log
}): ResultStore {
  const { ledger, places, writeTo, clock, log } = options
  const holds = makeHolds({ clock, log, write: (hold) => ledger.hold(hold) })
  const ago = (ms: number) => new Date(clock.now().getTime() - ms)

  async function writeInSteps(runId: string, placeName: PlaceName, { bytes, sizeBytes }: { bytes: AsyncIterable<Buffer>; sizeBytes(): number }) {
    const place = places[placeName]!
    await ledger.begin({ runId, place: placeName, heldUntil: new Date(clock.now().getTime() + holdMs) })
    const releaseHold = holds.take(runId)
    let uploadId: string | null = null
    try {
      await place.write({
        id: runId,
        bytes,
        async onUpload(id) {
          uploadId = id
          if (!(await ledger.noteUpload({ runId, uploadId }))) throw abandoned(runId)
        },
      })
      if (!(await ledger.finish({ runId, sizeBytes: sizeBytes(), writtenAt: clock.now() }))) throw abandoned(runId)
    } catch (error) {
      await remove(placeName, [{ runId, uploadId }]).catch((err: unknown) =>
        log.warn({ err, runId }, 'unfinished result not removed, left to the sweeper'),
      )
      throw error
    } finally {
      releaseHold()
    }
  }

  async function remove(place: PlaceName, results: Pick<Leftover, 'runId' | 'uploadId'>[]) {
    await places[place]!.remove(results.map(({ runId, uploadId }) => ({ id: runId, uploadId })))
    await ledger.forget(results.map(({ runId }) => runId))
  }

  return {
    async write({ runId, result, limits, onRows, storesAtEnd }) {
      checkRunId(runId)
      const { bytes, sizeBytes, written } = packResult(result, { limits, onRows })
      try {
        const { beginning, isWhole } = await takeBeginning(bytes)
        const encoding = encodingOf(beginning[0]!)
        const place = placeNames[writeTo][encoding]
        if (isWhole && writeTo === 'postgres') {
          const whole = Buffer.concat(beginning)
          // The statement that ends a run knows only the first place.
          if (storesAtEnd && encoding === 'gzip' && whole.length <= storedAtEndBytes) return { ...written(), unstored: whole }
          await ledger.insertWhole({ runId, place, bytes: whole, writtenAt: clock.now() })
        } else {
          await writeInSteps(runId, place, { bytes: joined(beginning, bytes), sizeBytes })
        }
      } finally {
        // If writing stops early, stop the engine too.
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
      const encoding = encodingIn[found.place]
      const { rangeBytes } = place
      const read = (offset: number) => place.read({ id: runId, offset })
      const releaseHold = holds.take(runId)
      try {
        const beginning = found.beginning ?? (await read(0))
        // The bytes were removed manually, or the database was restored without them.
        if (beginning?.length !== Math.min(rangeBytes, sizeBytes)) return undefined
        if (sizeBytes <= smallBytes) return { sizeBytes, encoding, bytes: beginning }
        const onClose = holds.take(runId)
        return { sizeBytes, encoding, bytes: readRanges({ sizeBytes, rangeBytes, beginning, read, onClose }) }
      } finally {
        releaseHold()
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
      // Sweep place by place, so that an unreachable bucket does not block the database.
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

/** The first leftovers up to the total size, but at least one. */
function upToBytes(leftovers: Leftover[], maxBytes: number): Leftover[] {
  let bytes = 0
  return leftovers.filter(({ sizeBytes }, index) => {
    bytes += sizeBytes ?? 0
    return index === 0 || bytes <= maxBytes
  })
}

const abandoned = (runId: string) =>
  new Error(`The result of ${runId} was abandoned: its writer did not renew its hold for too long.`)

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
