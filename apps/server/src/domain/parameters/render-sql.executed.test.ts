import { DuckDBInstance } from '@duckdb/node-api'
import * as fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createDatabase } from '../../../testing/store/create-database.ts'
import { Refusal } from '../refusal.ts'
import { checkValue } from './check-value.ts'
import type { ParameterType, ParameterValue } from '../../model/parameter.ts'
import { renderSql } from './render-sql.ts'

/**
 * Values of every kind in every position, sent to real databases: each must come back unchanged and have no other effect.
 * `PARAMETER_RUNS=20` tries twenty times as many.
 */
const runsFactor = Number(process.env['PARAMETER_RUNS'] ?? 1)

type Row = Record<string, unknown>
interface Database {
  dialect: 'duckdb' | 'postgres'
  /** Runs exactly one statement; more than one is an error. */
  rows(sql: string): Promise<Row[]>
  /** Returns the bytes of a text, because drivers drop a leading byte order mark. */
  hexOf(expression: string): string
  close(): Promise<void>
}

async function openDuckdb(): Promise<Database> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  return {
    dialect: 'duckdb',
    async rows(sql) {
      const statements = await connection.extractStatements(sql)
      expect(statements.count).toBe(1)
      return (await connection.runAndReadAll(sql)).getRowObjectsJson()
    },
    hexOf: (expression) => `hex(encode(${expression}))`,
    close: async () => instance.closeSync(),
  }
}

/** A server, which takes a fraction of the embedded store's CPU time. */
async function openPostgres(): Promise<Database> {
  const client = new pg.Client(await createDatabase(inject('postgresUrl')))
  await client.connect()
  return {
    dialect: 'postgres',
    // The extended protocol, which accepts only one statement.
    rows: async (sql) => (await client.query<Row>({ text: sql, queryMode: 'extended' } as pg.QueryConfig)).rows,
    hexOf: (expression) => `encode(convert_to(${expression}, 'UTF8'), 'hex')`,
    close: () => client.end(),
  }
}

const fragments = [
  "'", "''", '"', '""', '\\', "\\'", '\\\\', '--', '-- ', '/*', '*/', '$$', '$t$', '$', 't$', '{{', '}}', '{{a}}', '{{b}}',
  '{{x}}', ';', '\n', '\r\n', '\t', '\u00a0', '\u2003', '\u3000', '\ufeff', '\u2028', 'é', '😀', '\u0301', '%', '_', '`', '#',
  ' union select 1', "'; drop table t; --", "' or '1'='1", 'x41', 'u0041', '101', "E'", "U&'", '(', ')', ',', '',
]
const hostileText = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...fragments) }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) }), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''))
  .filter((text) => !text.includes('\0') && text.isWellFormed())

/** Monday, November 16, 2026. */
const now = new Date('2026-11-16T12:00:00Z')
const two = (value: number) => String(value).padStart(2, '0')

/** A select of one value between two sentinels; `expected` is the value returned for the texts a and b. */
interface Place {
  expression: string
  expected: (a: string, b: string) => string
  /** Some values have no safe form here. */
  mayRefuse?: boolean
}

const places: Place[] = [
  { expression: '{{a}}', expected: (a) => a },
  { expression: '({{a}}||{{b}})', expected: (a, b) => a + b },
  { expression: "'{{a}}'", expected: (a) => a },
  { expression: "'{{a}}{{b}}'", expected: (a, b) => a + b },
  { expression: "'it''s {{a}} \\{{b}}\\'", expected: (a, b) => `it's ${a} \\${b}\\` },
  { expression: "'x'\n'{{a}}' --'\n '{{b}}'", expected: (a, b) => `x${a}${b}` },
  { expression: "E'{{a}}\\n{{b}}'", expected: (a, b) => `${a}\n${b}` },
  { expression: "E'\\\\{{a}}'\n'{{b}}\\\\'", expected: (a, b) => `\\${a}${b}\\`, mayRefuse: true },
  { expression: "E'\\'{{a}}{{b}}'", expected: (a, b) => `'${a}${b}`, mayRefuse: true },
  { expression: '$${{a}} {{b}}$$', expected: (a, b) => `${a} ${b}`, mayRefuse: true },
  { expression: '$t${{a}}t$ {{b}} $t$', expected: (a, b) => `${a}t$ ${b} `, mayRefuse: true },
  { expression: "concat({{a}}, '\"', {{b}}) /* ' /* {{a}} */ \" {{b}} */", expected: (a, b) => `${a}"${b}`, mayRefuse: true },
  { expression: 'replace({{a}}, {{b}}, {{b}}) -- \' {{a}}\n', expected: (a) => a },
]

describe.each([
  ['duckdb', openDuckdb],
  ['postgres', openPostgres],
] as const)('values in %s', (_, open) => {
  let database: Database
  beforeAll(async () => {
    database = await open()
  })
  afterAll(() => database.close())

  /** Undefined if rejected. */
  function render(sql: string, parameters: Record<string, [ParameterType, ParameterValue]>): string | undefined {
    try {
      return renderSql({
        sql,
        dialect: database.dialect,
        now,
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

  it.each(places)('text is returned unchanged from $expression', async ({ expression, expected, mayRefuse }) => {
    let executedCount = 0
    await fc.assert(
      fc.asyncProperty(hostileText, hostileText, async (a, b) => {
        const template = `select 11 as first, ${database.hexOf(`${expression}\n`)} as value, 22 as last`
        const sql = render(template, { a: ['text', a], b: ['text', b] })
        if (mayRefuse) fc.pre(sql !== undefined)
        const [row, ...others] = await database.rows(sql!)
        expect(others).toEqual([])
        expect(row).toMatchObject({ first: 11, last: 22 })
        expect(Buffer.from(row!['value'] as string, 'hex').toString()).toBe(expected(a, b))
        executedCount++
      }),
      { seed: 20260105, numRuns: 60 * runsFactor, maxSkipsPerRun: 20 },
    )
    expect(executedCount).toBeGreaterThanOrEqual(60 * runsFactor)
  })

  it('text is returned as the name of a column', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, async (a) => {
        // PostgreSQL truncates names to 63 bytes.
        fc.pre(Buffer.byteLength(`c ${a}`) <= 63)
        const sql = render('select 11 as first, "c {{a}}", 22 as last from (select 1 as "c {{a}}") s', { a: ['text', a] })
        expect(await database.rows(sql!)).toEqual([{ first: 11, [`c ${a}`]: 1, last: 22 }])
      }),
      { seed: 20260105, numRuns: 80 * runsFactor, maxSkipsPerRun: 50 },
    )
  })

  it('a value changes nothing but itself, whatever surrounds a bare placeholder', async () => {
    const before = fc.constantFrom(
      '', ' ', '(', "'p'||", "E'p\\n'||", '-- \'\n', '/* \' */', '$$p$$||', 'upper(', "concat('p',", '\u00a0', "'p'\n", "'p' ", "E'p'\n",
      'x', 'E', 'e ', 'N', 'U&', 'X ', 'B', "'p'", '"p"', '1', '-', '- -', '--', '/', '*', '/*', '*/', '$', '$$', '$t$', '.', '@',
      ',', "||'", '{', '}', 'date ', 'interval ', '::', '[',
    )
    const after = fc.constantFrom(
      '', ' ', "||'s'", "||$$s$$", '--c', '/*c*/', ')', ' as s', ' s', ', 33', "\n's'", " 's'", "'s'", '"s"', ' "s"', '1', '.s', '::text',
      '::varchar', '$', '$$', '[1]', '}', '--', '/*', ' or 1=1', '\\',
    )
    let refusedCount = 0
    let answeredCount = 0
    await fc.assert(
      fc.asyncProperty(before, hostileText, after, async (before, a, after) => {
        const template = `select 11 as first, 'v' as v, ${before}{{a}}${after}\n, 22 as last`
        const sql = render(template, { a: ['text', a] })
        const harmless = render(template, { a: ['text', 'z'] })
        if (sql === undefined || harmless === undefined) {
          refusedCount++
          return
        }
        const [answer, harmlessAnswer] = [await answerOf(sql), await answerOf(harmless)]
        if (answer === undefined) return
        answeredCount++
        expect(answer).toMatchObject([{ first: 11, v: 'v', last: 22 }])
        expect(Object.keys(answer[0]!).length).toBe(Object.keys(harmlessAnswer![0]!).length)
      }),
      { seed: 20260105, numRuns: 600 * runsFactor },
    )
    expect(refusedCount).toBeGreaterThan(120 * runsFactor)
    expect(answeredCount).toBeGreaterThan(40 * runsFactor)
  })

  /** Undefined if the database rejects the statement. */
  async function answerOf(sql: string): Promise<Row[] | undefined> {
    try {
      return await database.rows(sql)
    } catch {
      return undefined
    }
  }

  it('the elements of a list are returned unchanged, and nothing else', async () => {
    const places = ['({{a}})', "('p', {{a}})", '(\n{{a}} , $$p$$)', '({{a}}) -- {{a}}\n', "({{a}}) /* ' */"]
    let executedCount = 0
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(hostileText, { minLength: 1, maxLength: 4 }), hostileText, fc.constantFrom(...places), async (a, b, place) => {
        // The values to search come from a parameter, so that each database compares what it has read with what it has read.
        const searched = [...a, `${b}-other`].map((_, index) => `select {{v${index}}} as v, ${index} as number`).join(' union all ')
        const values = Object.fromEntries([...a, `${b}-other`].map((text, index) => [`v${index}`, ['text', text] as [ParameterType, string]]))
        const sql = render(`select number, v in ${place} as found from (${searched}) s order by number`, { ...values, a: ['text', a] })
        // DuckDB would change a special space here, so such values are refused.
        if (/[/$]/.test(place)) fc.pre(sql !== undefined)
        const rows = await database.rows(sql!)
        expect(rows.map(({ number }) => Number(number))).toEqual([...a, 'other'].map((_, index) => index))
        const isOther = a.includes(`${b}-other`)
        expect(rows.map(({ found }) => found)).toEqual([...a.map(() => true), isOther])
        executedCount++
      }),
      { seed: 20260105, numRuns: 60 * runsFactor, maxSkipsPerRun: 20 },
    )
    expect(executedCount).toBeGreaterThanOrEqual(60 * runsFactor)
  })

  it('the elements of lists of every type are compared as that type, and an empty list matches nothing', async () => {
    const sql = render(
      `select 1.5 in ({{n}}) as n, date '2024-02-29' in ({{d}}) as d, timestamp '2024-02-29 10:00:00' in ({{t}}) as t,
        true in ({{b}}) as b, coalesce('x' in ({{e}}), false) as e`,
      {
        n: ['number', [-1, '1.5']],
        d: ['date', ['2024-02-28', '2024-02-29']],
        t: ['timestamp', ['2024-02-29T11:00:00+01:00']],
        b: ['boolean', [false, true]],
        e: ['text', []],
      },
    )
    expect(await database.rows(sql!)).toEqual([{ n: true, d: true, t: true, b: true, e: false }])
  })

  it('the days of a range are dates', async () => {
    const text = database.dialect === 'duckdb' ? 'varchar' : 'text'
    const sql = render(
      `select ({{p.end}} - {{p.start}})::${text} as days, {{p.start}}::${text} as first, '{{p.end}}' as last, date '2026-11-01' between {{p.start}} and {{p.end}} as found`,
      { p: ['dateRange', 'last 30 days'] },
    )
    expect(await database.rows(sql!)).toEqual([{ days: '29', first: '2026-10-17', last: '2026-11-15', found: true }])
  })

  it('numbers are returned unchanged, and no sign becomes a comment', async () => {
    const number = fc.oneof(
      fc.integer({ min: -1_000_000, max: 1_000_000 }).map(String),
      fc.tuple(fc.constantFrom('', '-'), fc.nat(), fc.nat()).map(([sign, whole, part]) => `${sign}${whole}.${part}`),
      fc.constantFrom('-0', '-1', '0.1', '-12345678901234567890.123', '1e6', '-1e-6', '1.50', '.5'),
    )
    const text = database.dialect === 'duckdb' ? 'varchar' : 'text'
    await fc.assert(
      fc.asyncProperty(number, async (n) => {
        const sql = render(
          `select 11 as first, {{n}}::${text} as value, (5-{{n}})::${text} as minus, '{{n}}' as inside, 22 as last limit {{one}}`,
          { n: ['number', n], one: ['number', 1] },
        )
        const [row, ...others] = await database.rows(sql!)
        expect(others).toEqual([])
        expect(row).toMatchObject({ first: 11, inside: String(checkValue({ name: 'n', type: 'number' }, n)), last: 22 })
        expect(Number(row!['value'])).toBe(Number(n) === 0 ? 0 : Number(n))
        expect(Number(row!['minus'])).toBeCloseTo(5 - Number(n), 5)
        // Without an exponent it is a decimal, exact to the last digit.
        const exact = /e/i.test(n) || Number(n) === 0 ? row!['value'] : n.replace(/^(-?)\./, '$10.')
        expect(row!['value']).toBe(exact)
      }),
      { seed: 20260105, numRuns: 80 * runsFactor },
    )
  })

  it('dates, timestamps and booleans are returned unchanged', async () => {
    const day = fc
      .tuple(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
      .map(([year, month, date]) => `${String(year).padStart(4, '0')}-${two(month)}-${two(date)}`)
    const time = fc
      .tuple(fc.nat(23), fc.nat(59), fc.nat(59), fc.nat(999_999))
      .map(([hour, minute, second, micro]) => `${two(hour)}:${two(minute)}:${two(second)}.${String(micro).padStart(6, '0')}`)
    const text = database.dialect === 'duckdb' ? 'varchar' : 'text'
    await fc.assert(
      fc.asyncProperty(day, time, fc.boolean(), async (d, clock, b) => {
        const sql = render(
          `select 11 as first, {{d}}::${text} as d, ({{t}} = timestamp '{{t}}')::${text} as same, {{t}}::${text} as t,
            {{b}}::${text} as b, date_trunc({{unit}}, {{t}})::date::${text} as month, 22 as last where {{b}}={{b}} and {{d}}<={{d}}`,
          { d: ['date', d], t: ['timestamp', `${d}T${clock}Z`], b: ['boolean', b], unit: ['text', 'month'] },
        )
        const shortClock = clock.replace(/\.?0+$/, '')
        expect(await database.rows(sql!)).toEqual([
          { first: 11, d, same: 'true', t: `${d} ${shortClock}`, b: String(b), month: `${d.slice(0, 8)}01`, last: 22 },
        ])
      }),
      { seed: 20260105, numRuns: 60 * runsFactor },
    )
  })
})
