import type { Clock } from '../../../ports/clock.ts'
import type { ChatWriter } from '../../agent-runs/chat-writer.ts'

/** Often enough to be read as it grows, seldom enough for the store: each write is a revision of the chat. */
const writeEveryMs = 500

/** What the model says in one step, as a message of the chat that grows. A step that says nothing leaves no message. */
export interface GrowingText {
  /** All there is so far. */
  grow(text: string): Promise<void>
  /** What was said so far counts for nothing: the answer broke off, and is asked for again. */
  drop(): Promise<void>
  /** Resolves with the message's number when there is one. */
  end(text: string): Promise<number | undefined>
}

export function growingText({ chat, clock }: { chat: ChatWriter; clock: Clock }): GrowingText {
  let number: number | undefined
  let shown: string | undefined
  let shownAtMs = 0

  async function show(text: string): Promise<void> {
    if (text === shown) return
    if (number === undefined) number = await chat.add({ kind: 'text', text })
    else await chat.change(number, { kind: 'text', text })
    shown = text
    shownAtMs = clock.monotonicMs()
  }

  return {
    async grow(text) {
      const isDue = shown === undefined || clock.monotonicMs() - shownAtMs >= writeEveryMs
      if (isDue && text.trim() !== '') await show(text.trim())
    },
    async drop() {
      shown = undefined
      if (number !== undefined) await chat.change(number, { kind: 'note', text: 'The model’s answer broke off here.' })
    },
    async end(text) {
      if (text !== '') await show(text)
      return text === '' ? undefined : number
    },
  }
}
