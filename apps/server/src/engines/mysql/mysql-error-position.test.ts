import { describe, expect, test } from 'vitest'
import { positionOf } from './mysql-error-position.ts'

const syntax = (sql: string, rest: string, line: number) =>
  positionOf({
    errno: 1064,
    message: `You have an error in your SQL syntax; check the manual that … to use near '${rest}' at line ${line}`,
    sql,
  })

describe('the position of a syntax error', () => {
  test('is where the quoted text begins on the reported line', () => {
    expect(syntax('selec 1', 'selec 1', 1)).toEqual({ line: 1, column: 1 })
    expect(syntax('select 1\nfrm t', 'frm t', 2)).toEqual({ line: 2, column: 1 })
    expect(syntax('select 1 frm\nwhere 1 frm\nwhere 1', 'frm\nwhere 1', 2)).toEqual({ line: 2, column: 9 })
    expect(syntax("select 'it''s' 'a' b c", 'c', 1)).toEqual({ line: 1, column: 22 })
    expect(syntax('select 1 c c c;\n', 'c c', 1)).toEqual({ line: 1, column: 12 })
  })

  test('counts leading lines that the server skips', () => {
    expect(syntax('\n\n  selec 1', 'selec 1', 1)).toEqual({ line: 3, column: 3 })
  })

  test('is the end of the statement when the quoted text is empty', () => {
    expect(syntax('select 1 +\n', '', 1)).toEqual({ line: 1, column: 11 })
  })

  test('is found from a truncated quotation', () => {
    expect(syntax('select a from t frm t', 'frm...', 1)).toEqual({ line: 1, column: 17 })
    expect(syntax('select 1 é é', 'é \ufffd', 1)).toEqual({ line: 1, column: 10 })
  })

  test('is the start of the line when the quotation is not found, and null when there is no such line', () => {
    expect(syntax('select 1\nfrom t', 'elsewhere', 2)).toEqual({ line: 2, column: 1 })
    expect(syntax('select 1', 'elsewhere', 7)).toBeNull()
    expect(positionOf({ errno: 1064, message: 'Something else', sql: 'select 1' })).toBeNull()
  })
})

describe('the position of a name', () => {
  const unknownColumn = (sql: string, name: string) =>
    positionOf({ errno: 1054, message: `Unknown column '${name}' in 'SELECT'`, sql })

  test('is where it occurs, bare or quoted, but not in a string or comment', () => {
    expect(unknownColumn('select a,\n  Nope from t', 'Nope')).toEqual({ line: 2, column: 3 })
    expect(unknownColumn('select `no pe` from t', 'no pe')).toEqual({ line: 1, column: 8 })
    expect(unknownColumn("select 'nope', nope -- nope", 'nope')).toEqual({ line: 1, column: 16 })
    expect(unknownColumn('select t.nope from t', 't.nope')).toEqual({ line: 1, column: 10 })
    const missingTable = { errno: 1146, message: "Table 'shop.nosuch' doesn't exist", sql: 'select * from nosuch' }
    expect(positionOf(missingTable)).toEqual({ line: 1, column: 15 })
  })

  test('is null when it occurs nowhere or twice, and for other errors', () => {
    expect(unknownColumn('select * from a_view', 'nope')).toBeNull()
    expect(unknownColumn('select nope, nope from t', 'nope')).toBeNull()
    expect(positionOf({ errno: 1365, message: 'Division by 0', sql: 'select 1/0' })).toBeNull()
  })
})
