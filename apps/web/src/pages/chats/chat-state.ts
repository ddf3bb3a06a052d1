import { isAtWork, type RunStatus } from '../../api/automation-runs.ts'
import type { Chat, Message } from '../../api/chats.ts'

/** The automation run that opened the chat, and its final message once it has ended. */
export function automationRunIn(chat: Chat): { runId: string; lastMessage: Message | undefined } | undefined {
  const runId = chat.automation && chat.messages.find((message) => message.kind === 'instruction')?.agentRunId
  if (!runId) return undefined
  const isEnd = ({ kind, agentRunId }: Message) => agentRunId === runId && (kind === 'summary' || kind === 'failure')
  return { runId, lastMessage: chat.messages.find(isEnd) }
}

/** The status of the automation run that opened the chat, ignoring later questions; without one, of the latest run. */
export function statusOf(chat: Chat): RunStatus | undefined {
  const lastMessage = automationRunIn(chat)?.lastMessage
  if (!lastMessage) return chat.run?.status
  return lastMessage.kind === 'summary' ? 'completed' : 'failed'
}

/** Whether the active run is an answer rather than the automation's run. The two are stopped by different routes. */
export const isAnswering = (chat: Chat) => chat.run !== null && isAtWork(chat.run) && chat.run.trigger === 'question'
