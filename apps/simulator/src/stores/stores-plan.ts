import type { Chance } from '../chance.ts'
import type { FaultRates } from '../world/fault-rates.ts'
import { type EndpointPlan, makeEndpoint, makeRates } from '../world/plan.ts'

/** The world of a seed with several stores: who is where, what is published when, which organizations move, and the faults of each store. */
export interface StoresPlan {
  stores: StorePlan[]
  apiCount: number
  moverCount: number
  /** How long a mover waits before each step, while others may go on. */
  stepPauseMs: number
  /** How often a mover pauses for minutes before a step. */
  longPauseShare: number
  /** How long the old rows are kept in addition. */
  removalPauseMs: number
  directoryRates: FaultRates
  endpoints: EndpointPlan[]
  /** The store of each organization at the beginning. */
  placements: { organizationId: string; storeId: string }[]
  requests: RequestPlan[]
  moves: MovePlan[]
  outages: { storeId: string; atMs: number; forMs: number }[]
  troubleEndsMs: number
}

export interface StorePlan {
  id: string
  workerCount: number
  /** How far its clock is ahead. */
  aheadMs: number
  rates: FaultRates
}

export type RequestPlan = { atMs: number; organizationId: string } & (
  | { kind: 'publish'; openMs: number; isRolledBack: boolean }
  | { kind: 'read' }
  | { kind: 'disable' | 'enable and send held'; endpointId: string }
)

export interface MovePlan {
  atMs: number
  organizationId: string
  toStoreId: string
  cancelAtMs: number | null
}

const second = 1000
const minute = 60 * second
/** Less than receivers tolerate, together with what a process may be off by. */
const aheadMaxMs = 2 * minute
const noFaults: FaultRates = {
  crash: 0,
  stall: 0,
  suspension: 0,
  wallJump: 0,
  storeError: 0,
  storeOutage: 0,
  slowStore: 0,
  lostWakeup: 0,
  partialRecord: 0,
  partition: 0,
  resultError: 0,
}

export function makeStoresPlan(chance: Chance): StoresPlan {
  const troubleEndsMs = chance.pick([4 * minute, 10 * minute, 40 * minute])
  // In half of the worlds only one store has faults.
  const isOneTroubled = chance.isTrue(0.5)
  const stores = Array.from({ length: chance.between(2, 3) }, (_, index): StorePlan => ({
    id: `store ${index + 1}`,
    workerCount: chance.between(1, 2),
    aheadMs: chance.isTrue(0.5) ? 0 : chance.between(-aheadMaxMs, aheadMaxMs),
    rates: isOneTroubled && index > 0 ? noFaults : makeRates(chance),
  }))
  const storeIds = stores.map(({ id }) => id)
  const organizationIds = ['org_a', 'org_b', 'org_c', 'org_d'].slice(0, chance.between(2, 4))
  const hasLateMove = chance.isTrue(0.15)
  const endpoints = organizationIds.flatMap((organizationId, index) =>
    [0, 1].map((number): EndpointPlan => {
      const made = makeEndpoint(chance, { index: 2 * index + number, organizationId, changesUntilMs: troubleEndsMs, isHanging: false })
      // Most receivers recover, or each world would last until their deliveries are exhausted.
      if (!made.isHealthy && !hasLateMove && chance.isTrue(0.8)) {
        made.receiver.push({ fromMs: troubleEndsMs, kind: 'healthy' })
        made.name.push({ fromMs: troubleEndsMs, kind: 'public' })
      }
      return Object.assign(made, { isOrdered: number === 1 })
    }),
  )
  const moves = makeMoves(chance, { organizationIds, storeIds, untilMs: troubleEndsMs, hasLateMove })
  return {
    stores,
    apiCount: chance.between(1, 2),
    moverCount: chance.between(1, 2),
    stepPauseMs: chance.pick([0, 0, 3_100, 8_300]),
    longPauseShare: chance.pick([0, 0.2]),
    removalPauseMs: chance.pick([0, 45_500]),
    directoryRates: isOneTroubled ? noFaults : makeRates(chance),
    endpoints,
    placements: organizationIds.map((organizationId, index) => ({ organizationId, storeId: storeIds[index % storeIds.length]! })),
    requests: makeRequests(chance, { organizationIds, endpoints, moves, untilMs: troubleEndsMs }),
    moves,
    outages: [...makeOutagesAfterMoves(chance, { moves, storeIds }), ...Array.from({ length: chance.between(0, 2) }, () => ({
      storeId: isOneTroubled ? storeIds[0]! : chance.pick(storeIds),
      atMs: Math.floor(chance.next() * troubleEndsMs),
      forMs: chance.between(10 * second, 2 * minute),
    }))],
    troubleEndsMs,
  }
}

/** Often the old store, after an organization has left it. */
const makeOutagesAfterMoves = (chance: Chance, { moves, storeIds }: { moves: MovePlan[]; storeIds: string[] }) =>
  moves
    .filter(() => chance.isTrue(0.3))
    .map(({ atMs }) => ({ storeId: chance.pick(storeIds), atMs: atMs + chance.between(20 * second, 90 * second), forMs: chance.between(minute, 4 * minute) }))

function makeMoves(chance: Chance, options: { organizationIds: string[]; storeIds: string[]; untilMs: number; hasLateMove: boolean }): MovePlan[] {
  const moves: MovePlan[] = []
  const count = chance.between(1, 4)
  const mostlyMoved = chance.pick(options.organizationIds)
  for (let index = 0; index < count; index++) {
    const atMs = Math.floor(chance.next() * options.untilMs)
    const organizationId = chance.isTrue(0.6) ? mostlyMoved : chance.pick(options.organizationIds)
    const cancelAtMs = chance.isTrue(0.4) ? atMs + chance.between(0, 40 * second) : null
    moves.push({ atMs, organizationId, toStoreId: chance.pick(options.storeIds), cancelAtMs })
    // A second one soon after it, while processes of the first may still be at work.
    if (chance.isTrue(0.4)) moves.push({ atMs: atMs + chance.between(second, 2 * minute), organizationId, toStoreId: chance.pick(options.storeIds), cancelAtMs: null })
  }
  // When endpoints have failures.
  for (const organizationId of options.hasLateMove ? options.organizationIds : []) {
    moves.push({ atMs: 45 * 60 * minute, organizationId, toStoreId: chance.pick(options.storeIds), cancelAtMs: null })
  }
  return moves
}

function makeRequests(
  chance: Chance,
  options: { organizationIds: string[]; endpoints: EndpointPlan[]; moves: MovePlan[]; untilMs: number },
): RequestPlan[] {
  const requests: RequestPlan[] = []
  function add(atMs: number, organizationId: string) {
    const openMs = chance.pick([0, 0, 20, 1_900, 9_500])
    requests.push({ kind: 'publish', atMs, organizationId, openMs, isRolledBack: chance.isTrue(0.05) })
    if (chance.isTrue(0.5)) requests.push({ kind: 'read', atMs: atMs + chance.between(0, 5 * second), organizationId })
  }
  for (let count = chance.between(4, 16); count > 0; count--) add(Math.floor(chance.next() * options.untilMs), chance.pick(options.organizationIds))
  // Before, during and after a move.
  for (const { atMs, organizationId } of options.moves) {
    const spreadMs = chance.pick([minute, 3 * minute])
    for (let count = chance.between(2, 8); count > 0; count--) add(Math.max(0, atMs + chance.between(-10 * second, spreadMs)), organizationId)
    for (let count = chance.between(2, 6); count > 0; count--) requests.push({ kind: 'read', atMs: atMs + chance.between(0, spreadMs), organizationId })
  }
  for (let count = chance.pick([0, 0, 1, 3]); count > 0; count--) {
    const { id: endpointId, organizationId } = chance.pick(options.endpoints)
    const atMs = Math.floor(chance.next() * options.untilMs)
    requests.push({ kind: 'disable', atMs, organizationId, endpointId })
    requests.push({ kind: 'enable and send held', atMs: atMs + chance.between(second, 3 * minute), organizationId, endpointId })
  }
  return requests
}
