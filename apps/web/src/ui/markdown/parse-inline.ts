import { isOfMark, markAt, removeMarks } from './marks.ts'

/**
 * Inline Markdown: text, code, strong, emphasis, strikethrough, links, and the marks of `marks.ts`. Everything else, including HTML, is
 * plain text. The cost is linear in the length of any text, because a closing mark that was not found once is not searched for again.
 */
export type Inline =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'emphasis' | 'strikethrough'; children: Inline[] }
  | { kind: 'link'; address: string; children: Inline[] }
  | { kind: 'mark'; index: number; children: Inline[] }

const maxDepth = 8
const punctuation = /[!-/:-@[-`{-~]/
const addressInBrackets = /\(\s*<?([^\s()<>]*)>?(?:\s+"[^"]*")?\s*\)/y

export function parseInline(text: string, depth = 0): Inline[] {
  if (depth > maxDepth) return [{ kind: 'text', text: removeMarks(text) }]
  const found: Inline[] = []
  const closingBracketOf = matchBrackets(text)
  const unclosed = new Set<string>()
  let plain = ''
  let at = 0

  function put(inline: Inline, end: number): void {
    if (plain !== '') found.push({ kind: 'text', text: plain })
    plain = ''
    found.push(inline)
    at = end
  }

  /** The position where the mark that opens at `at` closes, or -1. */
  function closeOf(mark: string): number {
    if (unclosed.has(mark)) return -1
    const close = findClose(text, mark, at + mark.length)
    if (close === -1) unclosed.add(mark)
    return close
  }

  function code(): boolean {
    const mark = /`+/y.exec(text.slice(at, at + 10))![0]
    const close = closeOf(mark)
    if (close === -1) return false
    const content = text.slice(at + mark.length, close).replace(/^ (.+) $/, '$1')
    put({ kind: 'code', text: removeMarks(content) }, close + mark.length)
    return true
  }

  function emphasis(character: string): boolean {
    const mark = text[at + 1] === character ? character + character : character
    if (mark === '~') return false
    const next = text[at + mark.length]
    if (next === undefined || /\s/.test(next)) return false
    if (character === '_' && isWordCharacter(text[at - 1])) return false
    const close = closeOf(mark)
    if (close <= at + mark.length) return false
    const children = parseInline(text.slice(at + mark.length, close), depth + 1)
    put({ kind: mark === '~~' ? 'strikethrough' : mark.length === 2 ? 'strong' : 'emphasis', children }, close + mark.length)
    return true
  }

  function marked(): void {
    const mark = markAt(text, at)
    if (!mark) return void at++
    put({ kind: 'mark', index: mark.index, children: parseInline(text.slice(mark.start, mark.end), depth + 1) }, mark.end + 1)
  }

  function link(from: number): boolean {
    const close = closingBracketOf.get(from)
    if (close === undefined || text[close + 1] !== '(') return false
    addressInBrackets.lastIndex = close + 1
    const address = addressInBrackets.exec(text)?.[1]
    if (address === undefined || address === '') return false
    put({ kind: 'link', address, children: parseInline(text.slice(from + 1, close), depth + 1) }, addressInBrackets.lastIndex)
    return true
  }

  while (at < text.length) {
    const character = text[at]!
    if (character === '\\' && punctuation.test(text[at + 1] ?? '')) {
      plain += text[at + 1]
      at += 2
      continue
    }
    if (isOfMark(character)) {
      marked()
      continue
    }
    if (character === '`' && code()) continue
    if ((character === '*' || character === '_' || character === '~') && emphasis(character)) continue
    if (character === '[' && link(at)) continue
    // Images are not loaded. Show their description and URL instead.
    if (character === '!' && text[at + 1] === '[' && link(at + 1)) continue
    // Skip a run of unmatched marks as a whole, so that its second mark is not tried on its own.
    const length = '`*_~'.includes(character) ? lengthOfRun(text, at) : 1
    plain += text.slice(at, at + length)
    at += length
  }
  if (plain !== '') found.push({ kind: 'text', text: plain })
  return found
}

function findClose(text: string, mark: string, from: number): number {
  const character = mark[0]!
  for (let at = text.indexOf(character, from); at !== -1; at = text.indexOf(character, at)) {
    const length = lengthOfRun(text, at)
    if (character === '`' && length === mark.length) return at
    if (character !== '`' && isClosing(text, mark, at, length)) return at + length - mark.length
    at += length
  }
  return -1
}

function isClosing(text: string, mark: string, at: number, length: number): boolean {
  if (length < mark.length || (length === 2 && mark.length === 1)) return false
  const before = text[at - 1]!
  if (/\s/.test(before) || before === '\\') return false
  return mark[0] !== '_' || !isWordCharacter(text[at + length])
}

function lengthOfRun(text: string, from: number): number {
  let end = from
  while (text[end] === text[from]) end++
  return end - from
}

const isWordCharacter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)

/** Maps opening to closing brackets. Escaped brackets are text. */
function matchBrackets(text: string): Map<number, number> {
  const matches = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '[') open.push(at)
    else if (text[at] === ']') {
      const from = open.pop()
      if (from !== undefined) matches.set(from, at)
    }
  }
  return matches
}
