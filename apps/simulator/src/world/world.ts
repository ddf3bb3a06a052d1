import { makeSealer } from '../../../server/src/domain/sealing.ts'
import { newSecret } from '../../../server/src/domain/webhooks/secret.ts'
import type { Log } from '../../../server/src/ports/log.ts'
import { type DeliveryWorkerDeps, makeDeliveryWorker } from '../../../server/src/workers/delivery-worker.ts'
import type { Chance } from '../chance.ts'
import type { Coverage } from '../coverage.ts'
import { judges } from '../invariants/all.ts'
import { drainedWithinMs, isDrained } from '../invariants/7-backlog-drains.ts'
import type { DeliveriesInWorld } from '../store/deliveries-in-world.ts'
import { makeFaults } from './faults.ts'
import { type Machine, makeMachine, worldBeganAt } from './machine.ts'
import { makeNetworkPort } from './network-port.ts'
import { makeObservatory } from './observatory.ts'
import type { ObservedEndpoint, Violation } from './observed.ts'
import { makePeople } from './people.ts'
import type { Plan } from './plan.ts'
import { makePortFaults } from './port-faults.ts'
import { makeScheduler } from './scheduler.ts'
import { makeStorePort } from './store-port.ts'

/** What a deliberately broken engine does differently: the same worker on ports that do something wrong. */
export type Spoil = (deps: DeliveryWorkerDeps) => DeliveryWorkerDeps

export interface WorldOptions {
  plan: Plan
  chance: Chance
  coverage: Coverage
  deliveries: DeliveriesInWorld
  spoil?: Spoil | undefined
  trace?: ((line: string) => void) | undefined
}

export interface WorldReport {
  violation: Violation | undefined
  simulatedMs: number
  stepCount: number
}

const skewMaxMs = 3_000
const graceMs = 1_500
/** Less idle time than this is lived through. */
const leapFromMs = 700
const restartsWithinMs = 60_000
/** Guards against a world that never comes to rest; no sound run comes near. */
const stepsMax = 2_000_000

export async function runWorld(options: WorldOptions): Promise<WorldReport> {
  const { plan, chance, coverage, deliveries } = options
  const scheduler = makeScheduler(chance.fork('order'))
  const trace = options.trace && ((line: string) => options.trace!(`${clockText(scheduler.nowMs())} ${line}`))
  const sealer = makeSealer({ secretKey: chance.fork('key').bytes(32), random: chance.fork('sealing') })
  const machines: Machine[] = []
  const switchedOff = new Set<string>()
  const faults = makeFaults({ rates: plan.rates, chance: chance.fork('faults'), coverage })
  const portFaults = makePortFaults({ faults, chance: chance.fork('clocks'), scheduler, machines })
  const endpoints = await addEndpoints()
  const observatory = makeObservatory({
    deliveries,
    coverage,
    endpoints,
    nowMs: scheduler.nowMs,
    base: {
      isSwitchedOff: (organizationId) => switchedOff.has(organizationId),
      machines,
      inFlightMax: plan.limits.inFlightMax,
      calmSinceMs: portFaults.calmSinceMs,
      isTroubleOver: () => !faults.areOn(),
      troubleEndsMs: plan.troubleEndsMs,
    },
    makeJudges: judges,
    trace,
  })
  const { observed } = observatory
  const stops = new Map<Machine, () => void>()
  const looks = new Map<Machine, Set<() => void>>()
  const wakeChance = chance.fork('wake-ups')
  const leapChance = chance.fork('leaps')
  const people = makePeople({
    ...options,
    scheduler,
    chance: chance.fork('people'),
    sealer,
    observatory,
    switchedOff,
    wake,
    restartAWorker,
  })
  let machineCount = 0

  async function addEndpoints() {
    const secrets = chance.fork('secrets')
    for (const organizationId of plan.organizationIds) await deliveries.addOrganization(organizationId)
    const observedEndpoints = new Map<string, ObservedEndpoint>()
    for (const { id, organizationId, url, creator } of plan.endpoints) {
      const secret = newSecret(secrets)
      const now = new Date(worldBeganAt)
      await deliveries.addEndpoint({ id, organizationId, url, secret: sealer.seal(secret, id), createdBy: creator, now })
    }
    const rows = await deliveries.endpoints()
    const again = chance.fork('secrets')
    for (const each of plan.endpoints) {
      const row = rows.find(({ id }) => id === each.id)!
      const secret = newSecret(again)
      observedEndpoints.set(each.id, { plan: each, row, changedMs: 0, secrets: [{ secret, untilMs: Infinity }] })
    }
    return observedEndpoints
  }

  function wake() {
    for (const machine of machines) {
      if (machine.isDead() || faults.isWakeupLost()) continue
      for (const look of looks.get(machine) ?? []) machine.later(wakeChance.between(0, 20), look)
    }
  }

  function startMachine(slot: number) {
    const id = `worker ${slot}.${++machineCount}`
    const own = chance.fork(id)
    const skewMs = own.between(-skewMaxMs, skewMaxMs)
    const machine = makeMachine({ id, slot, scheduler, skewMs, onDeath: () => bury(machine) })
    machine.onSleep = () => {
      if (!machine.isDead() && portFaults.meet(machine, 'clock.sleep').crash) machine.die()
    }
    machines.push(machine)
    const ofMachine = new Set<() => void>()
    looks.set(machine, ofMachine)
    const ports = { machine, scheduler, chance: own, coverage, faults: portFaults, observatory }
    const deps: DeliveryWorkerDeps = {
      clock: machine.clock,
      random: own.fork('engine'),
      log: logOf(machine),
      network: makeNetworkPort({ ...ports, endpoints: plan.endpoints }),
      sealer,
      addressRules: { ownUrl: new URL('https://querypost.example'), allowedNetworks: [] },
      deliveries: makeStorePort({ ...ports, ...deliveries }),
      wakeups: {
        wake() {},
        listen(_, look) {
          ofMachine.add(look)
          return () => void ofMachine.delete(look)
        },
      },
      limits: plan.limits,
    }
    const worker = makeDeliveryWorker(options.spoil?.(deps) ?? deps)
    stops.set(machine, () => void worker.stop({ graceMs }).then(() => machine.die()))
    portFaults.disturb(scheduler.nowMs())
    trace?.(`${id} starts`)
    worker.start()
  }

  /** What it had open is nobody's any more; a new process takes its place after a while. */
  function bury(machine: Machine) {
    trace?.(`${machine.id} dies`)
    portFaults.disturb(scheduler.nowMs())
    machines.splice(machines.indexOf(machine), 1)
    observatory.died(machine)
    const afterMs = faults.areOn() ? chance.between(0, restartsWithinMs) : 0
    scheduler.at(scheduler.nowMs() + afterMs, () => startMachine(machine.slot))
  }

  function restartAWorker() {
    const machine = machines.find((each) => stops.has(each))
    if (!machine) return
    portFaults.disturb(scheduler.nowMs() + 2 * graceMs)
    stops.get(machine)!()
    stops.delete(machine)
  }

  function logOf(machine: Machine): Log {
    const write = (level: string) => (fields: unknown, message?: string) =>
      trace?.(`${machine.id} ${level}: ${message ?? ''} ${JSON.stringify(fields, withErrors)}`)
    const [debug, info, warn, error] = ['debug', 'info', 'warn', 'error'].map(write)
    return { debug, info, warn, error, fatal: error } as unknown as Log
  }

  /**
   * When a worker could next find something to do, in the world's time. What is due for long and not taken is not
   * counted.
   */
  function nextDueMs(afterMs: number): number {
    let earliestMs = Infinity
    for (const { row } of observed.deliveries.values()) {
      if (row.state !== 'pending') continue
      const endpoint = observed.endpoints.get(row.endpointId)!.row
      if (endpoint.isDeleted || switchedOff.has(endpoint.organizationId)) continue
      const dueMs = Math.max(row.nextAttemptAt!.getTime(), row.leaseExpiresAt?.getTime() ?? 0) - worldBeganAt
      if (dueMs > afterMs) earliestMs = Math.min(earliestMs, dueMs)
    }
    return earliestMs
  }

  /**
   * Leaps to shortly before the next thing that can happen. While requests are open their deadlines are such things;
   * what is due then and was not taken waits for room.
   */
  function leapOverIdleTime(limitMs: number) {
    const nowMs = scheduler.nowMs()
    const eventMs = scheduler.nextEventMs()
    if (eventMs - nowMs < leapFromMs || !observatory.haveAllFoundNothing()) return
    const isAnythingOpen = observatory.isAnythingOpen()
    const dueMs = nextDueMs(isAnythingOpen ? nowMs - 3 * skewMaxMs : -Infinity)
    // Where something is due and nobody takes it, nothing will change from one second to the next.
    const isStuck = !isAnythingOpen && nowMs - Math.max(observatory.lastCommitMs(), dueMs) > 600_000
    const targetMs = Math.min(eventMs, isStuck ? nowMs + 600_000 : dueMs, limitMs) - leapChance.between(10, 300)
    if (targetMs > nowMs) scheduler.leapTo(targetMs)
  }

  async function runUntil(isOver: () => boolean, limitMs: number) {
    while (!isOver() && scheduler.nowMs() < limitMs && !observatory.violation() && stepCount < stepsMax) {
      leapOverIdleTime(limitMs)
      if (!(await scheduler.step())) break
      stepCount += 1
      observatory.stepped()
    }
  }

  let stepCount = 0
  for (let slot = 1; slot <= plan.workerCount; slot++) startMachine(slot)
  people.begin()
  await runUntil(() => false, plan.troubleEndsMs)

  trace?.('the trouble is over')
  faults.stop()
  for (const machine of machines) machine.setWallOffset(0)
  await people.switchAllOn()
  const plannedMs = [...plan.publications.map(({ atMs, openMs }) => atMs + openMs), ...plan.deeds.map(({ atMs }) => atMs)]
  const lastPlannedMs = Math.max(0, ...plannedMs)
  await runUntil(() => false, lastPlannedMs + 1000)
  await people.switchAllOn()
  const limitMs = scheduler.nowMs() + drainedWithinMs(observed)
  let drainedAtCommit = -1
  const isOver = () => {
    if (drainedAtCommit === observatory.commitCount() && observed.openRequests.size > 0) return false
    drainedAtCommit = observatory.commitCount()
    return isDrained(observed)
  }
  await runUntil(isOver, limitMs)
  // A while longer: what is over has to stay so.
  await runUntil(() => false, scheduler.nowMs() + 120_000)
  observatory.ended()
  return { violation: observatory.violation(), simulatedMs: scheduler.nowMs(), stepCount }
}

const withErrors = (_: string, value: unknown) => (value instanceof Error ? value.message : value)
const clockText = (ms: number) => new Date(worldBeganAt + ms).toISOString().slice(5, 23)
