import type { LexicalRules, Position } from './lexical-rules.ts'

export interface Segment {
  start: number
  end: number
  position: Position
}

export function lex(sql: string, rules: LexicalRules): Segment[] {
  const segments: Segment[] = []
  let bareStart = 0
  let at = 0
  // Where and how a string continues on another line: the second part of `E'a'⏎'b'` follows the rules of the first.
  let continuation: { at: number; position: Position } | undefined

  function close(start: number, end: number, position: Position): void {
    if (start > bareStart) segments.push({ start: bareStart, end: start, position: { kind: 'bare' } })
    segments.push({ start, end, position })
    bareStart = end
    at = end
  }

  while (at < sql.length) {
    const found =
      continuation?.at === at ? { start: at, position: continuation.position } : rules.next(sql, at)
    if ('skipTo' in found) {
      at = found.skipTo
      continue
    }
    const { start, position } = found
    const end = endOf(sql, start, position, rules)
    close(start, end, position)
    if (position.kind === 'comment') continue
    continuation = undefined
    if (rules.continuesStrings && isSingleQuoted(position)) {
      const next = continuationOf(sql, end)
      if (next !== undefined) continuation = { at: next, position }
    }
  }
  if (sql.length > bareStart) segments.push({ start: bareStart, end: sql.length, position: { kind: 'bare' } })
  return segments
}

function isSingleQuoted(position: Position): boolean {
  if (position.kind === 'string' || position.kind === 'unicode') return position.quote === "'"
  return position.kind === 'digits'
}

function endOf(sql: string, start: number, position: Position, rules: LexicalRules): number {
  switch (position.kind) {
    case 'string':
    case 'identifier':
      return endOfQuoted(sql, start, position)
    case 'unicode':
      return endOfQuoted(sql, start, { quote: position.quote, backslash: false })
    case 'digits':
      return after(sql, "'", start + 1)
    case 'dollar':
      return after(sql, position.tag, start + position.tag.length)
    case 'comment':
      return rules.endOfComment(sql, start)
    default:
      return sql.length
  }
}

function after(sql: string, terminator: string, from: number): number {
  const found = sql.indexOf(terminator, from)
  return found === -1 ? sql.length : found + terminator.length
}

function endOfQuoted(sql: string, start: number, { quote, backslash }: { quote: string; backslash: boolean }): number {
  let at = start + 1
  while (at < sql.length) {
    const character = sql[at]
    if (character === quote) {
      if (sql[at + 1] !== quote) return at + 1
      at += 2
    } else {
      at += backslash && character === '\\' ? 2 : 1
    }
  }
  return sql.length
}

/** The next quote, if only white space with a line break and `--` comments come before it. */
function continuationOf(sql: string, from: number): number | undefined {
  let sawLineBreak = false
  for (let at = from; at < sql.length; at++) {
    const character = sql[at]!
    if (character === '\n' || character === '\r') sawLineBreak = true
    else if (character === "'") return sawLineBreak ? at : undefined
    else if (sql.startsWith('--', at)) {
      while (at + 1 < sql.length && sql[at + 1] !== '\n' && sql[at + 1] !== '\r') at++
    } else if (!' \t\f\v'.includes(character)) return undefined
  }
  return undefined
}
