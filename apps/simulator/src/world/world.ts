import type { OnWake, WakeupChannel } from '@querypost/server/store'
import {
  type AgentRunWorkerDeps,
  type DeliveryWorkerDeps,
  type MailWorkerDeps,
  makeAgentRunWorker,
  makeDeliveryWorker,
  makeMailWorker,
  makeAlertWorker,
  type ArchiveWorkerDeps,
  makeArchiveWorker,
  type HistoryFillWorkerDeps,
  makeHistoryFillWorker,
  type FeedWorkerDeps,
  makeFeedWorker,
  makeReportDeliveryWorker,
  makeReportWorker,
  makeRunWorker,
  makeScheduleWorker,
  makeSlackQuestionWorker,
  makeSealer,
  newSecret,
  type ReportDeliveryWorkerDeps,
  type ReportWorkerDeps,
  type RunWorkerDeps,
  type SlackQuestionWorkerDeps,
} from '@querypost/server/background-work'
import type { Log } from '@querypost/server/log'
import type { Chance } from '../chance.ts'
import type { Coverage } from '../coverage.ts'
import { judges, workJudges } from '../invariants/all.ts'
import { workDrainedWithinMs, isWorkDrained } from '../invariants/work-drains.ts'
import { drainedWithinMs, isDrained } from '../invariants/7-backlog-drains.ts'
import type { DeliveriesInWorld } from '../store/deliveries-in-world.ts'
import type { WorkInWorld } from '../store/work-in-world.ts'
import { makeAgent } from './agents.ts'
import { makeEnginePort } from './engine-port.ts'
import { makeFaults } from './faults.ts'
import { followStoreTime } from './follow-store-time.ts'
import { type Machine, makeMachine, worldBeganAt } from './machine.ts'
import { makeMailPort } from './mail-port.ts'
import { nextDeliveryDueMs } from './next-delivery-due.ts'
import { makeNetworkPort } from './network-port.ts'
import { makeObservatory } from './observatory.ts'
import type { ObservedEndpoint, Violation } from './observed.ts'
import { makeObservedWork } from './observed-work.ts'
import { makePeople } from './people.ts'
import type { Plan } from './plan.ts'
import { makePortFaults } from './port-faults.ts'
import { makeAlertPort } from './alert-port.ts'
import { makeArchivePort } from './archive-port.ts'
import { makeFillPort } from './fill-port.ts'
import { makeFeedPort } from './feed-port.ts'
import { makePrepare, makeReportSender, reportPace } from './report-ports.ts'
import { makeResultsPort } from './results-port.ts'
import { makeStepping } from './run-steps.ts'
import { makeScheduler } from './scheduler.ts'
import { makeSlackPorts } from './slack-ports.ts'
import { makeStoreCalls } from './store-calls.ts'
import { makeStorePort } from './store-port.ts'
import { watchForUncaught } from './uncaught.ts'
import { makeWorkPeople } from './work-people.ts'
import { makeWorkerSessions } from './worker-sessions.ts'
import type { WorkPlan } from './work-plan.ts'
import {
  makeAgentRunStorePort,
  makeChatWriterPort,
  makeDueTimesPort,
  makeEmailStorePort,
  makeArchiveJobStorePort,
  makeFillStorePort,
  makeFeedStorePort,
  makeReportDeliveryStorePort,
  makeReportJobStorePort,
  makeRunStorePort,
  makeSlackQuestionStorePort,
} from './work-ports.ts'

/** Wrappers with which a broken engine replaces the ports of the same workers. */
export interface PortOverrides {
  deliveries?: (deps: DeliveryWorkerDeps) => DeliveryWorkerDeps
  runs?: (deps: RunWorkerDeps) => RunWorkerDeps
  agentRuns?: (deps: AgentRunWorkerDeps) => AgentRunWorkerDeps
  mail?: (deps: MailWorkerDeps) => MailWorkerDeps
  archive?: (deps: ArchiveWorkerDeps) => ArchiveWorkerDeps
  fills?: (deps: HistoryFillWorkerDeps) => HistoryFillWorkerDeps
  feeds?: (deps: FeedWorkerDeps) => FeedWorkerDeps
  reports?: (deps: ReportWorkerDeps) => ReportWorkerDeps
  reportDeliveries?: (deps: ReportDeliveryWorkerDeps) => ReportDeliveryWorkerDeps
  slackQuestions?: (deps: SlackQuestionWorkerDeps) => SlackQuestionWorkerDeps
}

export interface WorldOptions {
  plan: Plan
  chance: Chance
  coverage: Coverage
  deliveries: DeliveriesInWorld
  /** Missing in a world with deliveries only. */
  work?: { store: WorkInWorld; plan: WorkPlan } | undefined
  spoils?: PortOverrides | undefined
  /** Ends the world early, for a search that needs no longer one. The report is then meaningless. */
  stepsMax?: number | undefined
  trace?: ((line: string) => void) | undefined
}

export interface WorldReport {
  violation: Violation | undefined
  simulatedMs: number
  stepCount: number
}

/** Most clocks are slightly wrong, some by minutes. */
const skewsMaxMs = [3_000, 3_000, 120_000, 900_000]
/** Due work is claimed within this time, if a worker is able to. */
const soonMs = 16_000
/** A longer limit for work that needs no free slot. */
const waitedForMs = 150_000
const graceMs = 1_500
const unreadMaxMs = 150_000
/** An interrupted statement has twenty seconds to return. */
const stopsWithinMs = 60_000
/** Shorter idle times are not skipped. */
const leapFromMs = 700
const restartsWithinMs = 60_000
/** Guards against a world that never ends. Correct runs need far fewer. */
const stepsOfAnyWorld = 2_000_000

export async function runWorld(options: WorldOptions): Promise<WorldReport> {
  const { plan, chance, coverage, deliveries, stepsMax = stepsOfAnyWorld } = options
  const scheduler = makeScheduler(chance.fork('order'))
  const trace = options.trace && ((line: string) => options.trace!(`${clockText(scheduler.nowMs())} ${line}`))
  const sealer = makeSealer({ secretKey: chance.fork('key').bytes(32), random: chance.fork('sealing') })
  const machines: Machine[] = []
  const everyMachine: Machine[] = []
  const switchedOff = new Set<string>()
  const faults = makeFaults({ rates: plan.rates, chance: chance.fork('faults'), coverage })
  const portFaults = makePortFaults({ faults, chance: chance.fork('clocks'), scheduler, machines })
  const workerSessions = makeWorkerSessions({ nowMs: scheduler.nowMs, storeAwayFromMs: portFaults.storeAwayFromMs })
  const endpoints = await addEndpoints()
  const { work } = options
  const observedWork = work && makeObservedWork(work.plan, work.store.tables)
  const observatory = makeObservatory({
    deliveries,
    coverage,
    endpoints,
    nowMs: scheduler.nowMs,
    base: {
      isSwitchedOff: (organizationId) => switchedOff.has(organizationId),
      machines,
      peersOf: () => machines,
      mayBeGone: workerSessions.mayBeGone,
      inFlightMax: plan.limits.inFlightMax,
      work: observedWork,
      storeAwayFromMs: portFaults.storeAwayFromMs,
      storeAwayUntilMs: portFaults.storeAwayUntilMs,
      calmSinceMs: portFaults.calmSinceMs,
      storeAheadMs: () => 0,
      isTroubleOver: () => !faults.areOn(),
      troubleEndsMs: plan.troubleEndsMs,
    },
    makeJudges: work ? [...judges, ...workJudges] : judges,
    trace,
  })
  const { observed } = observatory
  const stops = new Map<Machine, () => void>()
  const looks = new Map<Machine, Map<OnWake, WakeupChannel>>()
  const compares = new Map<Machine, () => Promise<void>>()
  const wakeChance = chance.fork('wake-ups')
  const creatorChance = chance.fork('creators of work')
  const leapChance = chance.fork('leaps')
  const people = makePeople({
    ...options,
    scheduler,
    chance: chance.fork('people'),
    sealer,
    observatory,
    switchedOff,
    setTime,
    wake,
    restartAWorker,
  })
  const workPeople =
    work &&
    makeWorkPeople({
      plan: work.plan,
      tables: work.store.tables,
      agentRuns: work.store.agentRuns,
      scheduler,
      chance: chance.fork('work people'),
      coverage,
      observatory,
      setTime,
      wake,
    })
  let machineCount = 0

  async function addEndpoints() {
    const secrets = chance.fork('secrets')
    for (const organizationId of plan.organizationIds) await deliveries.addOrganization(organizationId)
    const observedEndpoints = new Map<string, ObservedEndpoint>()
    for (const { id, organizationId, url, creator, isOrdered } of plan.endpoints) {
      const secret = newSecret(secrets)
      const now = new Date(worldBeganAt)
      await deliveries.addEndpoint({ id, organizationId, url, secret: sealer.seal(secret, id), createdBy: creator, isOrdered, now })
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

  function setTime(now: Date, callerNow = now) {
    deliveries.setTime(now)
    if (!work) return
    work.store.tables.now = now
    work.store.tables.callerNow = callerNow
  }

  function wake() {
    // The process that created the work, if it is one with workers. They may be busy, and it may be gone by now.
    const creator = creatorChance.pick([undefined, ...machines])
    for (const machine of machines) {
      if (machine.isDead() || machine.isPartitioned() || faults.isWakeupLost()) continue
      const wakeup = { isTaken: creator !== undefined && machine !== creator }
      for (const onWake of looks.get(machine)?.keys() ?? []) machine.later(wakeChance.between(0, 20), () => onWake(wakeup))
    }
  }

  function startMachine(slot: number) {
    const id = `worker ${slot}.${++machineCount}`
    const own = chance.fork(id)
    const skewMaxMs = own.pick(skewsMaxMs)
    const skewMs = own.between(-skewMaxMs, skewMaxMs)
    const machine = makeMachine({ id, slot, scheduler, skewMs, onDeath: () => bury(machine) })
    machine.onSleep = () => {
      if (!machine.isDead() && portFaults.meet(machine, 'clock.sleep').crash) machine.die()
    }
    machines.push(machine)
    everyMachine.push(machine)
    portFaults.disturb(scheduler.nowMs())
    trace?.(`${id} starts`)
    const call = makeStoreCalls({ machine, scheduler, chance: own, faults: portFaults, observatory, setTime })
    const log = logOf(machine)
    const storeTime = followStoreTime({ machine, scheduler, log, nowMs: () => worldBeganAt + scheduler.nowMs(), read: (act) => call('store.time', act) })
    const { clock } = storeTime
    const begin = async () => {
      await storeTime.begin()
      compares.set(machine, () => storeTime.compare().catch(() => {}))
      const ofMachine = new Map<OnWake, WakeupChannel>()
      looks.set(machine, ofMachine)
      startWorkers({ machine, own, call, clock, log, ofMachine })
    }
    void begin()
  }

  function startWorkers(of: {
    machine: Machine
    own: Chance
    call: ReturnType<typeof makeStoreCalls>
    clock: DeliveryWorkerDeps['clock']
    log: Log
    ofMachine: Map<OnWake, WakeupChannel>
  }) {
    const { machine, own, call, clock, log, ofMachine } = of
    const wakeups: DeliveryWorkerDeps['wakeups'] = {
      wake() {},
      listen(channel, onWake) {
        ofMachine.set(onWake, channel)
        return () => void ofMachine.delete(onWake)
      },
    }
    const common = { clock, log, wakeups, isStoreShared: true }
    const { spoils = {} } = options
    const ports = { machine, scheduler, chance: own, coverage, faults: portFaults, observatory }
    const deliveryDeps: DeliveryWorkerDeps = {
      ...common,
      random: own.fork('engine'),
      network: makeNetworkPort({ ...ports, endpoints: plan.endpoints }),
      sealer,
      addressRules: { ownUrl: new URL('https://querypost.example'), allowedNetworks: [] },
      deliveries: makeStorePort(call, deliveries.store),
      workerRegistry: workerSessions.registryOf(machine, call),
      limits: plan.limits,
    }
    const deliveryWorker = makeDeliveryWorker(spoils.deliveries?.(deliveryDeps) ?? deliveryDeps)
    const others = work && observedWork ? makeOthers(work, observedWork) : undefined

    function makeOthers({ store, plan: workPlan }: NonNullable<typeof work>, observed: NonNullable<typeof observedWork>) {
      const virtual = (label: string) => ({ ...ports, chance: own.fork(label), work: observed, trace })
      const runDeps: RunWorkerDeps = {
        ...common,
        random: own.fork('runs'),
        runs: makeRunStorePort(call, store.runs, machine),
        engines: makeEnginePort(virtual('engines')),
        results: makeResultsPort(virtual('results')),
        limits: { maxRows: 1e6, maxMb: 100 },
        runTimeoutSeconds: workPlan.runTimeoutSeconds,
      }
      const agent = makeAgent({ ...virtual('agents'), call })
      const agentDeps: AgentRunWorkerDeps = {
        ...common,
        random: own.fork('agent runs'),
        agentRuns: makeAgentRunStorePort(call, store.agentRuns),
        agents: { digest: agent, model: agent },
        chatWriterOf: (lease) => makeChatWriterPort(call, store.agentRuns, lease),
        timeLimitSeconds: workPlan.agentTimeoutSeconds,
      }
      const mailDeps: MailWorkerDeps = {
        ...common,
        random: own.fork('mail'),
        emails: makeEmailStorePort(call, store.emails),
        mail: makeMailPort(virtual('mail server')),
        baseUrl: 'https://querypost.example',
      }
      const reportDeps: ReportWorkerDeps = {
        ...common,
        random: own.fork('reports'),
        reportJobs: makeReportJobStorePort(call, store.reportJobs),
        prepare: makePrepare({ ...virtual('rendering') }),
      }
      const reportDeliveryDeps: ReportDeliveryWorkerDeps = {
        ...common,
        random: own.fork('report deliveries'),
        reportDeliveries: makeReportDeliveryStorePort(call, store.reportDeliveries),
        reportPace,
        ...makeReportSender(makeMailPort(virtual('report server'))),
      }
      const slackDeps: SlackQuestionWorkerDeps = {
        ...common,
        random: own.fork('Slack questions'),
        slackQuestions: makeSlackQuestionStorePort(call, store.slackQuestions),
        slackQuestionPorts: makeSlackPorts({ call, tables: store.tables, store: store.slackQuestions, server: makeMailPort(virtual('Slack')) }),
      }
      const slackQuestions = workPlan.slackQuestions.length > 0 && {
        slackQuestions: makeSlackQuestionWorker(spoils.slackQuestions?.(slackDeps) ?? slackDeps),
      }
      const reports = workPlan.reports.length > 0 && {
        reports: makeReportWorker(spoils.reports?.(reportDeps) ?? reportDeps),
        reportDeliveries: makeReportDeliveryWorker(spoils.reportDeliveries?.(reportDeliveryDeps) ?? reportDeliveryDeps),
      }
      const archiveDeps = (): ArchiveWorkerDeps => ({
        ...common,
        random: own.fork('archive worker'),
        archiveJobs: makeArchiveJobStorePort(call, store.archiveJobs),
        archiveResult: makeArchivePort(virtual('archive')),
      })
      const archive = workPlan.areResultsKept && { archive: makeArchiveWorker(spoils.archive?.(archiveDeps()) ?? archiveDeps()) }
      const fillDeps = (): HistoryFillWorkerDeps => ({
        ...common,
        random: own.fork('fill worker'),
        fills: makeFillStorePort(call, store.fills),
        fillDay: makeFillPort(virtual('filling')),
      })
      const fills = workPlan.fills.length > 0 && { fills: makeHistoryFillWorker(spoils.fills?.(fillDeps()) ?? fillDeps()) }
      const feedDeps = (): FeedWorkerDeps => ({
        ...common,
        random: own.fork('feed worker'),
        feeds: makeFeedStorePort(call, store.feeds),
        advanceFeed: makeFeedPort({ ...virtual('comparing'), tables: store.tables }),
      })
      const feeds = store.tables.areChangesPublished && { feeds: makeFeedWorker(spoils.feeds?.(feedDeps()) ?? feedDeps()) }
      const alerts = workPlan.alerts.length > 0 && {
        alerts: makeAlertWorker({ ...common, alerts: makeAlertPort({ ...virtual('alerts'), call, store: store.alerts, tables: store.tables }) }),
      }
      return {
        ...reports,
        ...slackQuestions,
        ...archive,
        ...feeds,
        ...fills,
        ...alerts,
        runs: makeRunWorker(spoils.runs?.(runDeps) ?? runDeps),
        agentRuns: makeAgentRunWorker(spoils.agentRuns?.(agentDeps) ?? agentDeps),
        mail: makeMailWorker(spoils.mail?.(mailDeps) ?? mailDeps),
        schedules: makeScheduleWorker({ dueTimes: makeDueTimesPort(call, store.dueTimes), clock, log }),
      }
    }

    /** In the order in which a process stops: a working agent needs its query runs to end. */
    async function stop() {
      await others?.schedules.stop()
      await others?.alerts?.stop()
      await others?.agentRuns.stop({ graceMs })
      await others?.reports?.stop({ graceMs })
      await Promise.all([
        deliveryWorker.stop({ graceMs }),
        others?.runs.stop({ graceMs }),
        others?.mail.stop({ graceMs }),
        others?.reportDeliveries?.stop({ graceMs }),
        others?.slackQuestions?.stop({ graceMs }),
        others?.archive?.stop({ graceMs }),
        others?.feeds?.stop({ graceMs }),
        others?.fills?.stop({ graceMs }),
      ])
      machine.die()
    }
    stops.set(machine, () => void stop())
    deliveryWorker.start()
    for (const worker of Object.values(others ?? {})) worker.start()
  }

  /** Drops its open calls. A new process replaces it after a while. */
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
    portFaults.disturb(scheduler.nowMs() + stopsWithinMs)
    machine.trouble(scheduler.nowMs() + stopsWithinMs)
    stops.get(machine)!()
    stops.delete(machine)
  }

  function logOf(machine: Machine): Log {
    const write = (level: string) => (fields: unknown, message?: string) =>
      trace?.(`${machine.id} ${level}: ${message ?? ''} ${JSON.stringify(fields, withErrors)}`)
    const [debug, info, warn, error] = ['debug', 'info', 'warn', 'error'].map(write)
    return { debug, info, warn, error, fatal: error } as unknown as Log
  }

  /** When a worker could next find work, in the world's time. Work that is long due but not claimed is ignored. */
  function nextDueMs(afterMs: number, workAfterMs: number): number {
    let earliestMs = nextDeliveryDueMs(observed, afterMs)
    for (const dueMs of work ? workDueMs(work.store.tables) : []) if (dueMs > workAfterMs) earliestMs = Math.min(earliestMs, dueMs)
    return earliestMs
  }

  /** Whether a lease must be renewed or watched. Interrupted work that hangs is ignored. */
  function isWorkUnderWay(): boolean {
    if (!observedWork) return false
    const { tables, statements, agents } = observedWork
    for (const { status } of [...tables.unfinishedRuns, ...tables.unfinishedAgentRuns]) if (status === 'running') return true
    for (const { interruptedMs } of [...statements, ...agents]) if (interruptedMs === undefined) return true
    return false
  }

  /** Whether a requested stop has not been read by its worker. */
  function isStopUnread(nowMs: number): boolean {
    if (!observedWork) return false
    for (const items of [observedWork.runs, observedWork.agentRuns]) {
      for (const { stopRequestedMs, endedMs, holder } of items.values()) {
        if (stopRequestedMs === undefined || endedMs !== undefined || !holder) continue
        if (holder.interruptedMs === undefined && nowMs - Math.max(stopRequestedMs, holder.atMs) < unreadMaxMs) return true
      }
    }
    return false
  }

  /**
   * Leaps to shortly before the next possible event. While requests are open, their timeouts are such events; due work that was not
   * claimed waits for a free slot.
   */
  function leapOverIdleTime(limitMs: number) {
    const nowMs = scheduler.nowMs()
    if (isStopUnread(nowMs)) return
    const withKeeping = isWorkUnderWay() || observatory.isAnythingOpen()
    const eventMs = scheduler.nextEventMs({ withKeeping })
    if (eventMs - nowMs < leapFromMs || !observatory.haveAllFoundNothing()) return
    const isAnythingOpen = withKeeping
    const dueMs = isAnythingOpen ? nextDueMs(nowMs - soonMs, nowMs - waitedForMs) : nextDueMs(-Infinity, -Infinity)
    // If due work is not claimed now, it won't be a second later either.
    const isStuck = !isAnythingOpen && nowMs - Math.max(observatory.lastCommitMs(), dueMs) > 600_000
    const targetMs = Math.min(eventMs, isStuck ? Math.min(nowMs + 600_000, nextDueMs(nowMs, nowMs)) : dueMs, limitMs) - leapChance.between(10, 300)
    if (targetMs <= nowMs) return
    scheduler.leapTo(targetMs)
    // The skipped heartbeats include clock comparisons, which a machine needs after a suspension.
    for (const machine of machines) {
      const { suspensionEndMs, comparedMs } = machine.last
      if (suspensionEndMs > comparedMs && suspensionEndMs < targetMs) void compares.get(machine)?.()
    }
  }

  const { runUntil, stepCount } = makeStepping({ scheduler, observatory, stepsMax, leapOverIdleTime })
  const uncaught = watchForUncaught((message) => observatory.broke(message))
  for (let slot = 1; slot <= plan.workerCount; slot++) startMachine(slot)
  people.begin()
  await workPeople?.begin()
  for (const { atMs, forMs } of work?.plan.outages ?? []) {
    scheduler.at(atMs, () => {
      if (!faults.areOn()) return
      coverage.count('fault: store away during work')
      portFaults.takeStoreAway(forMs)
    })
  }
  await runUntil(() => false, plan.troubleEndsMs)

  trace?.('the trouble is over')
  faults.stop()
  for (const machine of machines) machine.setWallOffset(0)
  await people.switchAllOn()
  const plannedMs = [...plan.publications.map(({ atMs, openMs }) => atMs + openMs), ...plan.deeds.map(({ atMs }) => atMs)]
  const lastPlannedMs = Math.max(workPeople?.lastMs ?? 0, ...plannedMs)
  await runUntil(() => false, lastPlannedMs + 1000)
  await people.switchAllOn()
  const limitMs = scheduler.nowMs() + drainedWithinMs(observed) + (observedWork ? workDrainedWithinMs(observedWork) : 0)
  let drainedAtCommit = -1
  const isOver = () => {
    if (drainedAtCommit === observatory.commitCount() && observed.openRequests.size > 0) return false
    drainedAtCommit = observatory.commitCount()
    return isDrained(observed) && (!observedWork || isWorkDrained(observedWork))
  }
  await runUntil(isOver, limitMs)
  // Continue for a while: final states must stay final.
  await runUntil(() => false, scheduler.nowMs() + 120_000)
  observatory.ended()
  uncaught.stop()
  for (const machine of everyMachine) machine.forget()
  return { violation: observatory.violation(), simulatedMs: scheduler.nowMs(), stepCount: stepCount() }
}

const withErrors = (_: string, value: unknown) => (value instanceof Error ? value.message : value)
const clockText = (ms: number) => new Date(worldBeganAt + ms).toISOString().slice(5, 23)

/** When work of the other kinds is next due or claimable, in the world's time. */
function* workDueMs({ unfinishedRuns, unfinishedAgentRuns, automations, ...tables }: WorkInWorld['tables']) {
  for (const { leaseExpiresAt } of [...unfinishedRuns, ...unfinishedAgentRuns]) {
    if (leaseExpiresAt) yield leaseExpiresAt.getTime() - worldBeganAt
  }
  const busy = new Set([...unfinishedAgentRuns].map(({ automationId }) => automationId))
  for (const { id, nextDueAt } of automations.values()) if (nextDueAt && !busy.has(id)) yield nextDueAt.getTime() - worldBeganAt
  for (const queue of [tables.emails, tables.reportJobs, tables.reportDeliveries, tables.slackQuestions, tables.archiveJobs, tables.feeds, tables.fills]) {
    for (const { nextAttemptAt } of queue.values()) if (nextAttemptAt) yield nextAttemptAt.getTime() - worldBeganAt
  }
  for (const { unjudgedSince, announceAt } of tables.alerts.values()) {
    for (const dueAt of [unjudgedSince, announceAt]) if (dueAt) yield dueAt.getTime() - worldBeganAt
  }
}
