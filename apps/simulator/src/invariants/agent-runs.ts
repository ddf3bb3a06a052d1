import { agentRunAttemptsMax, exhaustedReason } from '@querypost/server/background-work'
import type { MemoryAgentRun, WorkChange } from '../store/memory-work.ts'
import { worldBeganAt } from '../world/machine.ts'
import type { Cause, Commit, Judge, Observed } from '../world/observed.ts'
import { canEnd, firstOf } from './1-reaches-its-end.ts'
import { endsByMs, isStopOverdue, isHolderHealthy, makeLeaseWatch } from './health.ts'

type AgentRunChange = Extract<WorkChange, { table: 'agentRuns' }>
type WorkerCause = Extract<Cause, { by: 'worker' }>

const lastKinds: ReadonlySet<string> = new Set(['summary', 'answer', 'failure'])

/**
 * Agent runs. Every run that was requested ends, once, after at most three attempts that count. Its end, its chat's last message, its
 * event with exactly the deliveries of the subscribed endpoints, and the notification of a failure are one commit. Only the worker that
 * holds it writes, also into the chat. A person's stop is honored. A run given back at a shutdown has not used an attempt. A run whose
 * chat was deleted is never written again: it leaves no message, event or notification behind.
 */
export function agentRuns(observed: Observed): Judge {
  const work = observed.work!
  const watchLease = makeLeaseWatch(observed, 'agent')

  function judgeChange(change: AgentRunChange, commit: Commit): string | undefined {
    const { before, after } = change
    const { cause } = commit
    const { id } = after
    if (!before) return judgeRequest(after)
    if (before.isChatDeleted) return `agent run ${id} was deleted with its chat and was written again`
    if (after.isChatDeleted) return judgeDeletion(after, commit)
    if (isOver(before)) return `agent run ${id} was ${before.status} and was written again`
    if (isOver(after)) return judgeEnd(change, commit)
    if (cause.by !== 'worker') return undefined
    const who = `${cause.machine.id} ${cause.call}: agent run ${id}`
    if (cause.call === 'agentRuns.claim') {
      if (before.status !== 'pending') return `${who} was ${before.status}`
      return after.attemptCount > agentRunAttemptsMax ? `${who} is begun for the ${after.attemptCount}th time` : undefined
    }
    if (cause.call === 'agentRuns.recover') return judgeRecovery(change, who)
    const stranger = judgeHolder(before, cause, who)
    if (stranger) return stranger
    if (cause.call !== 'agentRuns.giveBack') return undefined
    if (before.stopRequestedBy !== null) return `${who} restarts, but ${before.stopRequestedBy} has stopped it`
    return after.attemptCount === before.attemptCount - 1 ? undefined : `${who} was given back, and the attempt counts`
  }

  function judgeRequest({ automationId }: MemoryAgentRun): string | undefined {
    if (automationId === null) return undefined
    const others = [...work.tables.unfinishedAgentRuns].filter((run) => run.automationId === automationId)
    return others.length > 1 ? `automation ${automationId} has ${others.length} unfinished runs` : undefined
  }

  function judgeHolder({ id, status }: MemoryAgentRun, cause: WorkerCause, who: string): string | undefined {
    const { holder } = work.agentRuns.get(id)!
    if (status === 'running' && holder?.machine === cause.machine) return undefined
    return `${who} is ${status} and held by ${holder?.machine.id ?? 'no worker'}`
  }

  function judgeRecovery({ before, after }: AgentRunChange, who: string): string | undefined {
    const { holder } = work.agentRuns.get(after.id)!
    const leftMs = before!.leaseExpiresAt!.getTime() - worldBeganAt - observed.nowMs()
    if (leftMs > 0) return `${who} had a lease for ${leftMs} ms more`
    if (isHolderHealthy(holder)) return `${who} was taken from ${holder!.machine.id}, which is healthy and working on it`
    if (after.status !== 'pending') return undefined
    if (before!.stopRequestedBy !== null) return `${who} restarts, but ${before!.stopRequestedBy} has stopped it`
    return after.attemptCount === before!.attemptCount ? undefined : `${who} died, and the attempt does not count`
  }

  function judgeEnd(change: AgentRunChange, commit: Commit): string | undefined {
    const { before, after } = change
    const { cause } = commit
    const who = `agent run ${after.id}, which ${after.status},`
    if (cause.by === 'worker') {
      const doer = `${cause.machine.id} ${cause.call}: agent run ${after.id}`
      const wrong = cause.call === 'agentRuns.recover' ? judgeRecovery(change, doer) : judgeHolder(before!, cause, doer)
      if (wrong) return wrong
    }
    const last = after.messages.filter(({ content }) => lastKinds.has(content.kind))
    if (last.length !== 1) return `${who} has ${last.length} last messages`
    if (after.failureReason === exhaustedReason && before!.attemptCount < agentRunAttemptsMax) {
      return `${who} gave up after ${before!.attemptCount} attempts`
    }
    const summary = last[0]!.content.kind === 'failure' ? undefined : (last[0]!.content as { text: string }).text
    const isAnswered = work.answers.get(after.id)?.some((answer) => answer.summary === summary)
    if (after.status === 'completed' && !isAnswered) return `${who} says what its agent has not answered`
    return judgeEvent(after, commit) ?? judgeNotifications(after, commit)
  }

  function judgeEvent(run: MemoryAgentRun, { work: changes, changes: deliveries }: Commit): string | undefined {
    const events = changes.flatMap(({ table, after }) => (table === 'events' && after.agentRunId === run.id ? [after] : []))
    const expectedTypes = run.automationId === null ? [] : [`automation.run.${run.status}`]
    if (events.map(({ type }) => type).join() !== expectedTypes.join()) {
      return `agent run ${run.id}, which ${run.status}, published [${events.map(({ type }) => type).join()}] with its end`
    }
    if (!events[0]) return undefined
    const made = deliveries.flatMap(({ after }) => (after?.eventId === events[0]!.id ? [`${after.endpointId} ${after.state}`] : []))
    const expected = [...observed.endpoints.values()]
      .filter(({ row }) => row.organizationId === run.organizationId && canEnd(observed, row.id))
      .map(({ row }) => `${row.id} ${row.state === 'enabled' ? 'pending' : 'held'}`)
    const isAsExpected = made.toSorted().join() === expected.toSorted().join()
    return isAsExpected ? undefined : `the event of agent run ${run.id} goes to [${made.join()}], not to [${expected.join()}]`
  }

  return {
    invariant: 'agent runs',
    committed: (commit) =>
      firstOf(commit.work, (change) => (change.table === 'agentRuns' ? judgeChange(change, commit) : undefined)) ??
      judgeStrayEvents(commit),
    stepped: () =>
      firstOf(work.agents, (agent) => watchLease(agent, work.agentRuns.get(agent.id))) ??
      firstOf(work.tables.unfinishedAgentRuns, ({ id }) =>
        isStopOverdue(observed, work.agentRuns.get(id)!) ? `agent run ${id} continues after a stop was requested` : undefined,
      ),
    ended: () =>
      firstOf(work.tables.agentRuns.values(), ({ id, status }) => {
        const item = work.agentRuns.get(id)!
        if (status === 'deleted') return undefined
        if (item.endedMs === undefined) return `agent run ${id} is ${status} at the end`
        return item.endedMs > endsByMs(observed, item) ? `agent run ${id} ended ${item.endedMs - item.requestedMs} ms after its request` : undefined
      }),
  }
}

function judgeDeletion({ id, messages }: MemoryAgentRun, { work: changes }: Commit): string | undefined {
  if (messages.length > 0) return `agent run ${id} was deleted with its chat, and ${messages.length} messages are left`
  return changes.length > 1 ? `deleting the chat of agent run ${id} changed something else` : undefined
}

const isOver = ({ status }: MemoryAgentRun) => status === 'completed' || status === 'failed'

function judgeNotifications(run: MemoryAgentRun, { work: changes }: Commit): string | undefined {
  const notified = changes.filter(({ table, before, after }) => table === 'emails' && !before && after.kind === 'run_failed')
  // One commit may give up several.
  const mayNotify = changes.some(({ table, after }) => table === 'agentRuns' && after.status === 'failed' && after.automationId !== null)
  return notified.length > 0 && !mayNotify ? `a failure of agent run ${run.id} was notified; it ${run.status}` : undefined
}

/** An event is published only together with the end of its run. */
function judgeStrayEvents({ work: changes }: Commit): string | undefined {
  return firstOf(changes, ({ table, after }) => {
    if (table !== 'events') return undefined
    const isWithItsEnd = changes.some((each) => each.table === 'agentRuns' && each.after.id === after.agentRunId && isOver(each.after))
    return isWithItsEnd ? undefined : `event ${after.id} was published apart from the end of ${after.agentRunId}`
  })
}
