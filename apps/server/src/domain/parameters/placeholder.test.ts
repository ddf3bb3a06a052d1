import { describe, expect, it } from 'vitest'
import { findPlaceholders, findRangeNames, isParameterName } from './placeholder.ts'

describe('findPlaceholders', () => {
  it.each([
    ['select {{a}}, {{ b }}, {{\n\tc\r\n}}', ['a', 'b', 'c']],
    ['select {{b}}, {{a}}, {{b}}', ['b', 'a']],
    [`select '{{a}}', "{{b}}", $$ {{c}} $$, E'{{d}}'`, ['a', 'b', 'c', 'd']],
    ['select 1 -- {{a}}\n /* {{b}} /* {{c}} */ {{d}} */, {{e}}', ['e']],
    ["select '--', {{a}}, '/*', {{b}}", ['a', 'b']],
    ["select {'a': {'b': 1}}, {{'a': 1}}, {{}}, {{ }}, {{1a}}, {{a b}}, {{a.b}}, {{é}}, {a}, { {a} }", []],
    ['{{{a}}} {{{{b}}}} {{{c}}', ['a', 'b', 'c']],
    [`{{${'a'.repeat(64)}}} {{${'b'.repeat(65)}}}`, ['a'.repeat(64)]],
    ['{{__proto__}} {{constructor}} {{__proto__2}} {{__proto__.start}}', ['constructor', '__proto__2']],
    ["{{ p.start }} '{{q.end}}' {{p.end}} {{r .start}} {{s.START}} {{t.start.end}} {{u.}} {{v.middle}}", ['p', 'q']],
  ])('in %j', (sql, names) => {
    expect(findPlaceholders(sql, 'duckdb')).toEqual(names)
  })

  it('reads comments according to the dialect', () => {
    expect(findPlaceholders('select 1 # {{a}}', 'mysql')).toEqual([])
    expect(findPlaceholders('select 1 # {{a}}', 'postgres')).toEqual(['a'])
    expect(findPlaceholders('select 1 --{{a}}', 'mysql')).toEqual(['a'])
    expect(findPlaceholders('select 1 --{{a}}', 'clickhouse')).toEqual([])
    expect(findPlaceholders('select 1 /*! {{a}} */', 'mysql')).toEqual(['a'])
  })
})

describe('findRangeNames', () => {
  it('returns the names whose days are used', () => {
    const sql = "select {{a}}, {{b.start}}, '{{c.end}}', {{c}} -- {{d.start}}"
    expect(findRangeNames(sql, 'duckdb')).toEqual(new Set(['b', 'c']))
  })
})

describe('isParameterName', () => {
  it.each(['a', '_', 'A1_b', 'constructor', 'a'.repeat(64)])('accepts %s', (name) => {
    expect(isParameterName(name)).toBe(true)
  })
  it.each(['', '1a', 'a-b', 'a b', 'é', '__proto__', 'a\n', 'a'.repeat(65)])('rejects %j', (name) => {
    expect(isParameterName(name)).toBe(false)
  })
})
