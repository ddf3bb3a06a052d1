import type { Chat, ChatMessage, Querypost } from '@querypost/client'
import { CommandError } from '../command.ts'

export interface Answered {
  steps: ChatMessage[]
  /** An answer, or a failure. */
  answer: ChatMessage
}

/** Follows a chat until its newest question is answered, or its answer has failed. */
export async function followAnswer(
  client: Querypost,
  options: { chat: Chat; signal: AbortSignal; onStep(step: ChatMessage): void },
): Promise<Answered> {
  const { chat, signal } = options
  const question = chat.messages.findLast(({ kind }) => kind === 'question')!
  const later = new Map<number, ChatMessage>()
  for await (const event of client.chats.events(chat.shortId, { signal })) {
    if (event.kind === 'message') {
      const { message } = event
      if (message.number <= question.number) continue
      // Someone else may go on asking.
      if (message.kind === 'question') break
      later.set(message.number, message)
      if (message.kind === 'step') options.onStep(message)
      continue
    }
    if (event.status === 'idle') break
  }
  const messages = [...later.values()]
  const answer = messages.find(({ kind }) => kind === 'answer' || kind === 'failure')
  if (!answer) throw new CommandError(1, 'The chat ended without an answer.')
  return { steps: messages.filter(({ kind }) => kind === 'step'), answer }
}
