import type { MessageContent } from '../../model/chat.ts'

/**
 * How an agent writes into its chat. Every write is there when it resolves, and whoever watches the chat sees it at once. Writes
 * are fenced by the agent run's lease: once that is lost, they throw `LeaseLost` and change nothing.
 */
export interface ChatWriter {
  /** Adds a message at the end; resolves with its number. */
  add(content: MessageContent): Promise<number>
  /** Replaces what a message of this run says. */
  change(number: number, content: MessageContent): Promise<void>
}

