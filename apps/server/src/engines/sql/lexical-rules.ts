/**
 * Where a dialect's lexer sees something other than bare SQL begin. Each engine has its own rules in its syntax, verified by
 * executing them; the tests repeat that.
 */
export interface LexicalRules {
  /** The construct that begins at `at`, or how far the bare text extends at least. */
  next(sql: string, at: number): { start: number; position: Position } | { skipTo: number }
  endOfComment(sql: string, start: number): number
  /** `'a'⏎'b'` is one string. */
  continuesStrings: boolean
}

export const comment: Position = { kind: 'comment' }

export function unclear(start: number, reason: string): { start: number; position: Position } {
  return { start, position: { kind: 'unclear', reason } }
}

/** The end of the match of the sticky `pattern` at `at`, or `at` itself. */
export function skip(pattern: RegExp, sql: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(sql) ? pattern.lastIndex : at
}

export function endOfLine(sql: string, start: number, lineBreaks: RegExp): number {
  lineBreaks.lastIndex = start
  const found = lineBreaks.exec(sql)
  return found === null ? sql.length : found.index
}

export function endOfFlatComment(sql: string, start: number): number {
  const found = sql.indexOf('*/', start + 2)
  return found === -1 ? sql.length : found + 2
}

export function endOfNestedComment(sql: string, start: number): number {
  const marks = /\/\*|\*\//g
  marks.lastIndex = start + 2
  for (let depth = 1; depth > 0; ) {
    const mark = marks.exec(sql)
    if (mark === null) return sql.length
    depth += mark[0] === '/*' ? 1 : -1
  }
  return marks.lastIndex
}

/** `E'…'`, `U&'…'`, `U&"…"`, `B'…'`, `X'…'`, if the letter is a separate word. */
export function prefixed(sql: string, at: number, wordEnd: number): { start: number; position: Position } | undefined {
  if (wordEnd !== at + 1) return undefined
  const letter = sql[at]!.toLowerCase()
  const quote = sql[wordEnd]
  if (letter === 'u' && quote === '&') {
    const opening = sql[wordEnd + 1]
    if (opening !== "'" && opening !== '"') return undefined
    return { start: wordEnd + 1, position: { kind: 'unicode', quote: opening } }
  }
  if (quote !== "'") return undefined
  if (letter === 'e') return { start: wordEnd, position: { kind: 'string', quote, backslash: true } }
  if (letter === 'x') return { start: wordEnd, position: { kind: 'digits', base: 'hexadecimal' } }
  if (letter === 'b') return { start: wordEnd, position: { kind: 'digits', base: 'binary' } }
  return undefined
}

export function digitsPrefix(sql: string, at: number, wordEnd: number): { start: number; position: Position } | undefined {
  const found = prefixed(sql, at, wordEnd)
  return found?.position.kind === 'digits' ? found : undefined
}

/**
 * A minimal SQL lexer for parameters: it finds where literals, quoted identifiers and comments begin and end.
 *
 * A *segment* is a part of the text with one *position*. Segments follow each other without gaps, so their lengths add up
 * to the text's. A construct that is never closed extends to the end of the text.
 *
 * - `bare`: ordinary SQL: words, numbers, operators, white space, and the prefix letters of literals (`E`, `N`, …).
 * - `string`, `identifier`: quoted, including the quotes. `''` is an escaped quote, and if `backslash` is true, a backslash
 *   escapes the next character.
 * - `digits`: `X'…'` and `B'…'`, which end at the first quote whatever they contain.
 * - `unicode`: `U&'…'` and `U&"…"`, whose escape character may be declared after them.
 * - `dollar`: `$tag$…$tag$`, which has no escapes.
 * - `comment`: to the end of the line, or `/* … *\/`.
 * - `unclear`: from here to the end of the text, versions or settings of the same database parse it differently, so
 *   nothing can be inserted there safely. The text before it is not affected.
 *
 * The text is read once, from left to right, without backtracking.
 */
export type Position = { kind: 'bare'}  |
{ kind: 'string' | 'identifier'; quote: string; backslash: boolean}  |
{ kind: 'digits'; base: 'hexadecimal' | 'binary'}  |
{ kind: 'unicode'; quote: string}  |
{ kind: 'dollar'; tag: string}  |
{ kind: 'comment'}  |
{ kind: 'unclear'; reason: string} 
