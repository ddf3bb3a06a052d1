import { type DeliveryWorkerDeps, makeDeliveryWorker, makeSealer, newSecret } from '@querypost/server/background-work'
import type { Log } from '@querypost/server/log'
import type { OnWake } from '@querypost/server/store'
import type { NotificationRow } from '@querypost/server/testing'
import type { Chance } from '../chance.ts'
import type { Coverage } from '../coverage.ts'
import { drainedWithinMs, isDrained } from '../invariants/7-backlog-drains.ts'
import { judges } from '../invariants/all.ts'
import { makeStoresJudge } from '../invariants/stores.ts'
import { makeFaults } from '../world/faults.ts'
import type { FaultRates } from '../world/fault-rates.ts'
import { followStoreTime } from '../world/follow-store-time.ts'
import { type Machine, makeMachine, worldBeganAt } from '../world/machine.ts'
import { makeNetworkPort } from '../world/network-port.ts'
import { nextDeliveryDueMs } from '../world/next-delivery-due.ts'
import { makeObservatory } from '../world/observatory.ts'
import type { ObservedEndpoint } from '../world/observed.ts'
import { makePortFaults } from '../world/port-faults.ts'
import { makeStepping } from '../world/run-steps.ts'
import { makeScheduler } from '../world/scheduler.ts'
import { makeStoreCalls } from '../world/store-calls.ts'
import { makeStorePort } from '../world/store-port.ts'
import { watchForUncaught } from '../world/uncaught.ts'
import { makeWorkerSessions } from '../world/worker-sessions.ts'
import type { WorldReport } from '../world/world.ts'
import { makeClients, toStoreTime } from './clients.ts'
import { makeDirectory } from './directory-in-world.ts'
import { makeMergedDeliveries } from './merged-deliveries.ts'
import { makePlacedStore, type PlacedStore } from './placed-store.ts'
import { type ApiProcess, type Calls, makeApiProcess, runMover } from './processes.ts'
import type { StorePlan, StoresPlan } from './stores-plan.ts'
import type { StoresRules } from './stores-rules.ts'

export interface StoresWorldOptions {
  plan: StoresPlan
  chance: Chance
  coverage: Coverage
  rules: StoresRules
  /** Ends the world early, as in `WorldOptions`. */
  stepsMax?: number | undefined
  trace?: ((line: string) => void) | undefined
}

/** A store with its workers and its faults. */
interface Region {
  plan: StorePlan
  store: PlacedStore
  workers: Machine[]
  place: Place
  sessions: ReturnType<typeof makeWorkerSessions>
}

/** What a process calls: a store or the directory. */
interface Place {
  faults: ReturnType<typeof makeFaults>
  portFaults: ReturnType<typeof makePortFaults>
  setTime(): void
}

const skewMaxMs = 60_000
const restartsWithinMs = 60_000
const leapFromMs = 700
const soonMs = 16_000
const stepsOfAnyWorld = 300_000
const limits = { inFlightMax: 1024, claimMax: 256 }

/** Runs a world with several stores: delivery workers of each store, API processes, movers and a directory. */
export async function runStoresWorld(options: StoresWorldOptions): Promise<WorldReport> {
  const { plan, chance, coverage, rules, stepsMax = stepsOfAnyWorld } = options
  const scheduler = makeScheduler(chance.fork('order'))
  const trace = options.trace && ((line: string) => options.trace!(`${new Date(worldBeganAt + scheduler.nowMs()).toISOString().slice(5, 23)} ${line}`))
  const sealer = makeSealer({ secretKey: chance.fork('key').bytes(32), random: chance.fork('sealing') })
  const workers: Machine[] = []
  const everyMachine: Machine[] = []
  const regionOf = new Map<Machine, Region>()
  const apiMachines: Machine[] = []
  const apis: ApiProcess[] = []
  const compares = new Map<Machine, () => Promise<void>>()
  const looks = new Map<Machine, Set<OnWake>>()
  const wakeChance = chance.fork('wake-ups')
  const leapChance = chance.fork('leaps')
  /** Of all stores. They belong to people, and are not moved. */
  const notifications: NotificationRow[] = []
  const regions = new Map(plan.stores.map((each) => [each.id, makeRegion(each)]))
  const stores = new Map([...regions].map(([id, { store }]) => [id, store]))
  const directoryPlace = makePlace('directory', plan.directoryRates, { machines: apiMachines, setTime() {} })
  const directory = makeDirectory({
    storeOf: new Map(plan.placements.map(({ organizationId, storeId }) => [organizationId, storeId])),
    nowMs: scheduler.nowMs,
  })
  const organizationIds = plan.placements.map(({ organizationId }) => organizationId)
  const regionOfOrganization = (organizationId: string) => regions.get(directory.get(organizationId).storeId)!
  const endpoints = await addEndpoints()
  let complaint: string | undefined
  let apiDisturbedMs = 0

  const merged = makeMergedDeliveries({
    stores,
    directory,
    organizationOf: new Map(plan.endpoints.map(({ id, organizationId }) => [id, organizationId])),
    notifications: async () => notifications,
  })
  const judgedStores = {
    stores,
    directory,
    organizationIds,
    takeStrays: merged.takeStrays,
    complaint: () => complaint,
    apiCalmSinceMs,
    storeAheadMs: (storeId: string) => regions.get(storeId)!.plan.aheadMs,
    requests: [] as ReturnType<typeof makeClients>['requests'],
  }
  const observatory = makeObservatory({
    deliveries: merged,
    coverage,
    endpoints,
    nowMs: scheduler.nowMs,
    base: {
      isSwitchedOff: () => false,
      machines: workers,
      peersOf: (machine) => regionOf.get(machine)!.workers,
      mayBeGone: (machine, calledMs) => regionOf.get(machine)!.sessions.mayBeGone(machine, calledMs),
      inFlightMax: limits.inFlightMax,
      work: undefined,
      storeAwayFromMs: () => -Infinity,
      storeAwayUntilMs: (machine) => regionOf.get(machine!)!.place.portFaults.storeAwayUntilMs(),
      calmSinceMs: (organizationId) => calmSinceMs(organizationId!),
      storeAheadMs: (organizationId) => regionOfOrganization(organizationId).plan.aheadMs,
      isTroubleOver: () => scheduler.nowMs() >= plan.troubleEndsMs,
      troubleEndsMs: plan.troubleEndsMs,
    },
    makeJudges: [...judges, makeStoresJudge(judgedStores)],
    trace,
  })
  const { observed } = observatory
  const clients = makeClients({
    requests: plan.requests,
    apis,
    scheduler,
    chance: chance.fork('clients'),
    coverage,
    observatory,
    storeNow: ({ id }) => toStoreTime(scheduler.nowMs(), regions.get(id)!.plan.aheadMs),
    wake,
    complain: (message) => void (complaint ??= message),
  })
  judgedStores.requests = clients.requests
  let machineCount = 0

  function makePlace(label: string, rates: FaultRates, { machines, setTime }: { machines: Machine[]; setTime(): void }): Place {
    const faults = makeFaults({ rates, chance: chance.fork(`faults of ${label}`), coverage })
    return { faults, setTime, portFaults: makePortFaults({ faults, chance: chance.fork(`clocks of ${label}`), scheduler, machines }) }
  }

  function makeRegion(storePlan: StorePlan): Region {
    const store = makePlacedStore({ id: storePlan.id, random: chance.fork(storePlan.id), rules })
    store.rows.notify = (notification) => void notifications.push(notification)
    const machines: Machine[] = []
    const setTime = () => store.deliveries.setTime(toStoreTime(scheduler.nowMs(), storePlan.aheadMs))
    const place = makePlace(storePlan.id, storePlan.rates, { machines, setTime })
    const sessions = makeWorkerSessions({ nowMs: scheduler.nowMs, storeAwayFromMs: place.portFaults.storeAwayFromMs })
    return { plan: storePlan, store, workers: machines, place, sessions }
  }

  async function addEndpoints() {
    const secrets = chance.fork('secrets')
    const made = new Map<string, ObservedEndpoint>()
    for (const each of plan.endpoints) {
      const { store } = regionOfOrganization(each.organizationId)
      const { id, organizationId, url, creator, isOrdered } = each
      const secret = newSecret(secrets)
      store.placements.set(organizationId, { state: 'active', moveNumber: 0 })
      await store.deliveries.addEndpoint({ id, organizationId, url, secret: sealer.seal(secret, id), createdBy: creator, isOrdered, now: new Date(worldBeganAt) })
      const row = { id, organizationId, state: 'enabled' as const, consecutiveFailures: 0, isDeleted: false }
      made.set(id, { plan: each, row, changedMs: 0, secrets: [{ secret, untilMs: Infinity }] })
    }
    return made
  }

  /** Faults of other stores, of API processes and of the directory don't count. */
  function calmSinceMs(organizationId: string): number {
    const { move } = directory.get(organizationId)
    // The target works from then on, even if the source is away and can't delete its rows.
    if (move && move.step !== 'remove') return Infinity
    return Math.max(directory.movedMs(organizationId), regionOfOrganization(organizationId).place.portFaults.calmSinceMs())
  }

  function apiCalmSinceMs(organizationId: string): number {
    return Math.max(calmSinceMs(organizationId), apiDisturbedMs, directoryPlace.portFaults.calmSinceMs())
  }

  function wake(store: PlacedStore) {
    const { workers: machines, place } = regions.get(store.id)!
    for (const machine of machines) {
      if (machine.isDead() || machine.isPartitioned() || place.faults.isWakeupLost()) continue
      for (const onWake of looks.get(machine) ?? []) machine.later(wakeChance.between(0, 20), () => onWake({ isTaken: false }))
    }
  }

  function start(kind: string, restart: () => void, onDeath: (machine: Machine) => void) {
    const id = `${kind}.${++machineCount}`
    const own = chance.fork(id)
    const machine = makeMachine({
      id,
      slot: machineCount,
      scheduler,
      skewMs: own.between(-skewMaxMs, skewMaxMs),
      onDeath() {
        trace?.(`${id} dies`)
        onDeath(machine)
        observatory.died(machine)
        scheduler.at(scheduler.nowMs() + (areFaultsOn() ? chance.between(0, restartsWithinMs) : 0), restart)
      },
    })
    everyMachine.push(machine)
    trace?.(`${id} starts`)
    const to = ({ portFaults, setTime }: Place) => makeStoreCalls({ machine, scheduler, chance: own, faults: portFaults, observatory, setTime })
    const toStore = new Map([...regions].map(([storeId, { place }]) => [storeId, to(place)]))
    const calls: Calls = { toStore: (storeId) => toStore.get(storeId)!, toDirectory: to(directoryPlace) }
    return { machine, own, calls }
  }

  function startWorker(region: Region) {
    const { plan: storePlan, store, workers: ofStore, place, sessions } = region
    const { machine, own, calls } = start(`worker of ${storePlan.id}`, () => startWorker(region), (dead) => {
      place.portFaults.disturb(scheduler.nowMs())
      workers.splice(workers.indexOf(dead), 1)
      ofStore.splice(ofStore.indexOf(dead), 1)
    })
    machine.onSleep = () => {
      if (!machine.isDead() && place.portFaults.meet(machine, 'clock.sleep').crash) machine.die()
    }
    workers.push(machine)
    ofStore.push(machine)
    regionOf.set(machine, region)
    place.portFaults.disturb(scheduler.nowMs())
    const call = calls.toStore(storePlan.id)
    const log = logOf(machine)
    const nowMs = () => worldBeganAt + scheduler.nowMs() + storePlan.aheadMs
    const storeTime = followStoreTime({ machine, scheduler, log, nowMs, read: (act) => call('store.time', act) })
    const listeners = new Set<OnWake>()
    const ports = { machine, scheduler, chance: own, coverage, faults: place.portFaults, observatory }
    const deps: DeliveryWorkerDeps = {
      clock: storeTime.clock,
      log,
      wakeups: {
        wake() {},
        listen(_, onWake) {
          listeners.add(onWake)
          return () => void listeners.delete(onWake)
        },
      },
      random: own.fork('engine'),
      network: makeNetworkPort({ ...ports, endpoints: plan.endpoints }),
      sealer,
      addressRules: { ownUrl: new URL('https://querypost.example'), allowedNetworks: [] },
      deliveries: makeStorePort(call, store.deliveries.store),
      workerRegistry: sessions.registryOf(machine, call),
      limits,
    }
    void storeTime.begin().then(() => {
      compares.set(machine, () => storeTime.compare().catch(() => {}))
      looks.set(machine, listeners)
      makeDeliveryWorker(deps).start()
    })
  }

  function startApi() {
    const { machine, calls } = start('api', startApi, (dead) => {
      apiMachines.splice(apiMachines.indexOf(dead), 1)
      apis.splice(apis.findIndex((api) => api.machine === dead), 1)
      apiDisturbedMs = scheduler.nowMs()
      // The stores notice that the connection is lost.
      for (const store of stores.values()) store.rollBack((write) => write.machine === dead)
    })
    apiMachines.push(machine)
    apis.push(makeApiProcess({ machine, calls, stores, directory, rules }))
  }

  function startMover() {
    const { machine, own, calls } = start('mover', startMover, () => {})
    const pauseMs = (step: string) => {
      const isLong = areFaultsOn() && own.isTrue(plan.longPauseShare)
      return plan.stepPauseMs + (step === 'remove' ? plan.removalPauseMs : 0) + (isLong ? own.between(20_500, 180_500) : 0)
    }
    void runMover({ machine, calls, stores, directory, observatory, coverage, rules, pauseMs })
  }

  const places = () => [directoryPlace, ...[...regions.values()].map(({ place }) => place)]
  const areFaultsOn = () => directoryPlace.faults.areOn()

  function logOf(machine: Machine): Log {
    const write = (level: string) => (fields: unknown, message?: string) => trace?.(`${machine.id} ${level}: ${message ?? ''} ${JSON.stringify(fields)}`)
    const [debug, info, warn, error] = ['debug', 'info', 'warn', 'error'].map(write)
    return { debug, info, warn, error, fatal: error } as unknown as Log
  }

  /** As in the world with one store; never during a move. */
  function leapOverIdleTime(limitMs: number) {
    const nowMs = scheduler.nowMs()
    const isAnythingOpen = observatory.isAnythingOpen()
    const eventMs = scheduler.nextEventMs({ withKeeping: isAnythingOpen })
    if (eventMs - nowMs < leapFromMs || directory.openMoves().length > 0 || !observatory.haveAllFoundNothing()) return
    const dueMs = nextDeliveryDueMs(observed, isAnythingOpen ? nowMs - soonMs : -Infinity)
    const isStuck = !isAnythingOpen && nowMs - Math.max(observatory.lastCommitMs(), dueMs) > 600_000
    const nextMs = isStuck ? Math.min(nowMs + 600_000, nextDeliveryDueMs(observed, nowMs)) : dueMs
    const targetMs = Math.min(eventMs, nextMs, limitMs) - leapChance.between(10, 300)
    if (targetMs <= nowMs) return
    scheduler.leapTo(targetMs)
    for (const machine of workers) {
      const { suspensionEndMs, comparedMs } = machine.last
      if (suspensionEndMs > comparedMs && suspensionEndMs < targetMs) void compares.get(machine)?.()
    }
  }

  const { runUntil, stepCount } = makeStepping({
    scheduler,
    observatory,
    stepsMax,
    leapOverIdleTime,
    onStep() {
      const isDisturbed = apis.length < plan.apiCount || apiMachines.some((machine) => machine.isPartitioned() || machine.stalledUntilMs() >= scheduler.nowMs())
      if (isDisturbed) apiDisturbedMs = scheduler.nowMs()
    },
  })

  const uncaught = watchForUncaught((message) => observatory.broke(message))
  for (const region of regions.values()) for (let count = 0; count < region.plan.workerCount; count++) startWorker(region)
  for (let count = 0; count < plan.apiCount; count++) startApi()
  for (let count = 0; count < plan.moverCount; count++) startMover()
  clients.begin()
  for (const { atMs, organizationId, toStoreId, cancelAtMs } of plan.moves) {
    scheduler.at(atMs, () => {
      if (!directory.begin(organizationId, toStoreId)) return
      trace?.(`${organizationId} is to move to ${toStoreId}`)
      coverage.count('move: begun')
      if (cancelAtMs === null) return
      const { moveNumber } = directory.get(organizationId)
      scheduler.at(cancelAtMs, () => {
        if (directory.get(organizationId).move?.number !== moveNumber || !directory.cancel(organizationId)) return
        trace?.(`the move of ${organizationId} is canceled`)
        coverage.count('move: canceled')
      })
    })
  }
  for (const { storeId, atMs, forMs } of plan.outages) {
    scheduler.at(atMs, () => {
      if (!areFaultsOn()) return
      coverage.count('fault: one store away')
      regions.get(storeId)!.place.portFaults.takeStoreAway(forMs)
    })
  }
  await runUntil(() => false, plan.troubleEndsMs)

  trace?.('the trouble is over')
  for (const { faults } of places()) faults.stop()
  for (const machine of everyMachine) machine.setWallOffset(0)
  const lastMs = Math.max(...plan.requests.map(({ atMs }) => atMs), ...plan.moves.map(({ atMs, cancelAtMs }) => cancelAtMs ?? atMs))
  await runUntil(() => false, lastMs + 1_000)
  const isSettled = () => directory.openMoves().length === 0 && clients.areAnswered()
  await runUntil(isSettled, scheduler.nowMs() + 15 * 60_000)
  // The judges report a move that never ends.
  if (isSettled()) await runUntil(() => isDrained(observed), scheduler.nowMs() + drainedWithinMs(observed))
  await runUntil(() => false, scheduler.nowMs() + 120_000)
  observatory.ended()
  uncaught.stop()
  for (const machine of everyMachine) machine.forget()
  return { violation: observatory.violation(), simulatedMs: scheduler.nowMs(), stepCount: stepCount() }
}
