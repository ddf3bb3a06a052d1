import type { Message } from '../../../model/chat.ts'

/**
 * The messages on the way to the newest question: its exchange and those it follows, up to the start of the chat. Other branches are
 * left out. An agent answers one question at a time, so the newest is the one it answers.
 */
export function pathToNewest(messages: readonly Message[]): Message[] {
  const starts = messages.filter(({ content }) => content.kind === 'question' || content.kind === 'instruction')
  const followed = new Map(starts.map(({ number, content }, at) => {
    const isBranch = content.kind === 'question' && content.follows !== undefined
    return [number, isBranch ? content.follows : starts[at - 1]?.number]
  }))
  const path = new Set<number>()
  let next: number | null | undefined = starts.at(-1)?.number
  while (typeof next === 'number' && !path.has(next)) {
    path.add(next)
    next = followed.get(next)
  }
  let isOnPath = false
  return messages.filter(({ number }) => {
    if (followed.has(number)) isOnPath = path.has(number)
    return isOnPath
  })
}
