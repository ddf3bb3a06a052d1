import { isAtWork, type RunStatus } from '../../api/automation-runs.ts'
import type { Chat, Message } from '../../api/chats.ts'

/** The run of the automation that opened the chat, and the message with which it ended, if it has. */
export function automationRunIn(chat: Chat): { runId: string; lastMessage: Message | undefined } | undefined {
  const runId = chat.automation && chat.messages.find((message) => message.kind === 'instruction')?.agentRunId
  if (!runId) return undefined
  const isEnd = ({ kind, agentRunId }: Message) => agentRunId === runId && (kind === 'summary' || kind === 'failure')
  return { runId, lastMessage: chat.messages.find(isEnd) }
}

/** How the chat's own task stands: the automation's run where there is one, whatever was asked since. */
export function statusOf(chat: Chat): RunStatus | undefined {
  const lastMessage = automationRunIn(chat)?.lastMessage
  if (!lastMessage) return chat.run?.status
  return lastMessage.kind === 'summary' ? 'completed' : 'failed'
}

/** Whether the run at work is an answer rather than the automation's own: each is stopped in its own way. */
export const isAnswering = (chat: Chat) => chat.run !== null && isAtWork(chat.run) && chat.run.trigger === 'question'
