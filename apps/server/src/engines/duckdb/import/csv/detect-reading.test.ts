import { describe, expect, test } from 'vitest'
import type { CsvReading } from './csv-reading.ts'
import { makeCsvRows } from './csv-rows.ts'
import { detectReading } from './detect-reading.ts'

const detect = (text: string, given?: Partial<CsvReading>) => detectReading({ bytes: Buffer.from(text), isWhole: true }, given)

test('reads European decimals, thousands separators and dates', () => {
  const csv = 'Ort;Umsatz;Menge;Datum;Zeit\nKöln;1.234,56;1.000;31.12.2026;31.12.2026 14:30\nBonn;7,5;12;1.1.2027;1.1.2027 08:00:01\n'
  const { reading, names, rows } = detect(csv)
  expect(reading).toEqual({
    encoding: 'utf-8',
    delimiter: ';',
    hasHeader: true,
    decimalSign: ',',
    thousandsSeparator: '.',
    dateOrder: 'dmy',
    types: ['text', 'number', 'integer', 'date', 'timestamp'],
  })
  expect(names).toEqual(['Ort', 'Umsatz', 'Menge', 'Datum', 'Zeit'])
  expect(rows.map(({ line }) => line)).toEqual([2, 3])
})

test.each([
  ['a;b\n1,5;x\n', { decimalSign: ',', thousandsSeparator: '' }],
  ['a,b\n1.5,x\n', { decimalSign: '.', thousandsSeparator: '' }],
  ['a,b\n"1,234",x\n', { decimalSign: '.', thousandsSeparator: ',' }],
  ['a,b\n"1,234.5",x\n', { decimalSign: '.', thousandsSeparator: ',' }],
  ['a;b\n1\u00A0234,5;x\n', { decimalSign: ',', thousandsSeparator: ' ' }],
  ["a;b\n1'234.50;x\n", { decimalSign: '.', thousandsSeparator: "'" }],
])('finds the separators of numbers in %j', (csv, format) => {
  expect(detect(csv).reading).toMatchObject({ ...format, types: [expect.stringMatching(/integer|number/), 'text'] })
})

test.each([
  ['d\n2026-12-31\n', 'ymd', 'date'],
  ['d\n31/12/2026\n', 'dmy', 'date'],
  ['d\n12/31/2026\n', 'mdy', 'date'],
  ['d\n31.02.2026\n', 'ymd', 'text'],
  ['d\n2026-12-31T10:00:00Z\n', 'ymd', 'timestamp'],
])('finds the order of dates in %j', (csv, dateOrder, type) => {
  expect(detect(csv).reading).toMatchObject({ dateOrder, types: [type] })
})

describe('types', () => {
  test.each([
    ['01067', 'text'],
    ['0.5', 'number'],
    ['-12', 'integer'],
    ['99999999999999999999', 'text'],
    ['1e5', 'number'],
    ['TRUE', 'boolean'],
    ['', 'text'],
    ['1.2.3', 'text'],
  ])('%j is detected as %s', (value, type) => {
    expect(detect(`name;value\nx;${value}\n`).reading.types[1]).toBe(type)
  })

  test('missing values fit every type', () => {
    expect(detect('a;b\n1;\n;2026-01-01\n').reading.types).toEqual(['integer', 'date'])
  })
})

test('a first row of values is no header', () => {
  expect(detect('1;x\n2;y\n')).toMatchObject({ reading: { hasHeader: false }, names: ['column_1', 'column_2'], rows: [{ line: 1 }, { line: 2 }] })
  expect(detect('2025;2026\n1,5;2,5\n').reading.hasHeader).toBe(false)
  expect(detect('year;2026\n2025;1\n').reading.hasHeader).toBe(true)
})

test('uses what is given and detects the rest', () => {
  const given = { delimiter: ',', hasHeader: false, dateOrder: 'mdy' } as const
  expect(detect('a,b\n1,02/03/2026\n', given).reading).toMatchObject({ ...given, types: ['text', 'text'] })
  expect(detect('a;b\n1.000;x\n', { decimalSign: ',' }).reading).toMatchObject({ thousandsSeparator: '.', types: ['integer', 'text'] })
  expect(detect('a;b\n1;x\n', { types: ['text', 'text'] }).reading.types).toEqual(['text', 'text'])
})

test('ignores the last row of a beginning, which may be incomplete', () => {
  const beginning = detectReading({ bytes: Buffer.from('a;b\n1;2\n3;'), isWhole: false })
  expect(beginning.rows.map(({ values }) => values)).toEqual([['1', '2']])
})

test('gives columns unique names', () => {
  expect(detect('a;A;;a_2\nx;y;z;w\n').names).toEqual(['a', 'A_2', 'column_3', 'a_2_2'])
})

test('a single column may contain delimiters in later lines', () => {
  expect(detect('name\nann\nbob, jr\n')).toMatchObject({ reading: { types: ['text'] }, rows: [{ values: ['ann'] }, { values: ['bob, jr'] }] })
})

test('rows keep quoted delimiters, quotes and line breaks, in pieces of any length', () => {
  const csv = 'a,"b ""c"", d"\r\n\r\n"two\r\nlines",x\ny,'
  const whole = makeCsvRows(',')
  const rows = [...whole.push(csv), ...whole.end()]
  expect(rows).toEqual([
    { line: 1, number: 1, values: ['a', 'b "c", d'] },
    { line: 3, number: 3, values: ['two\r\nlines', 'x'] },
    { line: 5, number: 4, values: ['y', ''] },
  ])
  const pieces = makeCsvRows(',')
  expect([...csv.split('').flatMap((each) => pieces.push(each)), ...pieces.end()]).toEqual(rows)
})
