import { describe, expect, test } from 'vitest'
import { readRefCalls, replaceRefCalls, usesRef } from './ref-calls.ts'

const id = 'k7Qm2xVbNd'

test('reads calls with their positions and values', () => {
  const sql = `select * from ref('${id}') r -- ref('x')
    join REF ( 'abcdefghjk' , country => 'N''L', days := -7, "on" => DATE '2026-01-31', at => TIMESTAMP '2026-01-31 09:00:00',
      isOpen => TRUE, ids => [1, (-2)], names => ('a', 'b'), none => [NULL]) using (n) where note = 'ref(''${id}'')'`
  const { calls, fault } = readRefCalls(sql)
  expect(fault).toBeNull()
  expect(calls.map(({ start, end }) => sql.slice(start, end).slice(0, 12))).toEqual([`ref('k7Qm2xV`, `REF ( 'abcde`])
  expect(calls.map(({ shortId, values }) => ({ shortId, values }))).toEqual([
    { shortId: id, values: {} },
    {
      shortId: 'abcdefghjk',
      values: {
        country: "N'L", days: -7, on: '2026-01-31', at: '2026-01-31T09:00:00', isOpen: true, ids: [1, -2], names: ['a', 'b'], none: [],
      },
    },
  ])
})

test('reads placeholders by their names', () => {
  const { calls } = readRefCalls(`from ref('${id}', country => {{country}}, ids => [{{ids}}], day => {{period.start}})`)
  expect(calls[0]!.values).toEqual({
    country: { placeholder: 'country' },
    ids: { placeholder: 'ids' },
    day: { placeholder: 'period.start' },
  })
})

describe('says why a call cannot be read', () => {
  test.each([
    [`from ref()`, 'id of a saved query'],
    [`from ref({{id}})`, 'id of a saved query'],
    [`from ref('short')`, 'id of a saved query'],
    [`from ref('k7Qm2x{{d}}')`, 'id of a saved query'],
    [`from ref('${id}'`, 'closing parenthesis'],
    [`from ref('${id}', 'NL')`, 'parameters by name'],
    [`from ref('${id}', country = 'NL')`, 'country => value'],
    [`from ref('${id}', country => upper('nl'))`, 'plain value'],
    [`from ref('${id}', n => 1 + 1)`, 'plain values'],
    [`from ref('${id}', n => -'a')`, 'plain value'],
    [`from ref('${id}', n => 1, n => 2)`, 'given twice'],
  ])('%s', (sql, message) => {
    expect(readRefCalls(sql).fault).toEqual({ start: 5, message: expect.stringContaining(message) as string })
  })
})

test.each([
  [`select * from ref('${id}')`, true],
  [`select * from REF('${id}') as r`, true],
  [`select ref('not an id'), ref(1)`, false],
  [`select my.ref('${id}')`, false],
  [`select 'ref(''${id}'')', "ref" -- ref('${id}')`, false],
  [`select preference from orders`, false],
])('finds saved queries in the SQL of any database: %s', (sql, isUsed) => {
  for (const dialect of ['postgres', 'duckdb'] as const) expect(usesRef(sql, dialect)).toBe(isUsed)
})

test('replaces calls without moving anything else', () => {
  const sql = `select ü from ref('${id}', city => 'Zürich') r\njoin ref(\n'${id}'\n) s using (n)`
  const replaced = replaceRefCalls(sql, readRefCalls(sql).calls, ({ start }) => (start < 20 ? `${id}_1` : `${id}_2`))
  for (const after of [' r\n', 'join', ' s using']) {
    expect(placeOf(replaced, after)).toEqual(placeOf(sql, after))
  }
  expect(replaced.replaceAll(/\s+/g, ' ')).toBe(`select ü from "${id}_1" r join "${id}_2" s using (n)`)
})

function placeOf(sql: string, text: string) {
  const lines = sql.slice(0, sql.lastIndexOf(text)).split('\n')
  return { line: lines.length, column: lines.at(-1)!.length }
}
