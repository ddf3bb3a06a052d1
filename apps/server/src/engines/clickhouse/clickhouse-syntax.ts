import { comment, digitsPrefix, endOfFlatComment, endOfLine, type LexicalRules, skip, unclear } from '../sql/lexical-rules.ts'
import type { Syntax } from '../sql/syntax.ts'

const heredocTag = /\$[A-Za-z0-9_]*\$/y
const word = /[0-9][A-Za-z0-9_]*|[A-Za-z_][A-Za-z0-9_$]*/y

const lexicalRules: LexicalRules = {
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
    const wordEnd = skip(word, sql, at)
    if (wordEnd === at) return { skipTo: at + 1 }
    return digitsPrefix(sql, at, wordEnd) ?? { skipTo: wordEnd }
  },
}

export const clickhouseSyntax: Syntax = {
  lexicalRules,
  hasBackslashStrings: true,
  quoteEscape: 'backslash',
  names: { quote: '`', hasBackslashes: true },
  openEscape: /x[0-9A-Fa-f]?$/,
  literals: {
    date: dateLiteral,
    timestamp: timestampLiteral,
    // ClickHouse has had `TRUE` and `FALSE` only since 2021, with their own type; 1 and 0 compare with both.
    true: '1',
    false: '0',
    // The date functions do not read the `T` and `Z` of ISO 8601.
    readsIsoTimestamps: false,
  },
}

// ClickHouse silently moves a day outside of a type's range to the nearest one inside, so choose the type by the year.
function dateLiteral(date: string): string | undefined {
  const year = Number(date.slice(0, 4))
  if (year >= 1970 && year < 2149) return `toDate('${date}')`
  return year >= 1900 && year <= 2299 ? `toDate32('${date}')` : undefined
}

function timestampLiteral(time: string): string | undefined {
  const year = Number(time.slice(0, 4))
  if (year >= 1970 && year < 2106 && !time.includes('.')) return `toDateTime('${time}', 'UTC')`
  return year >= 1900 && year <= 2299 ? `toDateTime64('${time}', 6, 'UTC')` : undefined
}
