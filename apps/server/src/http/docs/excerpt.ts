import { escapeHtml } from './html.ts'

const excerptLength = 220
const lead = 60

/** The part of a text around the first match, as HTML with all matches marked. */
export function excerptOf(text: string, words: string[]): string {
  const pattern = wordPattern(words)
  const first = pattern ? text.search(pattern) : -1
  const start = first <= lead ? 0 : text.indexOf(' ', first - lead) + 1
  const end = start + excerptLength >= text.length ? text.length : text.lastIndexOf(' ', start + excerptLength)
  const part = text.slice(start, end > start ? end : start + excerptLength)
  return `${start > 0 ? '… ' : ''}${markWords(part, words)}${end < text.length ? ' …' : ''}`
}

export function markWords(text: string, words: string[]): string {
  const pattern = wordPattern(words)
  if (!pattern) return escapeHtml(text)
  return text
    .split(pattern)
    .map((part, place) => (place % 2 === 1 ? `<mark>${escapeHtml(part)}</mark>` : escapeHtml(part)))
    .join('')
}

/**
 * Matches whole words, without the punctuation around them. The longest come first, because one may be the prefix of another.
 */
function wordPattern(words: string[]): RegExp | undefined {
  if (words.length === 0) return undefined
  const longestFirst = words.toSorted((a, b) => b.length - a.length)
  const choices = longestFirst.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}])(${choices.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
}
