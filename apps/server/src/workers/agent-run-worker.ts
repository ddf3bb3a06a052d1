import { beginAnew } from '../domain/agent-runs/begin-anew.ts'
import { endAgentRun, type Ending } from '../domain/agent-runs/end-agent-run.ts'
import { type Interruption, judge, type Judgement } from '../domain/agent-runs/outcome.ts'
import type { Agent, AgentKind } from '../domain/agents/agent.ts'
import { newId } from '../domain/ids.ts'
import { abortAfter, type Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import { type ClaimedAgentRun, claimAgentRuns } from '../store/agent-runs/claim-agent-runs.ts'
import { findExpiredAgentRuns, readAgentRunOrders, renewAgentRunLeases } from '../store/agent-runs/lease.ts'
import type { Db } from '../store/db.ts'
import type { Wakeups } from '../store/wakeups.ts'
import { carryOut } from './carry-out-agent-run.ts'
import { keepDoing } from './repeat.ts'

/**
 * The agent run worker: claim → carry out → record. It takes no input: a wake-up only says "look", and what is to do stands in
 * the `agent_runs` table.
 *
 * - A *lease* says until when a worker is believed to be alive. It is renewed while the worker lives. A run whose lease has
 *   expired begins anew with whoever claims it next; after three such attempts it fails.
 * - Everything a worker writes for a run is *fenced* by the lease's number: a worker that was taken for dead and comes back
 *   changes nothing, neither in the chat nor of the end.
 * - A worker that notices that its lease is lost, or that cannot renew it in time, *interrupts* the agent. So do a person's
 *   stop, the time limit and the end of the process.
 */
export interface AgentRunWorkerDeps {
  db: Db
  clock: Clock
  random: Random
  log: Log
  wakeups: Wakeups
  baseUrl: string
  agents: Record<AgentKind, Agent>
  timeLimitSeconds: number
  /** Told of every agent run that ended here; for metrics. */
  onAgentRunEnded?(ended: { agent: AgentKind; status: 'completed' | 'failed'; durationMs: number }): void
}

const leaseMs = 30_000
const renewEveryMs = 10_000
const lookEveryMs = 2_000
const watchLeasesEveryMs = 5_000
/** How long a finished agent's answer is kept while it cannot be recorded. Its lease is renewed meanwhile. */
const recordWithinMs = 120_000
/**
 * Agents mostly wait, for queries or for a model, and hold little meanwhile. Those of one organization are fewer: a thousand that are
 * due at once take as long with 8 at a time as with 16, and requests wait half as long beside them (bench, automations).
 */
const runsAtOnce = 32
const runsAtOncePerOrganization = 8

interface RunInHand {
  run: ClaimedAgentRun
  leaseUntilMs: number
  interrupt(why: Interruption): void
  ended: Promise<void>
}

export function makeAgentRunWorker(deps: AgentRunWorkerDeps) {
  const { db, clock, log } = deps
  const workerId = newId(deps.random, 'worker')
  const inHand = new Map<string, RunInHand>()
  /** Aborts when the grace of a stop is over: from then on nothing is waited for. */
  const closing = new AbortController()
  let isStopping = false
  const listenings: (() => void)[] = []

  async function claimWhileThereIsRoom() {
    while (!isStopping && inHand.size < runsAtOnce) {
      const now = clock.now()
      const leaseUntilMs = clock.monotonicMs() + leaseMs
      const runs = await claimAgentRuns(db, {
        workerId,
        now,
        leaseExpiresAt: new Date(now.getTime() + leaseMs),
        count: runsAtOnce - inHand.size,
        rooms: roomsBeside([...inHand.values()]),
        roomOfOthers: runsAtOncePerOrganization,
      })
      if (runs.length === 0) return
      for (const run of runs) takeInHand(run, leaseUntilMs)
    }
  }

  function takeInHand(run: ClaimedAgentRun, leaseUntilMs: number) {
    const abort = new AbortController()
    let interruption: Interruption | undefined
    const interrupt = (why: Interruption) => {
      interruption ??= why
      abort.abort()
    }
    const control = { signal: abort.signal, interrupt, interruption: () => interruption }
    const ended = attend(run, control)
      .catch((error: unknown) => log.error({ err: error, agentRunId: run.id }, 'an agent run could not be attended to'))
      .finally(() => {
        // Whatever the agent has left behind ends with it.
        abort.abort()
        inHand.delete(run.id)
        claiming.look()
      })
    inHand.set(run.id, { run, leaseUntilMs, interrupt, ended })
  }

  async function attend(
    run: ClaimedAgentRun,
    control: { signal: AbortSignal; interrupt(why: Interruption): void; interruption(): Interruption | undefined },
  ) {
    const startedMs = clock.monotonicMs()
    const seconds = deps.timeLimitSeconds
    const limit = abortAfter(clock, seconds * 1000)
    limit.signal.addEventListener('abort', () => control.interrupt({ kind: 'time_limit', seconds }))
    let judgement: Judgement
    try {
      const answer = await carryOut(deps, run, { workerId, signal: control.signal, closing: closing.signal })
      judgement = { kind: 'ends', ending: { status: 'completed', answer }, isOurs: false }
    } catch (error) {
      judgement = judge(error, { interruption: control.interruption(), runId: run.id })
      const isOurs = judgement.kind === 'ends' && judgement.isOurs
      if (isOurs) log.error({ err: error, agentRunId: run.id }, 'an agent run failed for a reason of ours')
    } finally {
      limit.cancel()
    }
    const durationMs = Math.round(clock.monotonicMs() - startedMs)
    const became = await record(run, judgement)
    report(run, { judgement, became, durationMs })
  }

  /** What became of the run; `lost` when it was taken from this worker before that could be recorded. */
  async function record(run: ClaimedAgentRun, judgement: Judgement): Promise<'completed' | 'failed' | 'pending' | 'lost'> {
    const held = { status: 'held', workerId, leaseNumber: run.leaseNumber } as const
    const input = { runId: run.id, while: held }
    if (judgement.kind === 'lost') return 'lost'
    const became = await persist(async () => {
      if (judgement.kind === 'begins_anew') return beginAnew(deps, { ...input, why: 'shutdown' })
      const isEnded = await endAgentRun(deps, { ...input, ending: judgement.ending })
      return isEnded ? judgement.ending.status : undefined
    }, run.id)
    return became ?? 'lost'
  }

  /** The store may be away for a while. What happened is not forgotten as long as it can be hoped that nobody began anew. */
  async function persist<Outcome>(write: () => Promise<Outcome>, runId: string): Promise<Outcome | undefined> {
    const giveUpMs = clock.monotonicMs() + recordWithinMs
    for (;;) {
      try {
        return await write()
      } catch (error) {
        log.error({ err: error, agentRunId: runId }, 'could not record what became of an agent run')
        if (clock.monotonicMs() >= giveUpMs || closing.signal.aborted) return undefined
        await clock.sleep(1000, closing.signal)
      }
    }
  }

  function report(
    run: ClaimedAgentRun,
    { judgement, became, durationMs }: { judgement: Judgement; became: string; durationMs: number },
  ) {
    const ending = judgement.kind === 'ends' ? judgement.ending : undefined
    if (ending && became === ending.status) {
      deps.onAgentRunEnded?.({ agent: run.agent, status: ending.status, durationMs })
    }
    log.info(
      {
        agentRunId: run.id,
        automationId: run.automationId,
        organizationId: run.organizationId,
        agent: run.agent,
        trigger: run.trigger,
        attempt: run.attemptNumber,
        waitedMs: run.startedAt.getTime() - run.requestedAt.getTime(),
        durationMs,
        became,
        ...(ending && detailsOf(ending)),
      },
      became === 'completed' || became === 'failed' ? 'agent run ended' : 'agent run left',
    )
  }

  const leasesInHand = () => [...inHand.values()].map(({ run }) => ({ runId: run.id, leaseNumber: run.leaseNumber }))

  async function obeyOrders() {
    if (inHand.size === 0) return
    const { lost, stops } = await readAgentRunOrders(db, { workerId, leases: leasesInHand() })
    for (const { runId, userId, by } of stops) inHand.get(runId)?.interrupt({ kind: 'stopped', userId, by })
    for (const runId of lost) inHand.get(runId)?.interrupt({ kind: 'lease_lost' })
  }

  async function keepLeases() {
    const renewed = [...inHand.values()]
    if (renewed.length > 0) {
      const leaseUntilMs = clock.monotonicMs() + leaseMs
      const leaseExpiresAt = new Date(clock.now().getTime() + leaseMs)
      await renewAgentRunLeases(db, { workerId, leases: leasesInHand(), leaseExpiresAt })
      for (const run of renewed) run.leaseUntilMs = leaseUntilMs
      await obeyOrders()
    }
    await recover()
  }

  /** Runs that somebody began and nobody carries out any more. */
  async function recover() {
    const now = clock.now()
    for (const runId of await findExpiredAgentRuns(db, { now, count: 100 })) {
      const became = await beginAnew(deps, { runId, while: { status: 'abandoned', now }, why: 'died' })
      if (became) log.warn({ agentRunId: runId, became }, 'an agent run was abandoned by its worker')
    }
  }

  /** Without the store: it may be just that which does not answer. */
  async function watchLeases() {
    const nowMs = clock.monotonicMs()
    for (const { leaseUntilMs, interrupt } of inHand.values()) if (leaseUntilMs <= nowMs) interrupt({ kind: 'lease_lost' })
  }

  const duty = { clock, log }
  const claiming = keepDoing({ ...duty, what: 'claim agent runs', everyMs: lookEveryMs, act: claimWhileThereIsRoom })
  const obeying = keepDoing({ ...duty, what: 'look for stopped agent runs', everyMs: lookEveryMs, act: obeyOrders })
  const leasing = keepDoing({ ...duty, what: 'renew leases of agent runs', everyMs: renewEveryMs, act: keepLeases })
  const watching = keepDoing({ ...duty, what: 'watch leases', everyMs: watchLeasesEveryMs, act: watchLeases })

  return {
    start() {
      listenings.push(
        deps.wakeups.listen('agent_runs', claiming.look),
        deps.wakeups.listen('agent_run_stops', obeying.look),
      )
      for (const each of [claiming, obeying, leasing, watching]) each.start()
    },
    /** Stops claiming, and gives what is in hand back to be begun anew. Agents have `graceMs` to return. */
    async stop({ graceMs }: { graceMs: number }) {
      isStopping = true
      for (const stopListening of listenings) stopListening()
      await Promise.all([claiming.stop(), obeying.stop()])
      const grace = new AbortController()
      const allEnded = Promise.all([...inHand.values()].map(({ ended }) => ended)).then(() => grace.abort())
      for (const { interrupt } of inHand.values()) interrupt({ kind: 'shutdown' })
      await clock.sleep(Math.max(graceMs, 1000), grace.signal)
      closing.abort()
      await allEnded
      await Promise.all([leasing.stop(), watching.stop()])
    },
  }
}

function detailsOf(ending: Ending) {
  if (ending.status === 'failed') return { reason: ending.reason, ...(ending.usage && { usage: ending.usage }) }
  const { summary, usage } = ending.answer
  return { summaryCharacters: summary.length, ...(usage && { usage }) }
}

/** How many more runs of each organization this worker takes. */
function roomsBeside(inHand: RunInHand[]): Map<string, number> {
  const runsOf = Map.groupBy(inHand, ({ run }) => run.organizationId)
  return new Map([...runsOf].map(([organizationId, runs]) => [organizationId, runsAtOncePerOrganization - runs.length]))
}
