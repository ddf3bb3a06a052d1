/** A draft's text with its placeholders taken out. */
export interface PlaceholderText {
  /** Each placeholder is one character of `placeholderCharacter`, in order. */
  text: string
  /** What is between the braces of each. */
  placeholders: string[]
}

/** More placeholders are ordinary text, and judged as such. */
const maxPlaceholders = 1000
const firstCharacter = 0xe000

/** The private-use character that stands for a placeholder. Drafts contain no others: they are removed from the text. */
export const placeholderCharacter = (index: number): string => String.fromCharCode(firstCharacter + index)
export const isPlaceholderCharacter = (character: string): boolean =>
  character >= '\uE000' && character < String.fromCharCode(firstCharacter + maxPlaceholders)
export const placeholderIndex = (character: string): number => character.charCodeAt(0) - firstCharacter
export const placeholderPattern = `[\\uE000-\\u${(firstCharacter + maxPlaceholders - 1).toString(16)}]`

/**
 * Braces in quotes belong to a value; a line break ends an unfinished placeholder. A quote that another one follows is part of the value,
 * never its end: otherwise a row of quotes could be read in exponentially many ways.
 */
const pattern = /\{\{((?:[^{}'"\n]|'(?:[^'\n]|'')*'(?!')|"(?:[^"\n]|"")*"(?!"))*)\}\}/g

export function findPlaceholders(draft: string): PlaceholderText {
  const placeholders: string[] = []
  const text = draft.replaceAll(/[\p{Co}\p{Cs}]/gu, '').replaceAll(pattern, (whole, inner: string) => {
    if (placeholders.length === maxPlaceholders) return whole
    placeholders.push(inner.trim())
    return placeholderCharacter(placeholders.length - 1)
  })
  return { text, placeholders }
}

/**
 * The part of a text that can be shown while it is still being written: without an unfinished placeholder, and without the last word
 * or number, which may go on. What follows a figure can make it wrong, so a figure at the end waits for the next word, too.
 */
export function finishedPart(draft: string): string {
  const open = draft.lastIndexOf('{{')
  const closed = draft.lastIndexOf('}}')
  let end = open > closed ? open : draft.length
  if (end === draft.length && draft.endsWith('{')) end -= 1
  const isInside = placesInside(draft)
  // Back to a space outside of a placeholder, then over a figure that would become the last word.
  for (let hasMoved = true; hasMoved; ) {
    hasMoved = false
    while (end > 0 && (!/\s/.test(draft[end - 1]!) || isInside[end - 1] === 1)) end--
    const before = draft.slice(0, end).trimEnd()
    if (before.endsWith('}}')) {
      end = before.lastIndexOf('{{')
      hasMoved = end > 0
    }
  }
  return draft.slice(0, Math.max(end, 0))
}

/** For each character, 1 if the last braces up to it open a placeholder. */
function placesInside(draft: string): Uint8Array {
  const inside = new Uint8Array(draft.length)
  for (let at = 0; at < draft.length; at++) {
    inside[at] = draft.startsWith('{{', at) ? 1 : draft.startsWith('}}', at) ? 0 : (inside[at - 1] ?? 0)
  }
  return inside
}
