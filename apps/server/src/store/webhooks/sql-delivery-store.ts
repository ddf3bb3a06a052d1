import type { AttemptRecord, Claim, ClaimOptions } from '../../model/claimed-delivery.ts'
import type { Clock } from '../../ports/clock.ts'
import { makeClaimFloor } from '../claim-floor.ts'
import type { Db, Tx } from '../db.ts'
import { claimBesideMany, claimDeliveries, claimFromLanes } from './claim-deliveries.ts'
import type { DeliveryStore } from './delivery-store.ts'
import { batchesAtOnce, holdLeftovers, holdPending } from './hold-deliveries.ts'
import { type LaneTurn, makeLaneTurns } from './lane-turns.ts'
import { parkBlocked, releaseHeads } from './order-deliveries.ts'
import { readNewestLanes } from './read-newest-lanes.ts'
import { recordAttempts } from './record-attempts.ts'
import { releaseDeliveries } from './release-deliveries.ts'

export interface SqlDeliveryStoreDeps {
  db: Db
  /** A connection only for claims. Default: those of `db`. */
  claimDb?: Db
  clock: Clock
  /** Records a final attempt and updates its endpoint's failure state, in the given transaction. */
  recordExhausted(tx: Tx, record: AttemptRecord): Promise<{ isRecorded: boolean; isDisabledNow: boolean }>
}

type Found = Claim & { blockedLanes: string[] }

/** The delivery store in SQL. The domain decides what an exhausted delivery does to its endpoint. */
export function makeSqlDeliveryStore(deps: SqlDeliveryStoreDeps): DeliveryStore {
  const { db, claimDb = db } = deps
  const floor = makeClaimFloor({ clock: deps.clock, fullEveryMs: { atLeast: 2_000, atMost: 60_000 } })
  const turns = makeLaneTurns(deps)

  async function claimInTour(options: ClaimOptions, turn: LaneTurn): Promise<Found> {
    const beganMs = deps.clock.monotonicMs()
    const visit = { ...options, ...turn, dueFrom: floor.dueFrom(options) }
    const found = turn.isLikelyFirst
      ? await claimBesideMany(claimDb, { ...visit, likely: await likelyLanes(claimDb, options) })
      : await claimDeliveries(claimDb, visit)
    const { deliveries, blockedLanes, nextAfterLane, earliestDueAt, claimedAt, tourLaneCount, areManyRetriesDue } = found
    const isFull = deliveries.length >= options.count
    // Likely lanes may have used up the claim before its tour began.
    const isTourOver = nextAfterLane === '' && !isFull
    if (isTourOver || nextAfterLane !== '') floor.note({ nextAfterLane, earliestDueAt, claimedAt })
    turns.note({ ...turn, tourLaneCount, isTourOver, isFull, areManyRetriesDue, tookMs: deps.clock.monotonicMs() - beganMs })
    return { deliveries, blockedLanes, nextAfterLane }
  }

  async function claimBetweenTours(options: ClaimOptions, { restMs }: LaneTurn): Promise<Found> {
    const lanes = await likelyLanes(claimDb, options)
    const found = await claimFromLanes(claimDb, { ...options, dueFrom: floor.current() }, lanes)
    turns.noteBetween({ isFull: found.deliveries.length >= options.count })
    return { ...found, nextAfterLane: '', othersInMs: restMs }
  }

  return {
    async claim(options) {
      const turn = turns.next(options)
      const { blockedLanes, ...claim } = await (turn.restMs > 0 ? claimBetweenTours : claimInTour)(options, turn)
      let parkedCount = 0
      for (const endpointId of blockedLanes) parkedCount += await parkBlocked(db, endpointId)
      return parkedCount > 0 ? { ...claim, hasParked: true } : claim
    },
    async record(records) {
      const exhausted = records.filter(({ decision }) => decision.state === 'exhausted')
      const others = records.filter(({ decision }) => decision.state !== 'exhausted')
      const unordered = others.filter(({ orderKey }) => orderKey === null)
      const ordered = others.filter(({ orderKey }) => orderKey !== null)
      const recorded = new Set(unordered.length > 0 ? await recordAttempts(db, unordered) : [])
      if (ordered.length > 0) {
        const ids = await db.transaction().execute(async (tx) => {
          const ofOrdered = await recordAttempts(tx, ordered)
          await releaseNext(tx, ordered)
          return ofOrdered
        })
        for (const id of ids) recorded.add(id)
      }
      // These are rare, and each may disable the endpoint, so they are recorded one by one in order.
      for (const record of exhausted) {
        const { isRecorded, isDisabledNow } = await db.transaction().execute(async (tx) => {
          const judged = await deps.recordExhausted(tx, record)
          await releaseNext(tx, [record])
          return judged
        })
        if (isRecorded) recorded.add(record.deliveryId)
        if (isDisabledNow) await tryHoldPending(db, record)
      }
      return { recorded }
    },
    release: (deliveries) => releaseDeliveries(db, deliveries),
    holdLeftovers: () => holdLeftovers(db),
  }
}

/** The lanes with room in which something is likely to be due. */
async function likelyLanes(db: Db, { unfinished, rooms, roomOfOthers }: ClaimOptions): Promise<string[]> {
  const newest = await readNewestLanes(db)
  return [...new Set([...unfinished, ...newest.filter((endpointId) => (rooms.get(endpointId) ?? roomOfOthers) > 0)])]
}

/** A retry stays the head of its key, so this changes nothing then. */
async function releaseNext(tx: Tx, records: AttemptRecord[]): Promise<void> {
  const keys = records.flatMap(({ endpointId, orderKey }) => (orderKey === null ? [] : [{ endpointId, orderKey }]))
  if (keys.length > 0) await releaseHeads(tx, keys)
}

/** The attempt is already recorded, so errors are ignored here; `holdLeftovers` holds the rest. */
async function tryHoldPending(db: Db, { endpointId }: AttemptRecord): Promise<void> {
  await holdPending(db, { endpointId, batches: batchesAtOnce }).catch(() => {})
}
