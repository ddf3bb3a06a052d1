import { isAtWork, type RunStatus } from '../../api/automation-runs.ts'
import type { Chat, Message, QueryRunStep } from '../../api/chats.ts'

/** The automation run that opened the chat, and its final message once it has ended. */
export function automationRunIn(chat: Chat): { runId: string; lastMessage: Message | undefined } | undefined {
  const runId = chat.automation && chat.messages.find((message) => message.kind === 'instruction')?.agentRunId
  if (!runId) return undefined
  const isEnd = ({ kind, agentRunId }: Message) => agentRunId === runId && (kind === 'summary' || kind === 'failure')
  return { runId, lastMessage: chat.messages.find(isEnd) }
}

/** The status of the automation run that opened the chat, ignoring later questions; without one, of the latest run. */
export function statusOf(chat: Chat): { status: RunStatus; isStopped: boolean } | undefined {
  const lastMessage = automationRunIn(chat)?.lastMessage
  if (!lastMessage) return chat.run ? { status: chat.run.status, isStopped: chat.run.isStopped } : undefined
  if (lastMessage.kind === 'summary') return { status: 'completed', isStopped: false }
  return { status: 'failed', isStopped: isStopped(lastMessage) }
}

/** Whether the message says that a person stopped the run. */
export const isStopped = (message: Message) => message.kind === 'failure' && message.isStopped === true

/** Whether a step ended because a person stopped its run: the service closes such steps with the reason of the run. */
export function isStoppedStep(step: Pick<QueryRunStep, 'agentRunId' | 'failureReason'>, chat: Chat): boolean {
  if (step.failureReason === null) return false
  return chat.messages.some(
    (message) =>
      message.kind === 'failure' &&
      isStopped(message) &&
      message.agentRunId === step.agentRunId &&
      message.reason === step.failureReason,
  )
}

/** Whether the active run is an answer rather than the automation's run. The two are stopped by different routes. */
export const isAnswering = (chat: Chat) => chat.run !== null && isAtWork(chat.run) && chat.run.trigger === 'question'
