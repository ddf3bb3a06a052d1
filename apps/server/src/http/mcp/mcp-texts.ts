import { cutText } from '../../ports/cut-text.ts'
import { withoutUnseen } from '../../domain/agents/model/envelope.ts'

/**
 * Texts as models are shown them: without characters that people do not see, in which instructions could hide, and no
 * longer than is of use. A text that was cut says by how much, in its place.
 */
export function shown(text: string, maxCharacters: number): string {
  const seen = withoutUnseen(text)
  const { text: beginning, isWhole } = cutText(seen, maxCharacters)
  return isWhole ? seen : `${beginning}… [${seen.length - beginning.length} more characters]`
}

export const shownOrNull = (text: string | null, maxCharacters: number) => text && shown(text, maxCharacters)

/** A value of a result: numbers, truth values and null as they are; what is long, and is no text, becomes one. */
export function shownValue(value: unknown, maxCharacters: number): unknown {
  if (typeof value === 'string') return shown(value, maxCharacters)
  if (typeof value !== 'object' || value === null) return value
  const text = JSON.stringify(value)
  return text.length > maxCharacters ? shown(text, maxCharacters) : seenOf(value)
}

/** With all texts and names within; it is not deep, since it is short. */
function seenOf(value: unknown): unknown {
  if (typeof value === 'string') return withoutUnseen(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(seenOf)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [withoutUnseen(name), seenOf(inner)]))
}
