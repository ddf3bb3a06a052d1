import type { PostAnswer, PostRequest } from '@querypost/server/ports'
import type { DeliveryRow, EndpointRow } from '@querypost/server/testing'
import type { Coverage } from '../coverage.ts'
import type { DeliveriesInWorld } from '../store/deliveries-in-world.ts'
import type { Machine } from './machine.ts'
import { lineOfWork, takeWork } from './take-work.ts'
import type {
  Cause,
  Commit,
  Judge,
  Observed,
  ObservedDelivery,
  ObservedEndpoint,
  ObservedRequest,
  Violation,
} from './observed.ts'

/** Records everything that leaves the engine or is committed to the store, and runs the judges. The first violation ends the run. */
export interface Observatory {
  observed: Observed
  /** Must be called after everything that may have changed the store. */
  look(cause: Cause): Promise<void>
  nameAsked(machine: Machine, signal: AbortSignal): void
  nameAnswered(machine: Machine, hostname: string, options: { signal: AbortSignal; addresses?: string[] }): void
  /** `wallMs`: the worker's wall clock when it called. */
  requested(machine: Machine, request: PostRequest, wallMs: number): ObservedRequest
  arrived(request: ObservedRequest): void
  answered(request: ObservedRequest, answer: PostAnswer): void
  stepped(): void
  ended(): void
  violation(): Violation | undefined
  /** Reports a fault that no judge covers: an unhandled rejection or an exception in a timer. */
  broke(message: string): void
  /** Discards what a dead machine was waiting for. */
  died(machine: Machine): void
  /** Whether a lookup or a request is in progress. */
  isAnythingOpen(): boolean
  /** The number of commits. */
  commitCount(): number
  lastCommitMs(): number
  /** Whether every worker has polled since the last commit and found nothing. */
  haveAllFoundNothing(): boolean
}

interface Question {
  machine: Machine
  askedMs: number
  addresses: string[] | undefined
}

export function makeObservatory(options: {
  deliveries: Pick<DeliveriesInWorld, 'deliveries' | 'writtenDeliveries' | 'endpoints' | 'notifications'>
  coverage: Coverage
  nowMs(): number
  endpoints: Map<string, ObservedEndpoint>
  base: Omit<Observed, 'deliveries' | 'endpoints' | 'openRequests' | 'nameAnsweredMs' | 'nowMs'>
  makeJudges: ((observed: Observed) => Judge)[]
  trace?: ((line: string) => void) | undefined
}): Observatory {
  const { coverage, nowMs } = options
  const deliveries = new Map<string, ObservedDelivery>()
  const byEvent = new Map<string, ObservedDelivery>()
  const byUrl = new Map([...options.endpoints.values()].map((endpoint) => [endpoint.plan.url, endpoint]))
  const openRequests = new Set<ObservedRequest>()
  const attempts = new WeakMap<AbortSignal, Question>()
  const openQuestions = new Set<Question>()
  const { work } = options.base
  const nameTimes = new WeakMap<Machine, Map<string, number[]>>()
  let notificationCount = 0
  let violation: Violation | undefined
  let commitCount = 0
  let lastCommitMs = 0
  /** The workers that have polled since the last commit, by kind. */
  const foundNothing = new Map<Machine, Set<string>>()
  /** When new work of each kind last appeared. */
  const changedMs = new Map<string, number>()
  const looks = work ? ['claim', 'runs.claim', 'agentRuns.claim', 'dueTimes.claim'] : ['claim']

  const observed: Observed = {
    ...options.base,
    nowMs,
    deliveries,
    endpoints: options.endpoints,
    openRequests,
    nameAnsweredMs: (machine, hostname) => nameTimes.get(machine)?.get(hostname) ?? [],
  }
  const judges = options.makeJudges.map((make) => make(observed))

  function judge(ask: (judge: Judge) => string | undefined) {
    for (const each of violation ? [] : judges) {
      const message = ask(each)
      if (message === undefined) continue
      violation = { invariant: each.invariant, message, atMs: nowMs() }
      return
    }
  }

  /** After a commit, workers that may have new work must poll before the world counts as idle. */
  function lookAgain(cause: Cause, changes: Commit['changes'], workChanges: Commit['work']) {
    const tables = new Set(workChanges.map(({ table }) => table))
    const isForAgents = tables.has('agentRuns') || tables.has('automations')
    const isNew: Record<string, boolean> = {
      claim: changes.length > 0,
      'runs.claim': tables.has('runs'),
      'agentRuns.claim': isForAgents,
      'dueTimes.claim': isForAgents,
    }
    for (const look of looks) {
      if (!isNew[look] && cause.by === 'worker') continue
      changedMs.set(look, nowMs())
      for (const found of foundNothing.values()) found.delete(look)
    }
  }

  async function readChanges(): Promise<Commit['changes']> {
    const written = options.deliveries.writtenDeliveries?.() ?? (await readAll())
    return written.map(({ id, row }) => ({ before: deliveries.get(id)?.row, after: row }))
  }

  async function readAll() {
    const rows = await options.deliveries.deliveries()
    const ids = new Set(rows.map(({ id }) => id))
    return [
      ...rows.filter((row) => !isSame(row, deliveries.get(row.id)?.row)).map((row) => ({ id: row.id, row })),
      ...[...deliveries.keys()].filter((id) => !ids.has(id)).map((id) => ({ id, row: undefined })),
    ]
  }

  function take({ before, after }: Commit['changes'][number], cause: Cause, bodies: ReadonlyMap<string, string>) {
    if (!after) return void deliveries.delete(before!.id)
    const known = deliveries.get(after.id)
    if (known) {
      if (cause.by === 'worker' && after.leaseNumber > known.row.leaseNumber) {
        if (known.row.leaseOwner !== null) coverage.count('delivery: lease expired and claimed again')
        const { machine, calledMs } = cause
        known.claims.push({ machine, leaseNumber: after.leaseNumber, calledMs, atMs: nowMs(), isUsed: false })
      }
      known.row = after
      return
    }
    const body = Buffer.from(cause.by === 'publisher' ? cause.publication.body : (bodies.get(after.eventId) ?? ''))
    const delivery = { row: after, publishedMs: nowMs(), body, claims: [], requests: [] }
    deliveries.set(after.id, delivery)
    byEvent.set(`${after.eventId} ${after.endpointId}`, delivery)
  }

  function countChanges({ changes, cause }: Commit) {
    for (const { before, after } of changes) {
      if (!before && after?.state === 'held') coverage.count('delivery: published as held')
      const isRecord = cause.by === 'worker' && cause.call === 'record'
      if (before && after && (before.state !== after.state || isRecord)) {
        coverage.count(`delivery: ${before.state} → ${after.state}`)
      }
    }
    if (cause.by === 'worker' && cause.call === 'record' && changes.length < cause.records.length) {
      coverage.count('delivery: record refused', cause.records.length - changes.length)
    }
  }

  function countEndpoint(before: EndpointRow | undefined, after: EndpointRow, cause: Cause) {
    if (cause.by !== 'worker' || !before) return
    if (before.state !== after.state) coverage.count('endpoint: disabled by failures')
    if (before.consecutiveFailures > 0 && after.consecutiveFailures === 0) coverage.count('endpoint: count reset by a success')
  }

  return {
    observed,
    async look(cause) {
      const changes = await readChanges()
      const workChanges = work?.tables.takeChanges() ?? []
      // A poll that found nothing; there are many.
      if (changes.length === 0 && workChanges.length === 0 && cause.by === 'worker' && cause.call !== 'record') {
        if (looks.includes(cause.call) && cause.calledMs > (changedMs.get(cause.call) ?? -1)) {
          foundNothing.set(cause.machine, (foundNothing.get(cause.machine) ?? new Set()).add(cause.call))
        }
        return
      }
      const isQuiet = cause.by === 'worker' && quietCalls.test(cause.call)
      if (!isQuiet) lookAgain(cause, changes, workChanges)
      if (!isQuiet && (changes.length > 0 || workChanges.length > 0 || cause.by !== 'worker')) {
        commitCount += 1
        lastCommitMs = nowMs()
      }
      const endpointsBefore = new Map([...observed.endpoints].map(([id, { row }]) => [id, row]))
      for (const row of await options.deliveries.endpoints()) {
        const endpoint = observed.endpoints.get(row.id)!
        if (!isSameEndpoint(endpoint.row, row)) {
          countEndpoint(endpoint.row, row, cause)
          endpoint.row = row
        }
        if (cause.by === 'person' && cause.endpointId === row.id) endpoint.changedMs = nowMs()
      }
      const all = await options.deliveries.notifications()
      const notifications = all.slice(notificationCount)
      notificationCount = all.length
      coverage.count('endpoint: warned', notifications.filter(({ kind }) => kind === 'endpoint_failing').length)
      const commit: Commit = { cause, changes, endpointsBefore, notifications, work: workChanges }
      if (options.trace) {
        for (const change of changes) options.trace(lineOf(change, cause))
        for (const change of workChanges) options.trace(`${whoOf(cause)}: ${lineOfWork(change)}`)
      }
      countChanges(commit)
      // Before the rows are updated, since the judges compare with the previous state.
      judge((each) => each.committed?.(commit))
      const bodies = new Map(workChanges.flatMap(({ table, after }) => (table === 'events' ? [[after.id, after.body]] : [])))
      for (const change of changes) take(change, cause, bodies)
      if (work) for (const change of workChanges) takeWork(work, change, { cause, nowMs: nowMs(), coverage })
    },
    nameAsked(machine, signal) {
      const question = { machine, askedMs: nowMs(), addresses: undefined }
      attempts.set(signal, question)
      openQuestions.add(question)
    },
    nameAnswered(machine, hostname, { signal, addresses }) {
      const attempt = attempts.get(signal)
      if (attempt) {
        attempt.addresses = addresses
        openQuestions.delete(attempt)
      }
      const ofMachine = nameTimes.get(machine) ?? new Map<string, number[]>()
      nameTimes.set(machine, ofMachine)
      const times = ofMachine.get(hostname) ?? []
      ofMachine.set(hostname, times)
      times.push(nowMs())
      if (times.length > 200) times.shift()
    },
    requested(machine, { url, addresses, headers, body, signal }, wallMs) {
      const attempt = attempts.get(signal)
      const endpoint = byUrl.get(url.href)
      const eventId = headers['svc-webhook-id']
      const request: ObservedRequest = {
        machine,
        endpoint,
        delivery: endpoint && byEvent.get(`${eventId} ${endpoint.plan.id}`),
        attemptBeganMs: attempt?.askedMs ?? nowMs(),
        atMs: nowMs(),
        wallMs,
        url,
        addresses: [...addresses],
        nameAnswers: attempt?.addresses,
        headers: { ...headers },
        body: Buffer.from(body),
        arrivedMs: undefined,
        wholeAnswerMs: undefined,
        answer: undefined,
        answeredMs: undefined,
      }
      judge((each) => each.requested?.(request))
      request.delivery?.requests.push(request)
      openRequests.add(request)
      options.trace?.(`${machine.id} POST ${url.href} ${eventId} → ${addresses.join(', ')}`)
      return request
    },
    arrived(request) {
      request.arrivedMs = nowMs()
      judge((each) => each.arrived?.(request))
    },
    answered(request, answer) {
      openRequests.delete(request)
      request.answer = answer
      request.answeredMs = nowMs()
      options.trace?.(`${request.machine.id} got ${answer.status ?? answer.failure?.kind} from ${request.url.host}`)
    },
    stepped: () => judge((each) => each.stepped?.()),
    ended: () => judge((each) => each.ended?.()),
    died(machine) {
      for (const request of openRequests) if (request.machine === machine) openRequests.delete(request)
      for (const question of openQuestions) if (question.machine === machine) openQuestions.delete(question)
      // The database server notices that the client is gone.
      for (const activities of work ? [work.statements, work.agents] : []) {
        for (const activity of activities) if (activity.machine === machine) activities.delete(activity)
      }
    },
    isAnythingOpen: () => openRequests.size > 0 || openQuestions.size > 0,
    broke(message) {
      violation ??= { invariant: 'process', message, atMs: nowMs() }
    },
    violation: () => violation,
    commitCount: () => commitCount,
    lastCommitMs: () => lastCommitMs,
    haveAllFoundNothing: () => observed.machines.every((machine) => foundNothing.get(machine)?.size === looks.length),
  }
}

/** Written repeatedly during work; nothing depends on it. */
const quietCalls = /\.(renew|recordProgress|add|change)$/

const isSameEndpoint = (a: EndpointRow, b: EndpointRow) =>
  a.state === b.state && a.consecutiveFailures === b.consecutiveFailures && a.isDeleted === b.isDeleted

const isSame = (a: DeliveryRow, b: DeliveryRow | undefined) =>
  b !== undefined &&
  a.state === b.state &&
  a.orderKey === b.orderKey &&
  a.attemptCount === b.attemptCount &&
  a.attemptsLogged === b.attemptsLogged &&
  a.leaseNumber === b.leaseNumber &&
  a.leaseOwner === b.leaseOwner &&
  a.leaseExpiresAt?.getTime() === b.leaseExpiresAt?.getTime() &&
  a.nextAttemptAt?.getTime() === b.nextAttemptAt?.getTime()

const say = (row: DeliveryRow | undefined) =>
  row ? `${row.state} ${row.attemptCount} lease ${row.leaseNumber}${row.leaseOwner ? '*' : ''}` : 'nothing'

function lineOf({ before, after }: Commit['changes'][number], cause: Cause): string {
  const id = (after ?? before)!
  return `${whoOf(cause)}: ${id.id} for ${id.endpointId}: ${say(before)} → ${say(after)}` +
    (after?.nextAttemptAt ? ` due ${after.nextAttemptAt.toISOString()}` : '')
}

function whoOf(cause: Cause): string {
  if (cause.by === 'worker') return `${cause.machine.id} ${cause.call}`
  if (cause.by === 'mover') return `${cause.step} ${cause.organizationId}`
  return cause.by === 'person' ? cause.deed : 'published'
}
