import { cutText } from '../../ports/cut-text.ts'
import { withoutInvisible } from '../../domain/agents/model/envelope.ts'

/**
 * Prepares a text for a model: removes invisible characters, in which instructions could be hidden, and truncates it, noting how much
 * was left out.
 */
export function shown(text: string, maxCharacters: number): string {
  const seen = withoutInvisible(text)
  const { text: beginning, isWhole } = cutText(seen, maxCharacters)
  return isWhole ? seen : `${beginning}… [${seen.length - beginning.length} more characters]`
}

export const shownOrNull = (text: string | null, maxCharacters: number) => text && shown(text, maxCharacters)

/** Prepares a value of a result. Numbers, booleans and null stay as they are; a long object or array becomes truncated text. */
export function shownValue(value: unknown, maxCharacters: number): unknown {
  if (typeof value === 'string') return shown(value, maxCharacters)
  if (typeof value !== 'object' || value === null) return value
  const text = JSON.stringify(value)
  return text.length > maxCharacters ? shown(text, maxCharacters) : cleaned(value)
}

/** Cleans all texts and keys inside the value. The recursion is shallow, because the value is short. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return withoutInvisible(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cleaned)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [withoutInvisible(name), cleaned(inner)]))
}
