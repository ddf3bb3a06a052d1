import type { Ending } from '../domain/agent-runs/end-agent-run.ts'
import { decideAnswer, decideOutcome, type AgentRunDecision, noMemberReason } from '../domain/agent-runs/agent-run-outcome.ts'
import { type Agent, type AgentAnswer, AgentFailure } from '../domain/agent-runs/agent.ts'
import type { AgentKind, AgentRunLease } from '../model/agent-run.ts'
import type { ChatWriter } from '../domain/agent-runs/chat-writer.ts'
import { roleOfKey } from '../domain/access/decide-access.ts'
import { newId } from '../domain/ids.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import { currentSpan } from '../ports/telemetry/spans.ts'
import type { ClaimedAgentRun } from '../store/agent-runs/claim-agent-runs.ts'
import type { Wakeups } from '../store/wakeups.ts'
import type { Control, WorkKind } from '../work/kind.ts'
import { makeWorker, type Worker } from '../work/worker.ts'
import type { AgentRunStore } from './agent-run-store.ts'

/**
 * Agent runs as a kind of work: the agent acts on behalf of the run's user and writes each step into the chat.
 *
 * - A run whose worker died starts over with the next worker that claims it; after three such attempts it fails.
 * - A worker that stops gives its runs back at once, and another worker starts them over.
 */
export interface AgentRunWorkerDeps {
  agentRuns: AgentRunStore
  clock: Clock
  random: Random
  log: Log
  wakeups: Wakeups
  agents: Record<AgentKind, Agent>
  /** Writes into the chat of the run that the lease belongs to. */
  chatWriterOf(lease: AgentRunLease): ChatWriter
  timeLimitSeconds: number
  /** See `WorkerDeps`. */
  isStoreShared?: boolean | undefined
  /** Called for every agent run that ended at this worker, for metrics. */
  onAgentRunEnded?(ended: { agent: AgentKind; status: 'completed' | 'failed' | 'stopped'; durationMs: number }): void
}

const leaseMs = 30_000
const renewEveryMs = 10_000
const lookEveryMs = 2_000
/** An interrupted agent has this long to return. Then it is abandoned, and its lease no longer allows any write. */
const returnWithinMs = 5_000
/**
 * Agents mostly wait for queries or for a model, and use little memory. The limit per organization is lower: a thousand runs that are
 * due at once take as long with 8 at a time as with 16, and API requests wait half as long (bench, automations).
 */
const runsAtOnce = 32
const runsAtOncePerOrganization = 8

interface Outcome {
  judgement: Exclude<AgentRunDecision, { kind: 'lost' }>
  durationMs: number
}

export function makeAgentRunWorker(deps: AgentRunWorkerDeps): Worker {
  const { agentRuns, clock, log } = deps
  const workerId = newId(deps.random, 'worker')

  async function carryOut(run: ClaimedAgentRun, control: Control): Promise<Outcome | undefined> {
    const startedMs = clock.monotonicMs()
    let judgement: AgentRunDecision
    try {
      judgement = { kind: 'ends', ending: decideAnswer(await runAgent(run, control), run), isInternalError: false }
    } catch (error) {
      judgement = decideOutcome(error, { interruption: control.interruption(), runId: run.id })
      const isOurs = judgement.kind === 'ends' && judgement.isInternalError
      if (isOurs) log.error({ err: error, agentRunId: run.id }, 'agent run failed: internal error')
    }
    const durationMs = Math.round(clock.monotonicMs() - startedMs)
    traceAgentRun(run, judgement)
    if (judgement.kind !== 'lost') return { judgement, durationMs }
    log.info({ ...detailsOf(run), durationMs, became: 'lost' }, 'agent run lease lost')
    return undefined
  }

  async function runAgent(run: ClaimedAgentRun, { signal }: Control): Promise<AgentAnswer> {
    const { organizationId, userId, role, groupKey = null } = run
    if (role === null) throw new AgentFailure(noMemberReason)
    return deps.agents[run.agent]({
      runId: run.id,
      automationId: run.automationId,
      chatId: run.chatId,
      trigger: run.trigger,
      instructions: run.instructions,
      references: run.references,
      requestedAt: run.requestedAt,
      caller: { organizationId, userId, triggerId: run.id, ...roleOfKey(role, groupKey) },
      chat: deps.chatWriterOf({ runId: run.id, workerId, leaseNumber: run.leaseNumber }),
      signal,
    })
  }

  const kind: WorkKind<ClaimedAgentRun, Outcome> = {
    name: 'agent run',
    channel: 'agent_runs',
    lookEveryMs,
    leaseMs,
    inHandMax: runsAtOnce,
    claimMax: runsAtOnce,
    async claim({ count, atWork }) {
      const rooms = roomsLeft(atWork())
      const items = await agentRuns.claim({ workerId, leaseMs, count, rooms, roomOfOthers: runsAtOncePerOrganization })
      return { items, next: items.length > 0 ? 'again' : 'with_room' }
    },
    carryOut,
    timeLimitSeconds: deps.timeLimitSeconds,
    abandonment: {
      afterMs: returnWithinMs,
      outcomeOf(run, interruption) {
        const judgement = decideOutcome(new Error('The agent was interrupted and has not returned.'), { interruption, runId: run.id })
        return judgement.kind === 'lost' ? undefined : { judgement, durationMs: 0 }
      },
    },
    recording: { batchMax: 1, atOnce: 8 },
    async record([ended]) {
      const { item, outcome } = ended!
      const held = { ...item, workerId }
      const { judgement } = outcome
      const isRecorded = judgement.kind === 'ends' ? await agentRuns.end(held, judgement.ending) : await agentRuns.giveBack(held)
      return new Set(isRecorded ? [item.id] : [])
    },
    onRecorded({ item: run, outcome: { judgement, durationMs } }, isRecorded) {
      const ending = isRecorded && judgement.kind === 'ends' ? judgement.ending : undefined
      const isStopped = ending?.status === 'failed' && ending.stoppedBy !== undefined
      if (ending) deps.onAgentRunEnded?.({ agent: run.agent, status: isStopped ? 'stopped' : ending.status, durationMs })
      const became = ending?.status ?? (isRecorded ? 'pending' : 'lost')
      log.info(
        { ...detailsOf(run), durationMs, became, ...(ending && endingDetails(ending)) },
        ending ? 'agent run ended' : isRecorded ? 'agent run given back' : 'agent run lease lost',
      )
    },
    renewal: {
      everyMs: renewEveryMs,
      renew: ({ items, ...lease }) => agentRuns.renew({ ...lease, leases: items }),
      async recover() {
        for (const { id, became } of await agentRuns.recover()) {
          log.warn({ agentRunId: id, became }, 'agent run abandoned by its worker')
        }
      },
    },
    stops: { channel: 'agent_run_stops', everyMs: lookEveryMs, read: ({ items }) => agentRuns.readStops({ workerId, leases: items }) },
    isInterruptedAtOnce: true,
  }
  return makeWorker(kind, { ...deps, workerId })
}

function traceAgentRun(run: ClaimedAgentRun, judgement: AgentRunDecision) {
  const span = currentSpan()
  span.set({
    'querypost.organization.id': run.organizationId,
    'querypost.automation.id': run.automationId,
    'querypost.agent': run.agent,
    'querypost.trigger': run.trigger,
    'querypost.attempt': run.attemptNumber,
  })
  if (judgement.kind !== 'ends') span.fail(judgement.kind)
  else if (judgement.ending.status === 'failed') span.fail('failed')
}

const detailsOf = (run: ClaimedAgentRun) => ({
  agentRunId: run.id,
  automationId: run.automationId,
  organizationId: run.organizationId,
  agent: run.agent,
  trigger: run.trigger,
  attempt: run.attemptNumber,
  // The requesting process estimates the store's time, which may be off by a few milliseconds.
  waitedMs: Math.max(0, run.startedAt.getTime() - run.requestedAt.getTime()),
})

function endingDetails(ending: Ending) {
  if (ending.status === 'failed') return { reason: ending.reason, ...(ending.usage && { usage: ending.usage }) }
  const { summary, usage } = ending.answer
  return { summaryCharacters: summary.length, ...(usage && { usage }) }
}

/** How many more runs of each organization this worker takes. */
function roomsLeft(atWork: ClaimedAgentRun[]): Map<string, number> {
  const runsOf = Map.groupBy(atWork, ({ organizationId }) => organizationId)
  return new Map([...runsOf].map(([organizationId, runs]) => [organizationId, runsAtOncePerOrganization - runs.length]))
}
