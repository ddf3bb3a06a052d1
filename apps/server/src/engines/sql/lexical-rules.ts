import type { Dialect } from '../../model/database.ts'

/**
 * Where each dialect's lexer sees something other than bare SQL begin.
 *
 * The rules of DuckDB and PostgreSQL were verified by executing them (DuckDB 1.5, PostgreSQL 18); the tests repeat that.
 * MySQL's rules are those of the default `sql_mode`: the engine must not enable `ANSI_QUOTES` or `NO_BACKSLASH_ESCAPES`,
 * and PostgreSQL's must keep `standard_conforming_strings` on.
 */
export interface LexicalRules {
  /** The construct that begins at `at`, or how far the bare text extends at least. */
  next(sql: string, at: number): { start: number; position: Position } | { skipTo: number }
  endOfComment(sql: string, start: number): number
  /** `'a'⏎'b'` is one string. */
  continuesStrings: boolean
}

const comment: Position = { kind: 'comment' }

function unclear(start: number, reason: string): { start: number; position: Position } {
  return { start, position: { kind: 'unclear', reason } }
}

/** The end of the match of the sticky `pattern` at `at`, or `at` itself. */
function skip(pattern: RegExp, sql: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(sql) ? pattern.lastIndex : at
}

function endOfLine(sql: string, start: number, lineBreaks: RegExp): number {
  lineBreaks.lastIndex = start
  const found = lineBreaks.exec(sql)
  return found === null ? sql.length : found.index
}

function endOfFlatComment(sql: string, start: number): number {
  const found = sql.indexOf('*/', start + 2)
  return found === -1 ? sql.length : found + 2
}

function endOfNestedComment(sql: string, start: number): number {
  const marks = /\/\*|\*\//g
  marks.lastIndex = start + 2
  for (let depth = 1; depth > 0; ) {
    const mark = marks.exec(sql)
    if (mark === null) return sql.length
    depth += mark[0] === '/*' ? 1 : -1
  }
  return marks.lastIndex
}

/** Spaces that DuckDB replaces with plain ones before parsing if it considers them outside quotes. */
const duckdbSpaceClass = '\\u00a0\\u2000-\\u200b\\u202f\\u205f\\u2060\\u3000\\ufeff'
export const duckdbSpaces = new RegExp(`[${duckdbSpaceClass}]`)

const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y
const dollarNumber = /\$[0-9]+/y
const postgresWord = /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y
const notSpace = `(?![${duckdbSpaceClass}])`
const duckdbWord = new RegExp(
  `${notSpace}[A-Za-z_\\u0080-\\uffff](?:${notSpace}[A-Za-z0-9_$\\u0080-\\uffff])*`,
  'y',
)
const decimalNumber = /[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9]+)?/y
// A literal's prefix or a dollar sign. They would mean something else if the special space before them counted as a letter.
const readsDifferentlyAfterSpace = new RegExp(
  `[eExXbB]'|[uU]&['"]|(?:${notSpace}[A-Za-z0-9_\\u0080-\\uffff])*\\$`,
  'y',
)

function postgresRules({ word, isDuckdb }: { word: RegExp; isDuckdb: boolean }): LexicalRules {
  return {
    continuesStrings: true,
    endOfComment: (sql, start) =>
      sql[start] === '-' ? endOfLine(sql, start, /[\n\r]/g) : endOfNestedComment(sql, start),
    next(sql, at) {
      const character = sql[at]!
      const next = sql[at + 1]
      if (character === "'") return { start: at, position: { kind: 'string', quote: "'", backslash: false } }
      if (character === '"') return { start: at, position: { kind: 'identifier', quote: '"', backslash: false } }
      if (character === '-' && next === '-') return { start: at, position: comment }
      if (character === '/' && next === '*') return { start: at, position: comment }
      if (character === '$') {
        const tagEnd = skip(dollarTag, sql, at)
        if (tagEnd === at) return { skipTo: Math.max(at + 1, skip(dollarNumber, sql, at)) }
        const tag = sql.slice(at, tagEnd)
        if (isDuckdb && duckdbSpaces.test(tag)) return unclear(at, 'a special space in the tag of a dollar quote')
        return { start: at, position: { kind: 'dollar', tag } }
      }
      if (isDuckdb && duckdbSpaces.test(character)) {
        return skip(readsDifferentlyAfterSpace, sql, at + 1) > at + 1
          ? unclear(at, 'a special space (such as a no-break space); use an ordinary one')
          : { skipTo: at + 1 }
      }
      const numberEnd = skip(decimalNumber, sql, at)
      if (numberEnd > at) return { skipTo: numberEnd }
      const wordEnd = skip(word, sql, at)
      if (wordEnd === at) return { skipTo: at + 1 }
      return prefixed(sql, at, wordEnd) ?? { skipTo: wordEnd }
    },
  }
}

/** `E'…'`, `U&'…'`, `U&"…"`, `B'…'`, `X'…'`, if the letter is a separate word. */
function prefixed(sql: string, at: number, wordEnd: number): { start: number; position: Position } | undefined {
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

function digitsPrefix(sql: string, at: number, wordEnd: number): { start: number; position: Position } | undefined {
  const found = prefixed(sql, at, wordEnd)
  return found?.position.kind === 'digits' ? found : undefined
}

const mysqlWord = /[A-Za-z0-9_$\u0080-\uffff]+/y

const mysqlRules: LexicalRules = {
  continuesStrings: false,
  endOfComment: (sql, start) =>
    sql[start] === '/' ? endOfFlatComment(sql, start) : endOfLine(sql, start, /\n/g),
  next(sql, at) {
    const character = sql[at]!
    const next = sql[at + 1]
    if (character === "'" || character === '"') {
      return { start: at, position: { kind: 'string', quote: character, backslash: true } }
    }
    if (character === '`') return { start: at, position: { kind: 'identifier', quote: '`', backslash: false } }
    if (character === '#') return { start: at, position: comment }
    if (character === '-' && next === '-') {
      // It is a comment only before white space or a control character. Before anything else it is two minus signs.
      const third = sql.charCodeAt(at + 2)
      return Number.isNaN(third) || third <= 0x20 || third === 0x7f
        ? { start: at, position: comment }
        : { skipTo: at + 1 }
    }
    if (character === '/' && next === '*') {
      if (/^!|^M!/.test(sql.slice(at + 2, at + 4))) return unclear(at, 'a comment that MySQL executes (/*! … */)')
      if (sql[at + 2] === '+' && /['"`]/.test(sql.slice(at, endOfFlatComment(sql, at)))) {
        return unclear(at, 'an optimizer hint with quotes in it')
      }
      return { start: at, position: comment }
    }
    // Newer versions parse `$$…$$` as a string, older ones as a name.
    if (character === '$') return unclear(at, 'a name that begins with $')
    const wordEnd = skip(mysqlWord, sql, at)
    if (wordEnd === at) return { skipTo: at + 1 }
    return digitsPrefix(sql, at, wordEnd) ?? { skipTo: wordEnd }
  },
}

const heredocTag = /\$[A-Za-z0-9_]*\$/y
const clickhouseWord = /[0-9][A-Za-z0-9_]*|[A-Za-z_][A-Za-z0-9_$]*/y

const clickhouseRules: LexicalRules = {
  continuesStrings: false,
  endOfComment: (sql, start) =>
    sql.startsWith('/*', start) ? endOfFlatComment(sql, start) : endOfLine(sql, start, /\n/g),
  next(sql, at) {
    const character = sql[at]!
    const next = sql[at + 1]
    if (character === "'") return { start: at, position: { kind: 'string', quote: "'", backslash: true } }
    if (character === '"' || character === '`') {
      return { start: at, position: { kind: 'identifier', quote: character, backslash: true } }
    }
    if ((character === '-' && next === '-') || (character === '/' && next === '/')) {
      return { start: at, position: comment }
    }
    if (character === '#' && (next === ' ' || next === '!')) return { start: at, position: comment }
    if (character === '/' && next === '*') {
      // Versions before 2021 end such a comment at the first `*/`; later ones nest.
      return sql.slice(at + 2, endOfFlatComment(sql, at)).includes('/*')
        ? unclear(at, 'a comment within a comment')
        : { start: at, position: comment }
    }
    if (character === '‘' || character === '“') return unclear(at, 'typographic quotes; use plain ones')
    if (character === '$') {
      const tagEnd = skip(heredocTag, sql, at)
      const tag = sql.slice(at, tagEnd)
      if (tag !== '' && sql.includes(tag, tagEnd)) return { start: at, position: { kind: 'dollar', tag } }
      return unclear(at, 'a dollar sign that does not begin a heredoc')
    }
    const wordEnd = skip(clickhouseWord, sql, at)
    if (wordEnd === at) return { skipTo: at + 1 }
    return digitsPrefix(sql, at, wordEnd) ?? { skipTo: wordEnd }
  },
}

export const lexicalRules: Record<Dialect, LexicalRules> = {
  duckdb: postgresRules({ word: duckdbWord, isDuckdb: true }),
  postgres: postgresRules({ word: postgresWord, isDuckdb: false }),
  mysql: mysqlRules,
  clickhouse: clickhouseRules,
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
