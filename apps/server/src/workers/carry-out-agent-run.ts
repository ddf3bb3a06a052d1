import { noMemberReason } from '../domain/agent-runs/outcome.ts'
import { type Agent, type AgentAnswer, AgentFailure, type AgentKind } from '../domain/agents/agent.ts'
import { makeChatWriter } from '../domain/chats/make-chat-writer.ts'
import type { Clock } from '../ports/clock.ts'
import type { ClaimedAgentRun } from '../store/agent-runs/claim-agent-runs.ts'
import type { Db } from '../store/db.ts'
import type { Wakeups } from '../store/wakeups.ts'

/** An agent that is interrupted has this long to return. Then it is left to itself: its lease opens nothing any more. */
const returnWithinMs = 5_000

/** Has the agent do its task, in the name of the run's user. Throws what the agent throws. */
export async function carryOut(
  deps: { db: Db; clock: Clock; wakeups: Wakeups; agents: Record<AgentKind, Agent> },
  run: ClaimedAgentRun,
  control: { workerId: string; signal: AbortSignal; closing: AbortSignal },
): Promise<AgentAnswer> {
  const { organizationId, userId, role } = run
  if (role === null) throw new AgentFailure(noMemberReason)
  const lease = { runId: run.id, workerId: control.workerId, leaseNumber: run.leaseNumber }
  const over = new AbortController()
  const work = (async () =>
    deps.agents[run.agent]({
      runId: run.id,
      automationId: run.automationId,
      chatId: run.chatId,
      instructions: run.instructions,
      references: run.references,
      requestedAt: run.requestedAt,
      caller: { organizationId, userId, role, triggerId: run.id },
      chat: makeChatWriter(deps, lease),
      signal: control.signal,
    }))()
  try {
    return await Promise.race([work, givenUp(deps.clock, { ...control, over: over.signal })])
  } finally {
    over.abort()
  }
}

/** Rejects some time after the signal aborts, if the agent has not returned by then. */
function givenUp(
  clock: Clock,
  { signal, closing, over }: { signal: AbortSignal; closing: AbortSignal; over: AbortSignal },
): Promise<never> {
  return new Promise((_, reject) => {
    const wait = async () => {
      await clock.sleep(returnWithinMs, AbortSignal.any([closing, over]))
      if (!over.aborted) reject(new Error('The agent was interrupted and has not returned.'))
    }
    if (signal.aborted) void wait()
    else signal.addEventListener('abort', () => void wait(), { once: true, signal: over })
  })
}
