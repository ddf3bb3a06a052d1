import type { MessageContent } from '../../model/chat.ts'

/**
 * How an agent writes to its chat. A write is committed when it resolves, and is pushed at once to anyone watching the chat. Writes are
 * fenced by the agent run's lease: once it is lost, they throw `LeaseLost` and change nothing.
 */
export interface ChatWriter {
  /** Adds a message at the end; resolves with its number. */
  add(content: MessageContent): Promise<number>
  /** Replaces the content of a message of this run. */
  change(number: number, content: MessageContent): Promise<void>
}

