import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../model/database.ts'
import { syntaxOf } from '../registry/definitions.ts'
import { lex } from './lex.ts'
import type { Position } from './lexical-rules.ts'

function short(position: Position): string {
  switch (position.kind) {
    case 'string':
    case 'identifier':
      return position.kind + (position.backslash ? '\\' : '')
    case 'digits':
      return position.base
    case 'unclear':
      return 'unclear'
    default:
      return position.kind
  }
}

/** The quoted, commented and unclear segments as `kind:text`, without bare text. */
function read(sql: string, dialect: Dialect): string[] {
  const segments = lex(sql, syntaxOf(dialect).lexicalRules)
  expect(segments.map(({ start, end }) => sql.slice(start, end)).join('')).toBe(sql)
  return segments
    .filter(({ position }) => position.kind !== 'bare')
    .map(({ start, end, position }) => `${short(position)}:${sql.slice(start, end)}`)
}

const postgresLike: [sql: string, segments: string[]][] = [
  ["'a''b' x 'c'", ["string:'a''b'", "string:'c'"]],
  ["'a\\' x 'c'", ["string:'a\\'", "string:'c'"]],
  ["E'a\\'b' e'\\\\'", ["string\\:'a\\'b'", "string\\:'\\\\'"]],
  ["xE'a\\'", ["string:'a\\'"]],
  ["N'a\\'", ["string:'a\\'"]],
  ["E'a'\n'\\'b' 'c\\'", ["string\\:'a'", "string\\:'\\'b'", "string:'c\\'"]],
  ["E'a' -- x'\n '\\'b'", ["string\\:'a'", "comment:-- x'", "string\\:'\\'b'"]],
  ["E'a' /**/\n'b\\'", ["string\\:'a'", 'comment:/**/', "string:'b\\'"]],
  ["E'a' 'b\\'", ["string\\:'a'", "string:'b\\'"]],
  ["U&'\\0041' u&\"\\0041\" U & 'x'", ["unicode:'\\0041'", 'unicode:"\\0041"', "string:'x'"]],
  ["X'41' b'01' ax'4\\'", ["hexadecimal:'41'", "binary:'01'", "string:'4\\'"]],
  ["X'4''1'", ["hexadecimal:'4'", "string:'1'"]],
  ['"a""b" "c\\"', ['identifier:"a""b"', 'identifier:"c\\"']],
  ['`a', []],
  ['-- a\r1 -- b\n2', ['comment:-- a', 'comment:-- b']],
  ['1--2', ['comment:--2']],
  ['/* a /* b */ c */ d', ['comment:/* a /* b */ c */']],
  ['/*/ */ x', ['comment:/*/ */']],
  ['5*/*c*/3', ['comment:/*c*/']],
  ["$$a'b$$ $t$ $$ $t$", ["dollar:$$a'b$$", 'dollar:$t$ $$ $t$']],
  ['$T$ $t$ $T$', ['dollar:$T$ $t$ $T$']],
  ['a$$b c$t$d', []],
  ['$1 $2$$a$$', ['dollar:$$a$$']],
  ["$a 'x' b$c$", ["string:'x'"]],
  ['1$$a$$ 1e5$$b$$ 1_0$$c$$', ['dollar:$$a$$', 'dollar:$$b$$', 'dollar:$$c$$']],
  ["# 'a", ["string:'a"]],
  ["'open", ["string:'open"]],
  ['/* open', ['comment:/* open']],
  ['$$ open $', ['dollar:$$ open $']],
  ["E'open\\", ["string\\:'open\\"]],
]

const tables: Record<Dialect, [sql: string, segments: string[]][]> = {
  postgres: [...postgresLike, ["x\u00a0E'\\'", ["string:'\\'"]]],
  duckdb: [
    ...postgresLike,
    ["x\u00a0 E'\\''", ["string\\:'\\''"]],
    ["x\u00a0E'\\'", ["unclear:\u00a0E'\\'"]],
    ['x\u3000y$$', ['unclear:\u3000y$$']],
    ['$_\u00a0$', ['unclear:$_\u00a0$']],
  ],
  mysql: [
    ["'a''b' 'c\\'d' \"e\\\"f\" `g``h\\`", ["string\\:'a''b'", "string\\:'c\\'d'", 'string\\:"e\\"f"', 'identifier:`g``h\\`']],
    ["_utf8'a\\'' N'b\\''", ["string\\:'a\\''", "string\\:'b\\''"]],
    ["x'41' B'01' ax'4\\''", ["hexadecimal:'41'", "binary:'01'", "string\\:'4\\''"]],
    ['5--3 -- c\n--\td\n--', ['comment:-- c', 'comment:--\td', 'comment:--']],
    ["--\u00a0'a'", ["string\\:'a'"]],
    ['# a\r b\nc', ['comment:# a\r b']],
    ['/* a /* b */ c', ['comment:/* a /* b */']],
    ["1 /*! 'a' */", ["unclear:/*! 'a' */"]],
    ['1 /*M! a */', ['unclear:/*M! a */']],
    ['/*+ MAX(1) */ a', ['comment:/*+ MAX(1) */']],
    ["/*+ `*/ ' */", ["unclear:/*+ `*/ ' */"]],
    ['a$$b', []],
    ['$$a$$', ['unclear:$$a$$']],
    ["E'a\\''", ["string\\:'a\\''"]],
  ],
  clickhouse: [
    ["'a''b' 'c\\'d' \"e\\\"f\" `g\\`h`", ["string\\:'a''b'", "string\\:'c\\'d'", 'identifier\\:"e\\"f"', 'identifier\\:`g\\`h`']],
    ["x'41' b'01'", ["hexadecimal:'41'", "binary:'01'"]],
    ['1--2\r3\n4 // c\n5', ['comment:--2\r3', 'comment:// c']],
    ["# a\n#! b\n#'c'", ['comment:# a', 'comment:#! b', "string\\:'c'"]],
    ['/* a */ b', ['comment:/* a */']],
    ['/* a /* b */ c */', ['unclear:/* a /* b */ c */']],
    ["$$a'b$$ $t1$ ' $t1$", ["dollar:$$a'b$$", "dollar:$t1$ ' $t1$"]],
    ['a$$b', []],
    ["1a$$'$$", ["dollar:$$'$$"]],
    ["$ 'a' $ 'b'", ["unclear:$ 'a' $ 'b'"]],
    ['$$ open', ['unclear:$$ open']],
    ["‘a' ’", ["unclear:‘a' ’"]],
  ],
}

describe('lex', () => {
  for (const [dialect, table] of Object.entries(tables) as [Dialect, [string, string[]][]][]) {
    it.each(table)(`reads as ${dialect}: %j`, (sql, segments) => {
      expect(read(sql, dialect)).toEqual(segments)
    })
  }
})
