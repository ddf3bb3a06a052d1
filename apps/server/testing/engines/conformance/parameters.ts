import { expect } from 'vitest'
import type { ParameterType, ParameterValue } from '../../../src/model/parameter.ts'
import { renderSql } from '../../../src/domain/parameters/render-sql.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { syntaxOf } from '../../../src/engines/registry/definitions.ts'
import type { Dialect } from '../../../src/model/database.ts'
import { readAll } from './reading.ts'
import type { Suite, TextPlace } from './subject.ts'

/** Texts that could end a literal, a name or a comment in some database. */
const texts = [
  '', 'plain', "'", "''", '"', '""', '`', '``', '\\', "\\'", '\\\\', '\\"', '--', '-- ', '#', '/*', '*/',
  '/*! 1 */', '$$', '$t$', '$', ';', '\n', '\r\n', '\t', '\u00a0', '\u3000', '\ufeff', '\u2028', 'é', '\u{1f600}', '\u0301',
  '%', '_', '?', ':a', '@a', '{{a}}', '{{b}}', '{a}', "'; drop table digits; --", "' or '1'='1", '" or 1=1 --', '` or 1=1 #',
  'x41', 'u0041', "E'", "U&'", '(', ')', ',', '\\x41', '\\u0041',
  "a' -- \n union select 1 '", '*/ union select 1 /*',
]

const anywhere = (quoteInString: string): TextPlace[] => [
  { expression: '{{a}}', expected: (text) => text },
  { expression: "'{{a}}'", expected: (text) => text },
  { expression: `'it${quoteInString}s {{a}} - {{a}}.'`, expected: (text) => `it's ${text} - ${text}.` },
  { expression: "concat({{a}}, '\"', {{a}})", expected: (text) => `${text}"${text}` },
  { expression: '{{a}} -- \' {{a}} "\n', expected: (text) => text },
]

type Parameters = Record<string, [type: ParameterType, value: ParameterValue]>

/** Undefined if rendering is refused. */
function render(dialect: Dialect, sql: string, parameters: Parameters): string | undefined {
  try {
    return renderSql({
      sql,
      dialect,
      now: new Date('2026-11-16T12:00:00Z'),
      definitions: Object.entries(parameters).map(([name, [type]]) => ({
        name, type, displayName: '', defaultValue: '', description: '', isList: Array.isArray(parameters[name]![1]),
      })),
      values: Object.fromEntries(Object.entries(parameters).map(([name, [, value]]) => [name, value])),
    }).renderedSql
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

const hexOf = (text: string) => Buffer.from(text).toString('hex').toUpperCase()

export function parameterTests({ engine, sql, it }: Suite): void {
  it('returns text parameters unchanged from every position in a statement', async () => {
    const { dialect } = engine()
    const places = anywhere(sql.quoteInString)
    let refusedCount = 0
    for (const text of texts) {
      // One statement for all positions that are never refused, which makes the test much faster.
      const sure = `select 11, ${places.map(({ expression }) => `${expression}\n`).join(', ')}, 22`
      const rendered = render(dialect, sure, { a: ['text', text] })
      expect(rendered, JSON.stringify(text)).toBeDefined()
      const values = places.map(({ expected }) => expected(text))
      expect((await readAll(engine(), rendered!)).rows, rendered).toEqual([[11, ...values, 22]])
      for (const { expression, expected } of sql.textPlaces) {
        const sql = render(dialect, `select 11, ${expression}\n, 22`, { a: ['text', text] })
        if (sql === undefined) {
          refusedCount++
          continue
        }
        expect((await readAll(engine(), sql)).rows, sql).toEqual([[11, expected(text), 22]])
      }
    }
    expect(refusedCount).toBeLessThan(texts.length)
  })

  it('returns text parameters unchanged as column names', async () => {
    const { dialect } = engine()
    const { quote } = syntaxOf(dialect).names
    let readCount = 0
    for (const text of texts) {
      // Some databases do not accept every character in a name, or drop trailing spaces.
      if (/[\u{10000}-\u{10ffff}]|[\s\u00a0\ufeff]$/u.test(text)) continue
      const sql = render(dialect, `select 11 as ${quote}c {{a}}${quote}, 22 as last`, { a: ['text', text] })
      if (sql === undefined) continue
      const { fields, rows } = await readAll(engine(), sql)
      expect(rows).toEqual([[11, 22]])
      expect(fields.map((field) => field.name)).toEqual([`c ${text}`, 'last'])
      readCount++
    }
    expect(readCount).toBeGreaterThan(texts.length / 2)
  })

  it('compares with exactly the elements of a list parameter', async () => {
    const { dialect } = engine()
    const elements = texts.filter((text) => text.trim() === text)
    for (let at = 0; at < elements.length; at += 9) {
      const list = elements.slice(at, at + 9)
      const each = list.map((_, index) => `select {{v${index}}} as v`).join(' union all ')
      const values = Object.fromEntries(list.map((text, index) => [`v${index}`, ['text', text] as [ParameterType, string]]))
      const rendered = render(
        dialect,
        `select ${sql.hexOfText} as h from (${each} union all select 'none of them') s where v in ({{list}}) order by h`,
        { ...values, list: ['text', list] },
      )
      const { rows } = await readAll(engine(), rendered!)
      expect(rows.map(([hex]) => hex), rendered).toEqual(list.map(hexOf).toSorted())
    }
    const nothing = render(dialect, 'select n from digits where n in ({{none}})', { none: ['number', []] })
    expect((await readAll(engine(), nothing!)).rows).toEqual([])
    const some = render(dialect, 'select n from digits where n in ({{some}}) order by n', { some: ['number', ['3', 1, 30]] })
    expect((await readAll(engine(), some!)).rows).toEqual([[1], [3]])
  })

  it('compares dates with the days of a range', async () => {
    const { dialect } = engine()
    const sql = render(
      dialect,
      "select n from digits where n < 2 and {{day}} between {{period.start}} and {{period.end}} and '{{period.end}}' = '2026-10-31' order by n",
      { day: ['date', '2026-10-31'], period: ['dateRange', 'previous month'] },
    )
    expect((await readAll(engine(), sql!)).rows).toEqual([[0], [1]])
  })

  it('returns numbers, dates, timestamps and booleans unchanged', async () => {
    const { dialect } = engine()
    const rendered = render(
      dialect,
      `select {{n}}, 5-{{n}}, '{{n}}', {{d}}, '{{d}}', {{t}}, {{b}} from digits where n < {{one}}`,
      {
        n: ['number', '-1.5'],
        d: ['date', '2026-01-05'],
        t: ['timestamp', '2026-01-05T09:00:00Z'],
        b: ['boolean', 'true'],
        one: ['number', '1'],
      },
    )
    const { rows } = await readAll(engine(), rendered!)
    expect(rows).toHaveLength(1)
    const [number, difference, text, date, dateText, timestamp, boolean] = rows[0]!
    expect([Number(number), Number(difference), text]).toEqual([-1.5, 6.5, '-1.5'])
    expect([date, dateText, timestamp]).toEqual(['2026-01-05', '2026-01-05', sql.timestampParameter])
    expect([true, 1]).toContain(boolean)
  })
}
