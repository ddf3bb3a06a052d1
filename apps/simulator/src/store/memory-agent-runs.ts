import {
  type AgentRunStore,
  diedNote,
  type Ending,
  exhaustedReason,
  newId,
  shutdownNote,
  stoppedBeforeReason,
  stoppedReason,
} from '@querypost/server/background-work'
import type { EventContent, MessageContent } from '@querypost/server/model'
import type { Random } from '@querypost/server/ports'
import type { AgentRunLease } from '@querypost/server/model'
import type { ClaimedAgentRun } from '@querypost/server/store'
import { insertEmail } from './memory-emails.ts'
import { after, unleased } from './memory-runs.ts'
import type { MemoryAgentRun, MemoryAutomation, MemoryWork, WorkRules } from './memory-work.ts'

/** Publishes an event to all subscribers as part of the caller's transaction. Returns the event's id and body. */
export type Publish = (event: { organizationId: string; content: EventContent; now: Date }) => { id: string; body: string }

export interface MemoryAgentRuns extends AgentRunStore {
  /** `isPartial`: only half of them, since each is its own transaction. */
  recover(options?: { isPartial: boolean }): Promise<{ id: string; became: 'pending' | 'failed' }[]>
  /** False when the lease is lost. */
  addMessage(lease: AgentRunLease, content: MessageContent): number | undefined
  changeMessage(lease: AgentRunLease, number: number, content: MessageContent): 'changed' | 'lease_lost' | 'no_such_message'
  /** A person stops it, before or after it has begun. */
  stop(runId: string, userId: string): void
  /** A person deletes its chat, whatever its state. */
  deleteChat(runId: string): void
  /** Events that a broken store has not published together with the end. */
  publishLeftOver(): void
  hasLeftOver(): boolean
}

const recoveredAtOnce = 100

/** The store of agent runs in memory. An end is one step: row, last message, event with deliveries, and notifications. */
export function makeMemoryAgentRunStore(options: {
  work: MemoryWork
  rules: WorkRules
  random: Random
  publish: Publish
}): MemoryAgentRuns {
  const { work, rules, random } = options
  let leftOver: (() => void)[] = []

  function held(lease: { id: string; workerId: string; leaseNumber: number }): MemoryAgentRun | undefined {
    const run = work.agentRuns.get(lease.id)
    return run && rules.isHeld(run, lease, 'agent runs') ? run : undefined
  }

  function writeEnding(run: MemoryAgentRun, ending: Ending) {
    const isCompleted = ending.status === 'completed'
    const reason = isCompleted ? null : ending.reason
    const stoppedBy = isCompleted ? null : (ending.stoppedBy ?? null)
    const automation = run.automationId === null ? undefined : work.automations.get(run.automationId)!
    const lastMessage: MessageContent = isCompleted
      ? { kind: automation ? 'summary' : 'answer', text: ending.answer.summary }
      : { kind: 'failure', reason: ending.reason, ...(stoppedBy !== null && { isStopped: true }) }
    let { messages } = run
    const number = isCompleted ? ending.answer.summaryMessageNumber : undefined
    if (number !== undefined && messages.some((message) => message.number === number)) {
      messages = messages.map((message) => (message.number === number ? { number, content: lastMessage } : message))
    } else {
      for (let count = 0; count < rules.lastMessageCount; count++) messages = withMessage({ ...run, messages }, lastMessage)
    }
    const tellAll = () => {
      if (!automation) return null
      const eventId = publishEnd(run, automation, ending)
      if (!isCompleted) tellOfFailure(run, automation, { reason: ending.reason, stoppedBy })
      return eventId
    }
    if (!rules.isEventInTheSameTransaction) leftOver.push(tellAll)
    const eventId = rules.isEventInTheSameTransaction ? tellAll() : null
    work.write('agentRuns', run, {
      status: ending.status,
      failureReason: reason,
      stoppedBy,
      stopRequestedBy: stoppedBy,
      eventId,
      messages,
      leaseOwner: null,
      leaseExpiresAt: null,
    })
    const waiting = [...work.slackQuestions.values()].filter(({ state, agentRunId }) => state === 'waiting' && agentRunId === run.id)
    for (const question of waiting) work.write('slackQuestions', question, { nextAttemptAt: work.now })
  }

  function publishEnd(run: MemoryAgentRun, { id: automationId, name }: MemoryAutomation, ending: Ending): string {
    const data = { automationId, automationName: name, runId: run.id, chatUrl: `https://querypost.example/chats/${run.id}` }
    const content: EventContent =
      ending.status === 'completed'
        ? { type: 'automation.run.completed', data: { ...data, summary: ending.answer.summary, imageUrl: null } }
        : { type: 'automation.run.failed', data: { ...data, reason: ending.reason } }
    const { organizationId } = run
    const { id, body } = options.publish({ organizationId, content, now: work.now })
    work.insert('events', { id, organizationId, type: content.type, body, agentRunId: run.id })
    return id
  }

  /** Like `tellOfFailure`: notifies of the first of several failures in a row, and not of a person's own stop. */
  function tellOfFailure(run: MemoryAgentRun, automation: MemoryAutomation, failure: { reason: string; stoppedBy: string | null }) {
    const wasStopped = failure.stoppedBy !== null
    const previous = [...work.agentRuns.values()].findLast(
      (each) =>
        each.automationId === automation.id &&
        each !== run &&
        (each.status === 'completed' || each.status === 'failed') &&
        (wasStopped || each.stoppedBy === null),
    )
    if (previous?.status === 'failed') return
    const concerned = new Set([automation.createdBy, run.triggerId].filter((id) => id.startsWith('user_')))
    for (const userId of [...concerned].sort()) {
      if (userId === failure.stoppedBy) continue
      insertEmail(work, random, { organizationId: run.organizationId, userId, kind: 'run_failed', message: failure.reason })
    }
  }

  function restartAgentRun(run: MemoryAgentRun, why: 'died' | 'shutdown'): 'pending' | 'failed' {
    const { stopRequestedBy: stopper } = run
    if (stopper !== null) {
      writeEnding(run, { status: 'failed', reason: stoppedReason(stopper), stoppedBy: stopper })
      return 'failed'
    }
    if (why === 'died' && run.attemptCount >= rules.attemptsMax) {
      writeEnding(run, { status: 'failed', reason: exhaustedReason })
      return 'failed'
    }
    const countsAttempt = why === 'died' || rules.countsGivenBackAttempt
    work.write('agentRuns', run, {
      status: 'pending',
      startedAt: null,
      leaseOwner: null,
      leaseExpiresAt: null,
      attemptCount: run.attemptCount - (countsAttempt ? 0 : 1),
      messages: withMessage(run, { kind: 'note', text: why === 'died' ? diedNote : shutdownNote }),
    })
    return 'pending'
  }

  return {
    async claim({ workerId, leaseMs, count, rooms, roomOfOthers }) {
      const pending = [...work.unfinishedAgentRuns].filter(({ status }) => status === 'pending').sort(byTime)
      const lanes = Map.groupBy(pending, ({ organizationId }) => organizationId)
      const chosen = [...lanes]
        .flatMap(([organizationId, lane]) => lane.slice(0, Math.max(0, rooms.get(organizationId) ?? roomOfOthers)))
        .slice(0, count)
      for (const run of chosen) {
        work.write('agentRuns', run, {
          status: 'running',
          startedAt: work.now,
          attemptCount: run.attemptCount + 1,
          leaseNumber: run.leaseNumber + 1,
          leaseOwner: workerId,
          leaseExpiresAt: after(work.now, leaseMs),
        })
      }
      return chosen.sort(byTime).map(claimed)
    },
    async renew({ workerId, leases, leaseMs }) {
      const runs = leases.flatMap((lease) => held({ ...lease, workerId }) ?? [])
      for (const run of rules.renewed(runs)) work.write('agentRuns', run, { leaseExpiresAt: after(work.now, leaseMs) })
      return new Set(runs.map(({ id }) => id))
    },
    async readStops({ workerId, leases }) {
      const runs = leases.flatMap((lease) => held({ ...lease, workerId }) ?? [])
      return runs.flatMap(({ id, stopRequestedBy: userId }) => (userId === null ? [] : [{ id, userId, by: userId }]))
    },
    async end(lease, ending) {
      const run = held(lease)
      if (run) writeEnding(run, ending)
      return run !== undefined
    },
    async giveBack(lease) {
      const run = held(lease)
      return run && restartAgentRun(run, 'shutdown')
    },
    async recover({ isPartial } = { isPartial: false }) {
      if (!rules.areAbandonedRecovered) return []
      const expired = [...work.unfinishedAgentRuns]
        .filter(({ status, leaseExpiresAt }) => status === 'running' && leaseExpiresAt! <= rules.nowOf(work, 'agent runs'))
        .sort((a, b) => a.leaseExpiresAt!.getTime() - b.leaseExpiresAt!.getTime())
      return expired.slice(0, isPartial ? expired.length >> 1 : recoveredAtOnce).map((run) => ({ id: run.id, became: restartAgentRun(run, 'died') }))
    },
    addMessage({ runId: id, ...lease }, content) {
      const run = rules.isMessageFenced ? held({ id, ...lease }) : work.agentRuns.get(id)
      if (run) work.write('agentRuns', run, { messages: withMessage(run, content) })
      return run?.messages.length
    },
    changeMessage({ runId: id, ...lease }, number, content) {
      const run = held({ id, ...lease })
      if (!run) return 'lease_lost'
      if (!run.messages.some((message) => message.number === number)) return 'no_such_message'
      work.write('agentRuns', run, {
        messages: run.messages.map((message) => (message.number === number ? { number, content } : message)),
      })
      return 'changed'
    },
    stop(runId, userId) {
      const run = work.agentRuns.get(runId)!
      if (run.status === 'pending') {
        writeEnding(run, { status: 'failed', reason: stoppedBeforeReason(userId), stoppedBy: userId })
      } else if (run.status === 'running') work.write('agentRuns', run, { stopRequestedBy: run.stopRequestedBy ?? userId })
    },
    deleteChat(runId) {
      const run = work.agentRuns.get(runId)!
      const gone = { status: 'deleted', leaseOwner: null, leaseExpiresAt: null } as const
      work.write('agentRuns', run, { isChatDeleted: true, messages: [], ...(rules.isRunDeletedWithChat && gone) })
    },
    hasLeftOver: () => leftOver.length > 0,
    publishLeftOver() {
      const taken = leftOver
      leftOver = []
      for (const publish of taken) publish()
    },
  }
}

/** Adds a pending run. Undefined if its automation has an unfinished run. */
export function insertAgentRun(
  work: MemoryWork,
  random: Random,
  run: Pick<MemoryAgentRun, 'organizationId' | 'automationId' | 'userId' | 'trigger' | 'triggerId'> &
    Partial<Pick<MemoryAgentRun, 'dueAt' | 'missedCount'>>,
): MemoryAgentRun {
  const row: MemoryAgentRun = {
    id: newId(random, 'arun'),
    dueAt: null,
    missedCount: 0,
    ...run,
    status: 'pending',
    requestedAt: work.now,
    startedAt: null,
    attemptCount: 0,
    stopRequestedBy: null,
    failureReason: null,
    stoppedBy: null,
    eventId: null,
    isChatDeleted: false,
    messages: [{ number: 1, content: { kind: run.automationId === null ? 'question' : 'instruction', text: 'Look.' } }],
    ...unleased,
  }
  work.insert('agentRuns', row)
  return row
}

export function isAutomationBusy(work: MemoryWork, automationId: string): boolean {
  for (const run of work.unfinishedAgentRuns) if (run.automationId === automationId) return true
  return false
}

const byTime = (a: MemoryAgentRun, b: MemoryAgentRun) =>
  a.requestedAt.getTime() - b.requestedAt.getTime() || (a.id < b.id ? -1 : 1)

const claimed = (run: MemoryAgentRun): ClaimedAgentRun => ({
  id: run.id,
  organizationId: run.organizationId,
  automationId: run.automationId,
  chatId: `chat of ${run.id}`,
  agent: 'digest',
  trigger: run.trigger,
  instructions: 'Look.',
  requestedAt: run.requestedAt,
  startedAt: run.startedAt!,
  leaseNumber: run.leaseNumber,
  attemptNumber: run.attemptCount,
  userId: run.userId,
  role: 'admin',
  isStrict: false,
  references: [],
})

const withMessage = ({ messages }: MemoryAgentRun, content: MessageContent) => [
  ...messages,
  { number: messages.length + 1, content },
]
