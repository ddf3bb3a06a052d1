import { describe, expect, test } from 'vitest'
import { describeResponse, findException } from './clickhouse-failure.ts'

describe('the exception in a response', () => {
  test.each([
    [
      '18.16',
      "Code: 60, e.displayText() = DB::Exception: Table default.nope doesn't exist., e.what() = DB::Exception",
      { code: 60, message: "Table default.nope doesn't exist." },
    ],
    [
      '21.3',
      "Code: 60, e.displayText() = DB::Exception: Table default.nope doesn't exist (version 21.3.1.1)",
      { code: 60, message: "Table default.nope doesn't exist" },
    ],
    [
      '26.9',
      'Code: 47. DB::Exception: Unknown expression identifier `nosuch` in scope SELECT nosuch. (UNKNOWN_IDENTIFIER) (version 26.9.2.1 (official build))\n',
      { code: 47, message: 'Unknown expression identifier `nosuch` in scope SELECT nosuch.' },
    ],
    [
      'followed by a stack trace',
      'Code: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED), Stack trace (when copying this message, always include the lines below):\n\n0. ./src/x.cpp:1\n',
      { code: 241, message: 'Memory limit exceeded.' },
    ],
    [
      'from a lost shard (26.9)',
      'Code: 279. DB::NetException: All connection tries failed. Log: \n\nCode: 210. DB::NetException: Connection refused (ch-2.example:9000). (NETWORK_ERROR) (version 26.9.2.1)\n\n. (ALL_CONNECTION_TRIES_FAILED) (version 26.9.2.1)',
      { code: 279, message: 'All connection tries failed. Log: Connection refused (ch-2.example:9000).' },
    ],
    [
      'from a lost shard (18.16)',
      'Code: 279, e.displayText() = DB::NetException: All connection tries failed. Log: \n\nCode: 32, e.displayText() = Attempt to read after eof, e.what() = Attempt to read after eof\n\n, e.what() = DB::NetException',
      { code: 279, message: 'All connection tries failed. Log: Attempt to read after eof' },
    ],
  ])('%s', (_, text, expected) => {
    expect(findException(text)).toEqual(expected)
  })

  test('is not confused with row data that looks like one', () => {
    const row = '["Code: 60. DB::Exception: Table a.b is missing."]'
    const text = `\n\t\t${row},\n\t\t${row}Code: 395, e.displayText() = DB::Exception: stopped, e.what() = DB::Exception`
    expect(findException(text)).toEqual({ code: 395, message: 'stopped' })
  })
})

describe('the position of an error', () => {
  test.each([
    ['selec 1', 'Syntax error: failed at position 1: selec 1.', { line: 1, column: 1 }],
    ['select 1,\n  2 frob frob 3', 'Syntax error: failed at position 20 (line 2, col 10): frob 3.', { line: 2, column: 10 }],
    // Positions are in bytes; columns are not.
    ["select '😀é', a b c", "Syntax error: failed at position 22 (c): c.", { line: 1, column: 19 }],
  ])('%j', (sql, message, position) => {
    const error = describeResponse(`Code: 62. DB::Exception: ${message} (SYNTAX_ERROR)`, sql)
    expect(error).toMatchObject({ kind: 'failed', position })
    expect(error.message).toContain(`LINE ${position.line}: `)
  })

  test('a long list of expected tokens is left out', () => {
    const all = Array.from({ length: 60 }, (_, index) => `WORD ${index}`).join(', ')
    expect(describeResponse(`Code: 62. DB::Exception: Syntax error: failed at position 1: x. Expected one of: ${all}`, 'x').message).toBe(
      'Syntax error: failed at position 1: x.\n\nLINE 1: x\n        ^',
    )
  })
})

test.each([
  ['Code: 516. DB::Exception: reader: Authentication failed: password is incorrect. (AUTHENTICATION_FAILED)', 'unreachable', 'password is incorrect'],
  ['Code: 193, e.displayText() = DB::Exception: Wrong password for user reader, e.what() = DB::Exception', 'unreachable', 'Wrong password'],
  ['Code: 164. DB::Exception: reader: Cannot execute query in readonly mode. (READONLY)', 'refused', 'they can read tables'],
  ["Code: 164. DB::Exception: Cannot modify 'max_threads' setting in readonly mode. (READONLY)", 'refused', 'no SETTINGS clause'],
  ['Code: 497. DB::Exception: reader: Not enough privileges. (ACCESS_DENIED)', 'refused', 'Not enough privileges'],
  ['Code: 210. DB::NetException: Connection refused (ch-2:9000). (NETWORK_ERROR)', 'unreachable', 'A server of the cluster'],
  ['Code: 159. DB::Exception: Timeout exceeded: elapsed 5 seconds. (TIMEOUT_EXCEEDED)', 'failed', 'elapsed 5 seconds'],
  ['<html>502 Bad Gateway</html>', 'unreachable', 'not the HTTP interface of ClickHouse'],
])('%s is %s', (text, kind, message) => {
  expect(describeResponse(text, 'select 1')).toMatchObject({ kind, message: expect.stringContaining(message) })
})
