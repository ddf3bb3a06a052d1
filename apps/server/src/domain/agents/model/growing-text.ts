import type { Clock } from '../../../ports/clock.ts'
import type { ChatWriter } from '../../agent-runs/chat-writer.ts'
import type { PublishedText, Publisher } from './publisher.ts'

/** Often enough to read along, rarely enough for the store: each write is a revision of the chat. */
const writeEveryMs = 500

/** The model's text in one step, as a chat message that grows while it arrives. A step without text leaves no message. */
export interface GrowingText {
  /** Called with all the text so far. */
  grow(text: string): Promise<void>
  /** Discards the text so far: the answer was cut off and will be requested again. */
  drop(): Promise<void>
  /** Writes the published text; resolves with the message's number. */
  end(published: PublishedText): Promise<number>
  /** The step has no text. */
  endWithoutText(): Promise<void>
}

export function growingText(options: {
  chat: ChatWriter
  clock: Clock
  publisher: Publisher
  /** The message of a draft that this text replaces. */
  replaces?: number | undefined
}): GrowingText {
  const { chat, clock, publisher, replaces } = options
  let number = replaces
  let shown: string | undefined
  let shownAtMs = 0

  async function write(content: Parameters<ChatWriter['add']>[0]): Promise<number> {
    if (number === undefined) number = await chat.add(content)
    else await chat.change(number, content)
    return number
  }

  return {
    async grow(draft) {
      const isDue = shown === undefined || clock.monotonicMs() - shownAtMs >= writeEveryMs
      if (!isDue || draft.trim() === '') return
      // Without the space at its end, a finished word would wait for the next one.
      const { text, figures } = await publisher.publish(draft.trimStart(), { isPartial: true })
      if (text === '' || text === shown) return
      await write({ kind: 'text', text, figures })
      shown = text
      shownAtMs = clock.monotonicMs()
    },
    async drop() {
      shown = undefined
      if (number !== undefined) await write({ kind: 'note', text: 'The model’s answer was cut off here.' })
    },
    end: ({ text, figures, sources }) => write({ kind: 'text', text, figures, sources }),
    async endWithoutText() {
      if (replaces !== undefined) await write({ kind: 'note', text: withdrawn })
    },
  }
}

const withdrawn = 'A draft of the answer was withdrawn because some of its figures could not be verified.'
