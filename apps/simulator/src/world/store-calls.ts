import type { AttemptRecord } from '@querypost/server/model'
import { StoreUnavailable } from '@querypost/server/store'
import type { Chance } from '../chance.ts'
import type { StoreCall } from './port-calls.ts'
import { type Machine, worldBeganAt } from './machine.ts'
import type { Observatory } from './observatory.ts'
import type { PortFaults } from './port-faults.ts'
import type { Scheduler } from './scheduler.ts'

/** Runs a statement for one machine, over a network that is slow, loses responses and has outages. */
export type CallStore = <Result>(
  name: StoreCall,
  act: (isPartial: boolean) => Result | Promise<Result>,
  records?: AttemptRecord[],
) => Promise<Result>

export interface StoreCallOptions {
  machine: Machine
  scheduler: Scheduler
  chance: Chance
  faults: PortFaults
  observatory: Observatory
  /** Sets the store's time and the time of the calling machine. */
  setTime(now: Date, callerNow: Date): void
}

export function makeStoreCalls(options: StoreCallOptions): CallStore {
  const { machine, scheduler, chance, faults, observatory } = options
  const travelMs = () => chance.between(0, 12)
  /** Most failures are lost connections. */
  const error = () => (chance.isTrue(0.9) ? new StoreUnavailable('the store is away') : new Error('the statement failed'))

  return (name, act, records = []) =>
    new Promise((resolve, reject) => {
      if (machine.isDead()) return
      const calledMs = scheduler.nowMs()
      const fault = faults.meet(machine, name)
      if (fault.crash === 'before') return machine.die()
      // An outage is sometimes noticed late.
      const fail = () => machine.later(travelMs() + (chance.isTrue(0.1) ? chance.between(1000, 8000) : 0), () => reject(error()))
      const lose = () => {
        machine.trouble(scheduler.nowMs())
        fail()
      }
      scheduler.at(scheduler.nowMs() + travelMs() + (fault.slowByMs ?? 0), async () => {
        // If the sender died during the call, it may or may not arrive.
        if (machine.isDead() && chance.isTrue(0.5)) return
        if (fault.error === 'before' || faults.isStoreAway(machine)) return void fail()
        options.setTime(new Date(worldBeganAt + scheduler.nowMs()), new Date(machine.wallMs()))
        let result: Awaited<ReturnType<typeof act>>
        try {
          result = await act(fault.isPartial ?? false)
        } catch (thrown) {
          return void machine.later(travelMs(), () => reject(thrown))
        }
        await observatory.look({ by: 'worker', machine, call: name.slice('store.'.length), calledMs, records })
        if (fault.crash === 'after') machine.die()
        else if (fault.error === 'after' || fault.isPartial) fail()
        else machine.later(travelMs(), () => (faults.isStoreAway(machine) ? lose() : resolve(result)))
      })
    })
}
