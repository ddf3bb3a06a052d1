import type { Chance } from '../chance.ts'
import type { Coverage } from '../coverage.ts'

/**
 * How often what goes wrong, for each call of a port; 0 in many runs, so that each kind is also seen without the
 * others.
 */
export interface FaultRates {
  crash: number
  stall: number
  suspension: number
  wallJump: number
  storeError: number
  storeOutage: number
  slowStore: number
  lostWakeup: number
  partialRecord: number
}

/** What happens to one call. */
export interface Fault {
  /** The process dies before the call takes effect, or after. */
  crash?: 'before' | 'after'
  /** The call fails before it takes effect, or its answer is lost. */
  error?: 'before' | 'after'
  /** Only so many of the records are written before it fails. */
  isPartial?: boolean
  stallMs?: number
  isSuspended?: boolean
  wallOffsetMs?: number
  slowByMs?: number
  storeAwayMs?: number
}

export const portCalls = [
  'store.claim',
  'store.record',
  'store.release',
  'store.holdLeftovers',
  'network.resolve',
  'network.post',
  'clock.sleep',
] as const
export type PortCall = (typeof portCalls)[number]

const second = 1000
const hour = 3600 * second
export const wallOffsetMaxMs = 2 * hour
/** More than this make a run long and teach nothing new. */
const crashesMax = 30
const outagesMax = 5

export function makeFaults(options: { rates: FaultRates; chance: Chance; coverage: Coverage }) {
  const { rates, chance, coverage } = options
  let areOn = true
  let crashes = 0
  let outages = 0

  const count = (what: string) => coverage.count(`fault: ${what}`)

  return {
    stop() {
      areOn = false
    },
    areOn: () => areOn,
    isWakeupLost() {
      const isLost = areOn && chance.isTrue(rates.lostWakeup)
      if (isLost) count('lost wake-up')
      return isLost
    },
    /** Decides what happens to a call. */
    at(call: PortCall): Fault {
      const fault: Fault = {}
      if (!areOn) return fault
      // Made only when a worker stops in the midst of something: so seldom that it needs more than its share.
      const share = call === 'store.release' ? 100 : 1
      if (crashes < crashesMax && chance.isTrue(rates.crash * share)) {
        crashes += 1
        fault.crash = call === 'clock.sleep' ? 'before' : chance.pick(['before', 'after'] as const)
        count(`crash ${fault.crash} ${call}`)
      }
      if (chance.isTrue(rates.stall)) {
        fault.stallMs = chance.between(1 * second, 120 * second)
        count('stall')
      }
      if (chance.isTrue(rates.suspension)) {
        fault.stallMs = chance.between(5 * second, 600 * second)
        fault.isSuspended = true
        count('suspension')
      }
      if (chance.isTrue(rates.wallJump)) {
        const sizeMs = chance.pick([2 * second, 20 * second, 120 * second, wallOffsetMaxMs])
        const isForwards = chance.isTrue(0.5)
        fault.wallOffsetMs = chance.between(0, sizeMs) * (isForwards ? 1 : -1)
        count(`wall clock jumps ${isForwards ? 'forwards' : 'backwards'}`)
      }
      if (!call.startsWith('store.')) return fault
      if (chance.isTrue(rates.storeError * share)) {
        fault.error = chance.pick(['before', 'after'] as const)
        count(`error ${fault.error} ${call}`)
      }
      if (call === 'store.record' && chance.isTrue(rates.partialRecord)) {
        fault.isPartial = true
        count('only some records written')
      }
      if (chance.isTrue(rates.slowStore)) {
        fault.slowByMs = chance.between(1 * second, 40 * second)
        count('slow store')
      }
      if (outages < outagesMax && chance.isTrue(rates.storeOutage)) {
        outages += 1
        fault.storeAwayMs = chance.between(1 * second, 90 * second)
        count('store away for a while')
      }
      return fault
    },
  }
}

export type Faults = ReturnType<typeof makeFaults>
