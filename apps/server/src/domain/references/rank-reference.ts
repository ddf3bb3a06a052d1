/** What a reference is ranked by. */
export interface RankedText {
  title: string
  description: string | null
}

/**
 * How well a reference that matches a search fits it, best first: 0 if the title is the text, 1 if the title starts with it, 2 if
 * every word starts a word of the title, 3 if every word starts one of the title or the description, 4 if the SQL was needed.
 * Case and accents do not matter, as in the search itself.
 */
export function makeRank(text: string): (reference: RankedText) => number {
  const match = makeMatch(text)
  return (reference) => match(reference) ?? 4
}

/** The rank of something that is found by its title and description only; undefined if it does not match. */
export function makeMatch(text: string): (content: RankedText) => number | undefined {
  const wanted = folded(text)
  const words = wordsIn(wanted)
  const hasAll = (content: string) => {
    // Thousands of titles are matched with each letter of a search, and splitting those that don't match would take most of the time.
    if (words.length === 0 || !words.every((word) => content.includes(word))) return false
    const found = wordsIn(content)
    return words.every((word) => found.some((other) => other.startsWith(word)))
  }
  return ({ title, description }) => {
    const name = folded(title)
    if (name === wanted) return 0
    if (name.startsWith(wanted)) return 1
    if (hasAll(name)) return 2
    return description !== null && hasAll(`${name} ${folded(description)}`) ? 3 : undefined
  }
}

const foldedUnicode = (text: string) =>
  text.normalize('NFKD').replaceAll(/[\u0300-\u036f]/g, '').toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** Something that only `foldedUnicode` handles: a character outside ASCII, white space that isn't a space, or several spaces. */
const isUnusual = /[^ -~]| {2}/

const folded = (text: string) => (isUnusual.test(text) ? foldedUnicode(text) : text.toLowerCase().trim())

const wordsIn = (text: string) => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
