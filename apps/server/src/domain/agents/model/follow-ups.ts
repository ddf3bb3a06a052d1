import type { Publisher } from './publisher.ts'

/** The model suggests questions to ask next at the end of its answer, one per line between these tags. */
const opening = '<questions>'
const closing = '</questions>'

const followUpsMax = 3
const followUpMaxCharacters = 200

/** Separates an answer from the questions at its end. `isPartial`: the text is still arriving and may end inside the tag. */
export function splitFollowUps(reply: string, { isPartial = false } = {}): { text: string; followUps: string[] } {
  const at = reply.lastIndexOf(opening)
  // In a text that is still arriving, a space at the end shows that the last word is finished.
  if (at < 0) return { text: isPartial ? withoutPartOf(opening, reply).trimStart() : reply.trim(), followUps: [] }
  const [inside = ''] = reply.slice(at + opening.length).split(closing)
  const lines = inside.split('\n').map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').trim())
  return { text: reply.slice(0, at).trim(), followUps: lines.filter((line) => line !== '') }
}

function withoutPartOf(tag: string, text: string): string {
  const from = text.lastIndexOf('<')
  return from >= 0 && tag.startsWith(text.slice(from)) ? text.slice(0, from) : text
}

/** The questions that may be shown. One that claims something is left out: "Why did revenue fall?" says that it fell. */
export async function checkFollowUps(publisher: Publisher, followUps: readonly string[]): Promise<string[]> {
  const shown: string[] = []
  for (const followUp of new Set(followUps)) {
    if (shown.length === followUpsMax) break
    if (followUp.length > followUpMaxCharacters) continue
    const { text, figures } = await publisher.publish(followUp)
    if (figures.length === 0 && text !== '') shown.push(text)
  }
  return shown
}
