import { ExpressionError } from './expression.ts'

export type Token =
  /** An identifier or keyword, as written. */
  | { kind: 'word'; text: string; at: number }
  /** A name in double quotes, without them. */
  | { kind: 'name'; text: string; at: number }
  | { kind: 'text'; text: string; at: number }
  | { kind: 'number'; text: string; at: number }
  | { kind: 'sign'; text: string; at: number }
  | { kind: 'end'; text: ''; at: number }

const pattern =
  /\s+|([\p{L}_][\p{L}\p{M}\p{N}_$]*)|"((?:[^"]|"")*)"|'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?(?![\p{L}\p{N}_.]))|(!=|<>|<=|>=|[=<>(),*:|])/uy

export function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < source.length) {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    if (!found) throw new ExpressionError(unexpected(source, at))
    const [, word, name, text, number, sign] = found
    if (word !== undefined) tokens.push({ kind: 'word', text: word, at })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.replaceAll('""', '"'), at })
    else if (text !== undefined) tokens.push({ kind: 'text', text: text.replaceAll("''", "'"), at })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, at })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign === '<>' ? '!=' : sign, at })
    at = pattern.lastIndex
  }
  tokens.push({ kind: 'end', text: '', at })
  return tokens
}

function unexpected(source: string, at: number): string {
  const character = String.fromCodePoint(source.codePointAt(at)!)
  if (character === "'" || character === '"') return `The quote at position ${at + 1} is not closed.`
  const hint = /[-+/*^%\d]/.test(character) ? ' There is no arithmetic; use difference(…), share(…) or ratio(…), or compute it in SQL.' : ''
  return `Unexpected ${character} at position ${at + 1}.${hint} Put column names that are not identifiers in double quotes.`
}
