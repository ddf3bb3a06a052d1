import type { Span } from '../ui/markdown/marks.ts'

/**
 * Mentions are stored as `@[user id]`, so that they follow a person who changes their name. People write and read `@` and a *label*:
 * the name, with the e-mail address if two people have the same name.
 */
export interface Person {
  id: string
  name: string
  /** Unknown for people who have left. */
  email?: string
}

const storedMention = /@\[(user_\w{1,64})\]/g

/** The label of each person, by id. */
export function labelsOf(people: readonly Person[]): Map<string, string> {
  const isRepeated = ({ id, name }: Person) => people.some((other) => other.id !== id && other.name === name)
  return new Map(people.map((person) => [person.id, isRepeated(person) ? `${person.name} (${person.email ?? 'left'})` : person.name]))
}

/** The text to edit. */
export const toEditable = (stored: string, labels: ReadonlyMap<string, string>): string =>
  stored.replaceAll(storedMention, (mention, id: string) => (labels.has(id) ? `@${labels.get(id)!}` : mention))

const isOfWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character)

/** The text to store. A label counts as a mention if it stands for itself, however it was typed. */
export function toStored(text: string, labels: ReadonlyMap<string, string>): string {
  const longestFirst = [...labels].toSorted(([, a], [, b]) => b.length - a.length)
  let stored = ''
  let at = 0
  for (let sign = text.indexOf('@'); sign >= 0; sign = text.indexOf('@', Math.max(at, sign + 1))) {
    const found = longestFirst.find(([, label]) => text.startsWith(label, sign + 1) && !isOfWord(text[sign + 1 + label.length]))
    if (!found || isOfWord(text[sign - 1])) continue
    stored += `${text.slice(at, sign)}@[${found[0]}]`
    at = sign + 1 + found[1].length
  }
  return stored + text.slice(at)
}

/** The text to show, with the place of each mention. Only people whom the comment really mentions are named. */
export function toShown<Mentioned extends Person>(
  stored: string,
  mentions: readonly Mentioned[],
): { text: string; spans: Span[]; people: Mentioned[] } {
  const spans: Span[] = []
  const people: Mentioned[] = []
  let text = ''
  let at = 0
  for (const match of stored.matchAll(storedMention)) {
    const person = mentions.find(({ id }) => id === match[1])
    if (!person) continue
    text += stored.slice(at, match.index)
    spans.push({ start: text.length, end: text.length + 1 + person.name.length })
    people.push(person)
    text += `@${person.name}`
    at = match.index + match[0].length
  }
  return { text: text + stored.slice(at), spans, people }
}

/** A mention that is being written: where its `@` is, and what has been typed after it. */
export interface TypedMention {
  start: number
  query: string
}

const maxQueryCharacters = 40

export function typedMention(text: string, caret: number): TypedMention | null {
  const before = text.slice(Math.max(0, caret - maxQueryCharacters - 1), caret)
  const at = before.lastIndexOf('@')
  const start = caret - before.length + at
  const query = before.slice(at + 1)
  if (at === -1 || query.includes('\n') || isOfWord(text[start - 1])) return null
  return { start, query }
}

const maxOffers = 6

/** The people whose name, part of a name, or e-mail address begins with the typed text. */
export function matchPeople<Offered extends Person>(people: readonly Offered[], query: string): Offered[] {
  const wanted = query.toLowerCase()
  const matches = ({ name, email = '' }: Offered) => {
    const known = name.toLowerCase()
    return known.startsWith(wanted) || known.includes(` ${wanted}`) || email.toLowerCase().startsWith(wanted)
  }
  return wanted.endsWith(' ') && wanted.trim() === '' ? [] : people.filter(matches).slice(0, maxOffers)
}

/** The text with the typed mention completed, and the place of the caret after it. */
export function completeMention(
  text: string,
  { start, query }: TypedMention,
  label: string,
): { text: string; caret: number } {
  const rest = text.slice(start + 1 + query.length)
  const completed = `${text.slice(0, start)}@${label}${rest.startsWith(' ') ? '' : ' '}`
  return { text: completed + rest, caret: start + label.length + 2 }
}
