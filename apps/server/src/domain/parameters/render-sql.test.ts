import { describe, expect, it } from 'vitest'
import type { Dialect } from '../../model/database.ts'
import { Refusal } from '../refusal.ts'
import type { ParameterDefinition, ParameterType, ParameterValues } from '../../model/parameter.ts'
import { renderSql } from './render-sql.ts'

function definition(name: string, type: ParameterType, defaultValue = ''): ParameterDefinition {
  return { name, displayName: name, type, defaultValue, description: '' }
}

// A Monday.
const now = new Date('2026-11-16T12:00:00Z')

// One parameter of each type, named by its first letter.
const definitions = [
  definition('n', 'number'),
  definition('d', 'date'),
  definition('t', 'timestamp'),
  definition('b', 'boolean'),
  definition('p', 'dateRange'),
  { ...definition('l', 'text'), isList: true },
  { ...definition('ln', 'number'), isList: true },
  { ...definition('ld', 'date'), isList: true },
  { ...definition('lt', 'timestamp'), isList: true },
  { ...definition('lb', 'boolean'), isList: true },
]

function render(sql: string, values: ParameterValues, dialect: Dialect = 'duckdb'): string {
  return renderSql({ sql, dialect, definitions, values, now }).renderedSql
}

function refusal(action: () => unknown): Refusal {
  try {
    action()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was rejected')
}

const time = '2024-01-31T10:30:00.5+01:00'
const rendered: [dialect: Dialect, sql: string, values: ParameterValues, result: string][] = [
  ['duckdb', 'select {{a}}', { a: "O'Brien\\" }, "select 'O''Brien\\'"],
  ['postgres', 'select {{a}}', { a: "O'Brien\\" }, "select 'O''Brien\\'"],
  ['mysql', 'select {{a}}', { a: "O'Brien\\" }, "select 'O''Brien\\\\'"],
  ['clickhouse', 'select {{a}}', { a: "O'Brien\\" }, "select 'O\\'Brien\\\\'"],
  ['duckdb', "E'{{a}}' '{{a}}' \"{{a}}\"", { a: '\'\\"' }, "E'''\\\\\"' '''\\\"' \"'\\\"\"\""],
  ['bigquery', 'select {{a}}', { a: "O'Brien\\" }, "select 'O\\'Brien\\\\'"],
  ['bigquery', "'{{a}}' \"{{a}}\" `{{a}}`", { a: '\'"`\\' }, "'\\'\"`\\\\' \"'\\\"`\\\\\" `'\"\\`\\\\`"],
  ['mysql', "'{{a}}' \"{{a}}\" `{{a}}`", { a: '\'"`\\' }, "'''\"`\\\\' \"'\"\"`\\\\\" `'\"``\\`"],
  ['clickhouse', "'{{a}}' \"{{a}}\" `{{a}}`", { a: '\'"`\\' }, "'\\'\"`\\\\' \"'\\\"`\\\\\" `'\"\\`\\\\`"],
  ['duckdb', '$$ {{a}} $$ $t$ {{a}} $t$', { a: "'$x" }, "$$ '$x $$ $t$ '$x $t$"],
  ['duckdb', '/* {{a}} */ {{a}} -- {{a}}', { a: 'x' }, "/* {{a}} */ 'x' -- {{a}}"],
  ['duckdb', "X'{{a}}' B'{{n}}'", { a: '4f', n: 101 }, "X'4f' B'101'"],
  ['duckdb', 'LIMIT {{n}}', { n: 10 }, 'LIMIT 10'],
  ['duckdb', '5-{{n}} 5--{{n}}', { n: -3 }, '5-(-3) 5--{{n}}'],
  ['mysql', '5-{{n}} 5--{{n}}', { n: -3 }, '5-(-3) 5--(-3)'],
  ['mysql', '--{{a}}', { a: '\nx' }, "--'\nx'"],
  ['duckdb', 'INTERVAL {{n}} DAY, x::{{n}}::int', { n: '1.50' }, 'INTERVAL 1.50 DAY, x::1.50::int'],
  ['duckdb', 'IN ({{a}}, {{c}})', { a: '1', c: '2' }, "IN ('1', '2')"],
  ['duckdb', '{{d}} {{b}}', { d: '2024-01-31', b: false }, "(DATE '2024-01-31') (FALSE)"],
  ['duckdb', '{{t}}', { t: time }, "TIMESTAMP '2024-01-31 09:30:00.5'"],
  ['postgres', "'{{t}}'", { t: time }, "'2024-01-31T09:30:00.5Z'"],
  ['mysql', "'{{t}}' , {{t}}", { t: time }, "'2024-01-31 09:30:00.5' , TIMESTAMP '2024-01-31 09:30:00.5'"],
  ['clickhouse', '{{t}}', { t: time }, "toDateTime64('2024-01-31 09:30:00.5', 6, 'UTC')"],
  ['clickhouse', '{{t}}', { t: '2024-01-31T10:30' }, "toDateTime('2024-01-31 10:30:00', 'UTC')"],
  ['clickhouse', '{{d}}', { d: '2024-01-31' }, "toDate('2024-01-31')"],
  ['clickhouse', '{{d}}', { d: '1901-01-31' }, "toDate32('1901-01-31')"],
  // Two string literals separated only by whitespace would become one.
  ['postgres', "'a'\n{{a}}", { a: 'x' }, "'a'\n('x')"],
  ['postgres', "'a' -- c\n{{a}}", { a: 'x' }, "'a' -- c\n('x')"],
  ['mysql', "{{a}} /**/ 'label'", { a: 'x' }, "('x') /**/ 'label'"],
  ['mysql', '{{a}} {{c}}', { a: 'x', c: 'y' }, "('x') ('y')"],
  ['duckdb', '{{a}}.x', { a: 'x' }, "('x').x"],
  // A value is not scanned for placeholders again.
  ['duckdb', '{{a}}, {{c}}', { a: '{{c}}', c: '{{a}}' }, "'{{c}}', '{{a}}'"],
  ['duckdb', "'{{a}}{{c}}'", { a: '{', c: '{a}}' }, "'{{a}}'"],
  ['duckdb', "{'a': {'b': {{n}}}}", { n: 1 }, "{'a': {'b': 1}}"],
  ['duckdb', "'{{{a}}}'", { a: 'x' }, "'{x}'"],
  ['duckdb', "'open {{a}}", { a: "x' y" }, "'open x'' y"],
  ['mysql', "'\\\\{{a}}' '%\\_{{a}}'", { a: "'" }, "'\\\\''' '%\\_'''"],
  ['duckdb', "E'\\n{{a}}' E'\\\\x{{a}}'", { a: '1' }, "E'\\n1' E'\\\\x1'"],
  ['duckdb', 'select {{ a }}', { a: 5 }, "select '5'"],
  ['duckdb', 'x in ({{l}})', { l: ["it's", 'b\\', '{{l}}'] }, "x in ('it''s', 'b\\', '{{l}}')"],
  ['postgres', 'x in ( {{l}}\n)', { l: ["it's", '), (1'] }, "x in ( 'it''s', '), (1'\n)"],
  ['mysql', 'x in ({{l}})', { l: ["it's", "\\'"] }, "x in ('it''s', '\\\\''')"],
  ['clickhouse', 'x in ({{l}})', { l: ["it's", "\\'"] }, "x in ('it\\'s', '\\\\\\'')"],
  ['duckdb', 'x in ({{ln}}, {{l}}) or y in [{{ld}}]', { ln: [1, -2], l: ['a'], ld: ['2024-01-31'] }, "x in (1, (-2), 'a') or y in [DATE '2024-01-31']"],
  ['clickhouse', '({{ld}}) ({{lt}}) ({{lb}})', { ld: ['2024-01-31', '1901-01-01'], lt: [time], lb: [true, false] },
    "(toDate('2024-01-31'), toDate32('1901-01-01')) (toDateTime64('2024-01-31 09:30:00.5', 6, 'UTC')) (1, 0)"],
  ['postgres', 'x in ({{l}})', { l: 'one' }, "x in ('one')"],
  ...(['duckdb', 'postgres', 'mysql', 'clickhouse'] as const).map(
    (dialect): [Dialect, string, ParameterValues, string] => [dialect, 'x in ({{l}})', { l: [] }, 'x in (NULL)'],
  ),
  ['duckdb', 'd between {{p.start}} and {{ p.end }}', { p: 'last 30 days' }, "d between DATE '2026-10-17' and DATE '2026-11-15'"],
  ['clickhouse', 'd >= {{p.start}}', { p: 'this quarter' }, "d >= toDate('2026-10-01')"],
  ['mysql', "'{{p.start}}' \"{{p.end}}\"", { p: '2024-01-01..2024-01-31' }, "'2024-01-01' \"2024-01-31\""],
  // A range needs no definition in bare SQL, where braces have no other meaning.
  ['postgres', "{{q.start}}, '{{r.start}}'", { q: 'today' }, "DATE '2026-11-16', '{{r.start}}'"],
]

describe('renderSql', () => {
  it.each(rendered)('%s: %j with %j', (dialect, sql, values, result) => {
    expect(render(sql, values, dialect)).toBe(result)
  })

  const touching = ['x{{a}}', '{{a}}x', '1{{a}}', '{{a}}1', 'E{{a}}', 'date{{a}}', "'a'{{a}}", "{{a}}'a'", '{{a}}{{a}}']
  it.each([...touching, '"a"{{a}}', '{{a}}"a"', '_{{a}}', '${{a}}', '@{{a}}', 'x.{{a}}', 'U&{{a}}', '\\{{a}}', 'é{{a}}'])(
    'rejects a bare placeholder that touches its neighbor: %s',
    (sql) => {
      for (const dialect of ['duckdb', 'postgres', 'mysql', 'clickhouse'] as const) {
        const { code, message } = refusal(() => render(`select ${sql}`, { a: '1' }, dialect))
        expect(code).toBe('parameter_invalid')
        expect(message).toContain('"a"')
      }
    },
  )

  it.each([
    ['mysql', "'\\{{a}}'", 'x'],
    ['mysql', '"\\\\\\{{a}}"', 'x'],
    ['clickhouse', '`\\{{a}}`', 'x'],
    ['clickhouse', "'\\x{{a}}'", '41'],
    ['clickhouse', "'\\x4{{a}}'", '1'],
    ['duckdb', "E'\\{{a}}'", "'"],
    ['postgres', "E'\\x{{a}}'", '41'],
    ['postgres', "E'\\1{{a}}'", '01'],
    ['postgres', "E'\\u004{{a}}'", '1'],
    ['postgres', "E'\\U0000004{{a}}'", '1'],
    ['postgres', "U&'{{a}}'", 'x'],
    ['postgres', 'U&"{{a}}"', 'x'],
    ['postgres', "X'{{a}}'", "4'"],
    ['mysql', "b'{{a}}'", '2'],
    ['mysql', '/*! {{a}} */ 1', 'x'],
    ['mysql', '/*! x */ {{a}}', 'x'],
    ['mysql', '$$ {{a}} $$', 'x'],
    ['clickhouse', '/* /* */ {{a}} */', 'x'],
    ['clickhouse', '‘{{a}}’', 'x'],
    ['clickhouse', '$a b$ {{a}} $a b$', 'x'],
    ['duckdb', '$$ {{a}} $$', 'x $$ y'],
    ['duckdb', '$$ {{a}}$$', 'x$'],
    ['duckdb', '$${{a}}$$', '$'],
    ['duckdb', '$t$ ${{a}}$ $t$', 't'],
    ['duckdb', '$t${{a}}t$ $t$', '$'],
    ['duckdb', '$${{a}}$ x', 'v$'],
    ['clickhouse', '$t$ {{a}} $t$', '$t$'],
    ['duckdb', "select /* don't */ {{a}}", 'a\u00a0b'],
    ['duckdb', "select E'\\'', {{a}}", 'a\u00a0b'],
    ['duckdb', 'select \0 {{a}}', 'a'],
  ] as const)('rejects in %s: %j with %j', (dialect, sql, a) => {
    expect(refusal(() => render(sql, { a }, dialect)).code).toBe('parameter_invalid')
  })

  it.each([
    ['{{l}}', { l: ['a'] }, 'in ({{l}})'],
    ['x = {{l}}', { l: [] }, 'in ({{l}})'],
    ['limit {{ln}}', { ln: [1, 2] }, 'in ({{ln}})'],
    ["('{{l}}')", { l: ['a'] }, 'inside quotes'],
    ['("{{l}}")', { l: ['a'] }, 'inside quotes'],
    ['($${{l}}$$)', { l: [] }, 'inside quotes'],
    ['({{p}})', { p: 'today' }, '{{p.start}} and {{p.end}}'],
    ["'{{p}}'", { p: 'today' }, '{{p.start}} and {{p.end}}'],
    ['{{n.start}}', { n: 1 }, 'not a date range'],
    ['{{p.start}}x', { p: 'today' }, 'touches'],
    ['{{p.start}}', { p: 'last few days' }, 'last 30 days'],
    ['{{d}}', { d: 'yesterday' }, 'YYYY-MM-DD'],
  ] as [string, ParameterValues, string][])('rejects %s with %j and says why', (sql, values, reason) => {
    const { code, message } = refusal(() => render(sql, values, 'postgres'))
    expect([code, message]).toEqual(['parameter_invalid', expect.stringContaining(reason)])
  })

  it('rejects a list for a parameter that takes a single value', () => {
    const { code, details } = refusal(() => render('{{n}}', { n: [1] }))
    expect([code, details?.[0]?.path]).toEqual(['invalid_request', '/parameterValues/n'])
    expect(refusal(() => render('{{p.start}}', { p: ['today'] })).code).toBe('invalid_request')
  })

  it('keeps a relative range in the values of the run, and uses defaults of lists and ranges', () => {
    const { renderedSql, parameterValues, parameterTypes } = renderSql({
      sql: 'select {{period.start}} where x in ({{list}}) and y in ({{none}})',
      dialect: 'postgres',
      now,
      definitions: [
        definition('period', 'dateRange', 'Last 2 Days'),
        { ...definition('list', 'number', '[1,"2"]'), isList: true },
        { ...definition('none', 'text', '[]'), isList: true },
      ],
      values: {},
    })
    expect(renderedSql).toBe("select DATE '2026-11-14' where x in (1, 2) and y in (NULL)")
    expect(parameterValues).toEqual({ period: 'last 2 days', list: [1, 2], none: [] })
    expect(parameterTypes).toEqual({ period: 'dateRange', list: 'number', none: 'text' })
    expect(refusal(() => render('x in ({{l}})', {})).code).toBe('parameter_missing')
    expect(refusal(() => render('{{p.end}}', {})).code).toBe('parameter_missing')
    expect(refusal(() => render('{{other.end}}', {})).code).toBe('parameter_missing')
  })

  it('rejects a date that ClickHouse would silently change', () => {
    expect(refusal(() => render('{{d}}', { d: '1899-12-31' }, 'clickhouse')).message).toContain('1900 to 2299')
    expect(refusal(() => render('{{t}}', { t: '2300-01-01T00:00:00Z' }, 'clickhouse')).code).toBe('parameter_invalid')
  })

  it('returns the effective values and types of the placeholders that occur', () => {
    const result = renderSql({
      sql: "select {{n}}, '{{free}}', {{since}}, {{constructor}} -- {{unused}}",
      dialect: 'duckdb',
      now,
      definitions: [
        definition('n', 'number', '7'),
        definition('since', 'date', '2024-01-01'),
        definition('unused', 'boolean'),
        definition('constructor', 'text'),
      ],
      values: { n: '12345678901234567890', free: 'x', unused: true },
    })
    expect(result).toEqual({
      renderedSql: "select 12345678901234567890, 'x', DATE '2024-01-01', '' -- {{unused}}",
      parameterValues: { n: '12345678901234567890', free: 'x', since: '2024-01-01', constructor: '' },
      parameterTypes: { n: 'number', free: 'text', since: 'date', constructor: 'text' },
    })
  })

  it('leaves SQL without placeholders unchanged', () => {
    const sql = "select 'a', $$ b $$, {'a': {'b': 1}} /* {{c}} */"
    expect(renderSql({ sql, dialect: 'duckdb', definitions: [], values: {}, now })).toEqual({
      renderedSql: sql,
      parameterValues: {},
      parameterTypes: {},
    })
  })

  it('names missing, unknown and invalid parameters', () => {
    const missing = refusal(() => render('select {{n}}', {}))
    expect([missing.code, missing.message]).toEqual(['parameter_missing', expect.stringContaining('"n"')])
    expect(refusal(() => render('select {{toString}}', {})).code).toBe('parameter_missing')
    const unknown = refusal(() => render('select 1 -- {{ghost}}', { ghost: 1 }))
    expect([unknown.code, unknown.message]).toEqual(['parameter_invalid', expect.stringContaining('"ghost"')])
    const unfit = refusal(() => render('select 1', { n: 'many' }))
    expect([unfit.code, unfit.message]).toEqual(['parameter_invalid', expect.stringContaining('"n"')])
  })

  it('rejects unbounded growth', () => {
    const sql = `select '${'{{a}}'.repeat(1000)}'`
    expect(refusal(() => render(sql, { a: 'x'.repeat(100_000) })).message).toContain('shorter')
  })
})
