import { type AgentRun, type AgentRunInFull, lateAfterMs } from '../model/agent-run.ts'

/** A run of an automation, for the web app and the API. Not for an answer in a chat, which has no automation. */
export function presentAgentRun(run: AgentRun, { baseUrl }: { baseUrl: string }) {
  return {
    id: run.id,
    automationId: run.automationId!,
    automationName: run.automationName!,
    agent: run.agent,
    status: run.status,
    trigger: run.trigger,
    triggerId: run.triggerId,
    requestedAt: run.requestedAt.toISOString(),
    dueAt: textOf(run.dueAt),
    missedCount: run.missedCount,
    isLate: isLate(run),
    startedAt: textOf(run.startedAt),
    endedAt: textOf(run.endedAt),
    summary: run.summary,
    reason: run.failureReason,
    chatUrl: chatUrlOf(run.chatShortId, { baseUrl }),
    chatShortId: run.chatShortId,
    usage: run.usage,
  }
}

/** Includes the event of the run's end; null before the end, and when the event is no longer kept. */
export function presentAgentRunInFull(run: AgentRunInFull, options: { baseUrl: string }) {
  const { event } = run
  return { ...presentAgentRun(run, options), event: event && { ...event, createdAt: event.createdAt.toISOString() } }
}

/** An answer in a chat, without its text, which is a message of the chat. */
export function presentAnswer(run: AgentRun) {
  return {
    id: run.id,
    status: run.status,
    agent: run.agent,
    trigger: run.trigger,
    requestedAt: run.requestedAt.toISOString(),
    startedAt: textOf(run.startedAt),
    endedAt: textOf(run.endedAt),
    reason: run.failureReason,
  }
}

export const chatUrlOf = (chatShortId: string, { baseUrl }: { baseUrl: string }) => `${baseUrl}/chats/${chatShortId}`

const textOf = (time: Date | null) => time && time.toISOString()

function isLate({ dueAt, missedCount, requestedAt }: AgentRun): boolean {
  if (!dueAt) return false
  return missedCount > 0 || requestedAt.getTime() - dueAt.getTime() >= lateAfterMs
}
