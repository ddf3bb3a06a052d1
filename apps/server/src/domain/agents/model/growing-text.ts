import type { Clock } from '../../../ports/clock.ts'
import type { ChatWriter } from '../../agent-runs/chat-writer.ts'

/** Often enough to read along, rarely enough for the store: each write is a revision of the chat. */
const writeEveryMs = 500

/** The model's text in one step, as a chat message that grows while it arrives. A step without text leaves no message. */
export interface GrowingText {
  /** Called with all the text so far. */
  grow(text: string): Promise<void>
  /** Discards the text so far: the answer was cut off and will be requested again. */
  drop(): Promise<void>
  /** Resolves with the message's number, if there is a message. */
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
      if (number !== undefined) await chat.change(number, { kind: 'note', text: 'The model’s answer was cut off here.' })
    },
    async end(text) {
      if (text !== '') await show(text)
      return text === '' ? undefined : number
    },
  }
}
