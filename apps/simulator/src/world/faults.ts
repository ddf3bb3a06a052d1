import type { Chance } from '../chance.ts'
import type { Coverage } from '../coverage.ts'
import type { FaultRates } from './fault-rates.ts'
import type { PortCall } from './port-calls.ts'

/** The fault of one call. */
export interface Fault {
  /** The process dies before the call takes effect, or after. */
  crash?: 'before' | 'after'
  /** The call fails before it takes effect, or its response is lost. */
  error?: 'before' | 'after'
  /** Only this many records are written before the call fails. */
  isPartial?: boolean
  stallMs?: number
  isSuspended?: boolean
  wallOffsetMs?: number
  slowByMs?: number
  storeAwayMs?: number
  /** Only this machine can't reach the store. */
  partitionMs?: number
  /** The result store fails at once, half-way or after it took effect; or for a while. */
  resultError?: 'before' | 'half-way' | 'after'
  resultsAwayMs?: number
}

/** Rare calls, which get a higher fault rate: when a worker stops during work or has lost a lease. */
const rareCalls: ReadonlySet<PortCall> = new Set(['store.release', 'store.agentRuns.giveBack', 'results.remove'])
/** Calls that start or end work. A fault there is more interesting than at a poll that finds nothing. */
const busyCalls = /\.(renew|readStops|recordProgress|read)$/
const weightyCalls = /\.(end|record|add|change|request|write|send|post|run|giveBack|recover)$/

const second = 1000
const hour = 3600 * second
export const wallOffsetMaxMs = 2 * hour
/** More would make a run long without finding more. */
const crashesMax = 30
const outagesMax = 5

export function makeFaults(options: { rates: FaultRates; chance: Chance; coverage: Coverage }) {
  const { rates, chance, coverage } = options
  let areOn = true
  let crashes = 0
  let outages = 0

  const count = (what: string) => coverage.count(`fault: ${what}`)

  function atResults(fault: Fault): Fault {
    if (chance.isTrue(rates.resultError)) {
      fault.resultError = chance.pick(['before', 'half-way', 'after'] as const)
      count(`result store fails ${fault.resultError}`)
    }
    if (chance.isTrue(rates.resultError / 4)) {
      fault.resultsAwayMs = chance.between(1 * second, 120 * second)
      count('result store away for a while')
    }
    if (chance.isTrue(rates.slowStore)) {
      fault.slowByMs = chance.between(1 * second, 40 * second)
      count('slow result store')
    }
    return fault
  }

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
    /** Chooses the fault of a call. */
    at(call: PortCall): Fault {
      const fault: Fault = {}
      if (!areOn) return fault
      const share = rareCalls.has(call) ? 100 : weightyCalls.test(call) ? 8 : busyCalls.test(call) ? 4 : 1
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
      if (call.startsWith('results.')) return atResults(fault)
      if (!call.startsWith('store.')) return fault
      if (chance.isTrue(rates.partition)) {
        fault.partitionMs = chance.between(1 * second, 120 * second)
        count('partition')
      }
      if (chance.isTrue(rates.storeError * share)) {
        fault.error = chance.pick(['before', 'after'] as const)
        count(`error ${fault.error} ${call}`)
      }
      if ((call === 'store.record' || call === 'store.agentRuns.recover') && chance.isTrue(rates.partialRecord)) {
        fault.isPartial = true
        count('only some records written')
      }
      if (chance.isTrue(rates.slowStore)) {
        fault.slowByMs = chance.between(1 * second, 40 * second)
        count('slow store')
      }
      // Mostly during work: an outage that nobody notices finds nothing.
      const outageShare = busyCalls.test(call) || weightyCalls.test(call) ? 8 : 0.5
      if (outages < outagesMax && chance.isTrue(rates.storeOutage * outageShare)) {
        outages += 1
        fault.storeAwayMs = chance.between(1 * second, 120 * second)
        count('store away for a while')
      }
      return fault
    },
  }
}

export type Faults = ReturnType<typeof makeFaults>
