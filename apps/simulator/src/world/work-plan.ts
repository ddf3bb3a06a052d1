import type { Chance } from '../chance.ts'
import type { FaultRates } from './fault-rates.ts'
import type { Timeline } from './timeline.ts'

/** The requests, schedules, stops and reads of a world, in addition to events and endpoints. */
export interface WorkPlan {
  queries: { id: string; organizationId: string; databaseId: string }[]
  automations: Automation[]
  deeds: WorkDeed[]
  /** Outages of the store shortly after a request, long enough for leases to expire. */
  outages: { atMs: number; forMs: number }[]
  mailServer: Timeline<MailServerKind>
  /** None in most worlds. */
  reports: PlannedReport[]
  reportDeeds: ReportDeed[]
  /** None in most worlds. */
  slackQuestions: { atMs: number; organizationId: string; isByMember: boolean }[]
  /** None in most worlds. */
  alerts: PlannedAlert[]
  snoozes: { atMs: number; index: number; forMs: number }[]
  /** Requests of the queries that alerts watch. */
  watchedRuns: { atMs: number; index: number }[]
  /** Requests of queries that read others; none in most worlds. `mayBeStored`: an earlier result is fresh enough. */
  readingRuns: { atMs: number; index: number; inputCount: number; mayBeStored: boolean }[]
  /** None in most worlds. Fills without days stop the one that runs. */
  fills: { atMs: number; index: number; dayCount: number }[]
  /** Whether the queries are saved, so that their results are kept. */
  areResultsKept: boolean
  /** Whether the queries publish changes. Only if their results are kept. */
  areChangesPublished: boolean
  /** Smaller than in the service, so that a short world reaches them. */
  runTimeoutSeconds: number
  agentTimeoutSeconds: number
}

export interface Automation {
  id: string
  organizationId: string
  createdBy: string
  /** 0: without a schedule. */
  everyMinutes: number
  /** The schedule is switched off then, so that a world ends. */
  pausedMs: number
}

export const mailServerKinds = ['takes', 'slow', 'rejects temporarily', 'rejects permanently', 'hangs', 'loses the answer'] as const
export type MailServerKind = (typeof mailServerKinds)[number]

export const workDeedKinds = [
  'request a run',
  'stop a run',
  'request an agent run',
  'ask a question',
  'stop an agent run',
  'delete a chat',
  'pause a schedule',
  'resume a schedule',
  'notify somebody',
  'read a notification',
] as const
export type WorkDeedKind = (typeof workDeedKinds)[number]

export interface WorkDeed {
  atMs: number
  kind: WorkDeedKind
  /** Which of several it concerns, modulo their number. */
  index: number
}

/** A report with its recipients. Several share their values, and some have to confirm. */
export interface PlannedReport {
  id: string
  organizationId: string
  recipients: { email: string; isMember: boolean; isConfirmed: boolean; store: string | null }[]
}

export interface PlannedAlert {
  id: string
  organizationId: string
  queryId: string
  limit: number
}

export const reportDeedKinds = ['send a report', 'confirm an address', 'unsubscribe'] as const

export interface ReportDeed {
  atMs: number
  kind: (typeof reportDeedKinds)[number]
  /** Which of several it concerns, modulo their number. */
  index: number
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute

export function makeWorkPlan(chance: Chance, options: { organizationIds: string[]; rates: FaultRates }): WorkPlan {
  const untilMs = chance.pick([10 * minute, hour, 3 * hour])
  const databases = chance.between(1, 3)
  const queries = Array.from({ length: chance.between(1, 6) }, (_, index) => ({
    id: `query_${index}`,
    organizationId: options.organizationIds[index % options.organizationIds.length]!,
    databaseId: `adb_${index % databases}`,
  }))
  const automations = Array.from({ length: chance.between(0, 4) }, (_, index): Automation => {
    // About a dozen due times each, to keep a world short.
    const everyMinutes = chance.isTrue(0.3) ? 0 : chance.pick(untilMs > hour ? [15, 30, 60] : untilMs > 10 * minute ? [5, 15] : [1, 5])
    return {
      id: `automation_${index}`,
      organizationId: chance.pick(options.organizationIds),
      createdBy: `user_${chance.pick(['x', 'y', 'z'])}`,
      everyMinutes,
      pausedMs: untilMs + chance.between(0, 20 * minute),
    }
  })
  const deeds = makeDeeds(chance, { untilMs })
  return {
    queries,
    automations,
    deeds,
    outages: options.rates.storeOutage > 0 ? makeOutages(chance, deeds) : [],
    mailServer: makeMailServer(chance),
    // A stream of its own, so that worlds without reports stay as they are.
    ...makeReports(chance.fork('reports'), { ...options, untilMs }),
    slackQuestions: makeSlackQuestions(chance.fork('Slack questions'), { ...options, untilMs }),
    ...makeAlerts(chance.fork('alerts'), { queries, untilMs }),
    readingRuns: makeReadingRuns(chance.fork('reading runs'), { untilMs }),
    fills: makeFills(chance.fork('history fills'), { untilMs }),
    areResultsKept: chance.fork('kept results').isTrue(0.3),
    areChangesPublished: chance.fork('change feeds').isTrue(0.6),
    runTimeoutSeconds: chance.pick([40, 90, 200]),
    agentTimeoutSeconds: chance.pick([60, 150, 300]),
  }
}

function makeDeeds(chance: Chance, options: { untilMs: number }): WorkDeed[] {
  const deeds: WorkDeed[] = []
  const add = (kind: WorkDeedKind, atMs: number, index = chance.between(0, 99)) => deeds.push({ kind, atMs, index })
  const bursts = chance.between(0, 4)
  for (let burst = 0; burst < bursts; burst++) {
    const atMs = Math.floor(chance.next() * options.untilMs)
    const spreadMs = chance.pick([100, 5 * second, minute])
    const size = chance.between(1, 8)
    for (let index = 0; index < size; index++) {
      const onceMs = atMs + chance.between(0, spreadMs)
      const kind = chance.pick(['request a run', 'request a run', 'request an agent run', 'ask a question', 'notify somebody'] as const)
      const which = chance.between(0, 99)
      add(kind, onceMs, which)
      // Some change while the run is in progress.
      if (kind === 'request a run' && chance.isTrue(0.2)) add('stop a run', onceMs + chance.between(10, 30 * second))
      if (kind !== 'request a run' && chance.isTrue(0.2)) {
        const deed = kind === 'ask a question' && which % 2 === 0 ? 'delete a chat' : 'stop an agent run'
        add(deed, onceMs + chance.between(10, 30 * second))
      }
    }
  }
  const others = chance.pick([0, 2, 6])
  for (let index = 0; index < others; index++) {
    const atMs = Math.floor(chance.next() * options.untilMs)
    const which = chance.between(0, 99)
    const kind = chance.pick(['pause a schedule', 'read a notification', 'stop an agent run', 'stop a run'] as const)
    add(kind, atMs, which)
    if (kind === 'pause a schedule') add('resume a schedule', atMs + chance.between(second, 20 * minute), which)
  }
  return deeds
}

function makeOutages(chance: Chance, deeds: WorkDeed[]): WorkPlan['outages'] {
  const requests = deeds.filter(({ kind }) => kind === 'request a run')
  if (requests.length === 0) return []
  return Array.from({ length: chance.between(0, 3) }, () => ({
    atMs: chance.pick(requests).atMs + chance.between(second, 15 * second),
    forMs: chance.between(15 * second, 120 * second),
  }))
}

function makeReports(
  chance: Chance,
  options: { organizationIds: string[]; untilMs: number },
): Pick<WorkPlan, 'reports' | 'reportDeeds'> {
  if (chance.isTrue(0.6)) return { reports: [], reportDeeds: [] }
  const reports = Array.from({ length: chance.between(1, 2) }, (_, index) => ({
    id: `rep_${index}`,
    organizationId: chance.pick(options.organizationIds),
    recipients: Array.from({ length: chance.between(1, 6) }, (__, place) => {
      const isMember = chance.isTrue(0.5)
      const store = chance.pick([null, 'north', 'south'])
      return { email: `r${index}.${place}@example.com`, isMember, isConfirmed: isMember || chance.isTrue(0.5), store }
    }),
  }))
  const reportDeeds = Array.from({ length: chance.between(2, 8) }, (): ReportDeed => {
    const kind = chance.isTrue(0.5) ? 'send a report' : chance.pick(reportDeedKinds)
    return { atMs: Math.floor(chance.next() * options.untilMs), kind, index: chance.between(0, 99) }
  })
  // A stream of its own, so that worlds without a rush stay as they are.
  const rush = chance.fork('rush of reports')
  if (reports.length > 1 && rush.isTrue(0.7)) {
    const atMs = Math.floor(rush.next() * options.untilMs)
    const large = Array.from({ length: 6 }, (): ReportDeed => ({ atMs: atMs + rush.between(0, second), kind: 'send a report', index: 0 }))
    reportDeeds.push(...large, { atMs: atMs + rush.between(second, 20 * second), kind: 'send a report', index: 1 })
  }
  return { reports, reportDeeds }
}

function makeSlackQuestions(chance: Chance, options: { organizationIds: string[]; untilMs: number }): WorkPlan['slackQuestions'] {
  if (chance.isTrue(0.6)) return []
  return Array.from({ length: chance.between(1, 6) }, () => ({
    atMs: Math.floor(chance.next() * options.untilMs),
    organizationId: chance.pick(options.organizationIds),
    isByMember: chance.isTrue(0.8),
  }))
}

/** In rushes, so that inputs are unfinished when others read them, and run again before those start. */
function makeReadingRuns(chance: Chance, { untilMs }: { untilMs: number }): WorkPlan['readingRuns'] {
  if (chance.isTrue(0.7)) return []
  return Array.from({ length: chance.between(1, 3) }, () => {
    const atMs = Math.floor(chance.next() * untilMs)
    return Array.from({ length: chance.between(1, 5) }, () => ({
      atMs: atMs + chance.between(0, minute),
      index: chance.between(0, 99),
      inputCount: chance.between(1, 2),
      mayBeStored: chance.isTrue(0.5),
    }))
  }).flat()
}

function makeFills(chance: Chance, { untilMs }: { untilMs: number }): WorkPlan['fills'] {
  if (chance.isTrue(0.7)) return []
  return Array.from({ length: chance.between(1, 4) }, () => {
    const fill = { atMs: Math.floor(chance.next() * untilMs), index: chance.between(0, 99), dayCount: chance.between(1, 6) }
    const stop = { ...fill, atMs: fill.atMs + chance.between(second, 3 * minute), dayCount: 0 }
    return chance.isTrue(0.4) ? [fill, stop] : [fill]
  }).flat()
}

/** Snoozes of zero length end the one before. */
function makeAlerts(chance: Chance, options: Pick<WorkPlan, 'queries'> & { untilMs: number }): Pick<WorkPlan, 'alerts' | 'snoozes' | 'watchedRuns'> {
  if (chance.isTrue(0.7)) return { alerts: [], snoozes: [], watchedRuns: [] }
  const alerts = Array.from({ length: chance.between(1, 3) }, (_, index): PlannedAlert => {
    const { id: queryId, organizationId } = chance.pick(options.queries)
    return { id: `alert_${index}`, organizationId, queryId, limit: chance.between(0, 1) }
  })
  const snoozes = Array.from({ length: chance.between(0, 4) }, () => ({
    atMs: Math.floor(chance.next() * options.untilMs),
    index: chance.between(0, 99),
    forMs: chance.pick([0, minute, 10 * minute, hour]),
  }))
  const watchedRuns = Array.from({ length: chance.between(2, 10) }, () => ({
    atMs: Math.floor(chance.next() * options.untilMs),
    index: chance.between(0, 99),
  }))
  return { alerts, snoozes, watchedRuns }
}

function makeMailServer(chance: Chance): Timeline<MailServerKind> {
  if (chance.isTrue(0.4)) return [{ fromMs: 0, kind: 'takes' }]
  const times = Array.from({ length: chance.between(1, 5) }, () => Math.floor(chance.next() * 3 * hour))
  const kind = () => (chance.isTrue(0.3) ? 'takes' : chance.pick(mailServerKinds))
  return [0, ...times.sort((a, b) => a - b)].map((fromMs) => ({ fromMs, kind: kind() }))
}
