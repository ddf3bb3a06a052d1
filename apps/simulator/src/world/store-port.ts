import type { AttemptRecord, DeliveryStore } from '../../../server/src/domain/webhooks/delivery/delivery-store.ts'
import type { Chance } from '../chance.ts'
import { type Machine, worldBeganAt } from './machine.ts'
import type { Observatory } from './observatory.ts'
import type { PortFaults } from './port-faults.ts'
import type { Scheduler } from './scheduler.ts'

/** The store as one machine reaches it: over a network that takes its time, loses answers and is away for a while. */
export function makeStorePort(options: {
  store: DeliveryStore
  setTime(now: Date): void
  machine: Machine
  scheduler: Scheduler
  chance: Chance
  faults: PortFaults
  observatory: Observatory
}): DeliveryStore {
  const { store, setTime, machine, scheduler, chance, faults, observatory } = options

  const travelMs = () => chance.between(0, 12)

  function call<Result>(
    name: 'claim' | 'record' | 'release' | 'holdLeftovers',
    act: (isPartial: boolean) => Promise<Result>,
    records: AttemptRecord[] = [],
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (machine.isDead()) return
      const calledMs = scheduler.nowMs()
      const fault = faults.meet(machine, `store.${name}`)
      if (fault.crash === 'before') return machine.die()
      const fail = () => machine.later(travelMs(), () => reject(new Error('the store is away')))
      scheduler.at(scheduler.nowMs() + travelMs() + (fault.slowByMs ?? 0), async () => {
        // What was on its way when its sender died arrives or does not.
        if (machine.isDead() && chance.isTrue(0.5)) return
        if (fault.error === 'before' || faults.isStoreAway()) return void fail()
        setTime(new Date(worldBeganAt + scheduler.nowMs()))
        const result = await act(fault.isPartial ?? false)
        await observatory.look({ by: 'worker', machine, call: name, calledMs, records })
        if (fault.crash === 'after') machine.die()
        else if (fault.error === 'after' || fault.isPartial) fail()
        else machine.later(travelMs(), () => resolve(result))
      })
    })
  }

  return {
    claim: (claim) => call('claim', () => store.claim(claim)),
    record: (records) =>
      call('record', (isPartial) => store.record(isPartial ? records.slice(0, records.length >> 1) : records), records),
    release: (deliveries) => call('release', () => store.release(deliveries)),
    holdLeftovers: () => call('holdLeftovers', () => store.holdLeftovers()),
  }
}
