import type { Chance } from '../chance.ts'
import type { Fault, Faults } from './faults.ts'
import type { PortCall } from './port-calls.ts'
import type { Machine } from './machine.ts'
import type { Scheduler } from './scheduler.ts'

/** Applies faults to calls, and knows when the last fault ended. */
export interface PortFaults {
  /** The fault of this call. Faults of the machine are applied here, except death, which the port applies. */
  meet(machine: Machine, call: PortCall): Fault
  /** Whether this machine can't reach the store, because of an outage or a partition. */
  isStoreAway(machine: Machine): boolean
  /** The last or current outage of the store. */
  storeAwayFromMs(): number
  storeAwayUntilMs(): number
  areResultsAway(): boolean
  takeStoreAway(forMs: number): void
  calmSinceMs(): number
  /** Marks a fault until then. */
  disturb(untilMs: number): void
}

/** A clock that jumped is corrected within this time. */
const wrongForMaxMs = 20 * 60_000

export function makePortFaults(options: {
  faults: Faults
  chance: Chance
  scheduler: Scheduler
  machines: Machine[]
}): PortFaults {
  const { faults, scheduler, machines, chance } = options
  let storeAwayFromMs = -Infinity
  let storeAwayUntilMs = 0
  let resultsAwayUntilMs = 0
  let disturbedUntilMs = 0

  function disturb(untilMs: number) {
    disturbedUntilMs = Math.max(disturbedUntilMs, untilMs)
  }

  function takeStoreAway(forMs: number) {
    if (scheduler.nowMs() >= storeAwayUntilMs) storeAwayFromMs = scheduler.nowMs()
    storeAwayUntilMs = Math.max(storeAwayUntilMs, scheduler.nowMs() + forMs)
    disturb(storeAwayUntilMs)
  }

  return {
    disturb,
    takeStoreAway,
    meet(machine, call) {
      const nowMs = scheduler.nowMs()
      const fault = faults.at(call)
      if (Object.keys(fault).length > 0) disturb(nowMs + (fault.slowByMs ?? 0))
      if (fault.error || fault.isPartial || fault.slowByMs !== undefined) machine.trouble(nowMs + (fault.slowByMs ?? 0) + 100)
      if (fault.partitionMs !== undefined) {
        machine.partitionUntil(nowMs + fault.partitionMs)
        disturb(nowMs + fault.partitionMs)
      }
      if (fault.resultsAwayMs !== undefined) resultsAwayUntilMs = Math.max(resultsAwayUntilMs, nowMs + fault.resultsAwayMs)
      if (fault.stallMs !== undefined) {
        machine.stall(fault.stallMs, { isSuspended: fault.isSuspended ?? false })
        disturb(nowMs + fault.stallMs)
      }
      if (fault.storeAwayMs !== undefined) takeStoreAway(fault.storeAwayMs)
      const { wallOffsetMs } = fault
      if (wallOffsetMs !== undefined) {
        // Between two steps, since time does not pass within a step.
        scheduler.at(nowMs, () => machine.setWallOffset(wallOffsetMs))
        scheduler.at(nowMs + 1 + chance.between(1000, wrongForMaxMs), () => {
          machine.setWallOffset(0)
          disturb(scheduler.nowMs())
        })
      }
      return fault
    },
    isStoreAway: (machine) => scheduler.nowMs() < storeAwayUntilMs || machine.isPartitioned(),
    storeAwayFromMs: () => storeAwayFromMs,
    storeAwayUntilMs: () => storeAwayUntilMs,
    areResultsAway: () => scheduler.nowMs() < resultsAwayUntilMs,
    calmSinceMs() {
      const alive = machines.filter((machine) => !machine.isDead())
      const isWrong = alive.length === 0 || alive.some((machine) => machine.wallOffsetMs() !== 0)
      return isWrong ? Infinity : disturbedUntilMs
    },
  }
}
