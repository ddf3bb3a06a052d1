import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWorkbook, packEntries } from '../../../../../testing/engines/make-workbook.ts'
import { convertSheet, type SheetConversion } from './convert-sheet.ts'
import { dateText, dayFormatOf, durationText } from './date-cells.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'querypost-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function convert(workbook: Buffer, more: Partial<SheetConversion> = {}) {
  const [file, output] = [join(folder, 'book.xlsx'), join(folder, 'sheet.csv')]
  await writeFile(file, workbook)
  const sheets = await convertSheet({ file, output, maxMb: 1, ...more })
  return { sheets, csv: await readFile(output, 'utf8') }
}

const row = (number: number, cells: string) => `<row r="${number}">${cells}</row>`
const number = (place: string, value: string | number, style = 0) => `<c r="${place}" s="${style}"><v>${value}</v></c>`

test('writes texts, numbers, dates, booleans and results of formulas, with a record for each row', async () => {
  const workbook = await makeWorkbook({
    texts: ['<t>city</t>', '<r><t>K&#246;</t></r><r><t xml:space="preserve">ln, </t></r><rPh><t>no</t></rPh>', '<t>a &amp; "b"</t>'],
    sheets: {
      Sales:
        row(1, '<c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>day</t></is></c><c r="C1" t="str"><f>1</f><v>n</v></c>') +
        row(2, `<c r="A2" t="s"><v>1</v></c>${number('B2', 46387, 1)}<c r="C2"><f>SUM(1,2)</f><v>3.5</v></c>`) +
        row(5, `<c r="A5" t="s"><v>2</v></c>${number('B5', 46387.5, 2)}${number('C5', 7, 3)}`) +
        row(6, '<c r="A6" t="b"><v>1</v></c><c r="B6" t="e"><v>#N/A</v></c><c r="D6"/>') +
        row(7, '<c r="A7"/>'),
    },
  })
  const { sheets, csv } = await convert(workbook)
  expect(sheets).toEqual(['Sales'])
  expect(csv).toBe('city,day,n\n"Köln, ",2026-12-31,3.5\n\n\n"a & ""b""",2026-12-31 12:00:00,7\ntrue,,\n')
})

test('reads the sheet with the given name, and lists those that are visible', async () => {
  const sheets = { One: row(1, number('A1', 1)), Hidden: row(1, number('A1', 2)), Two: row(3, number('A3', 3)) }
  const workbook = await makeWorkbook({ sheets, attributes: { Hidden: 'state="hidden"' } })
  expect(await convert(workbook, { sheet: 'Two' })).toEqual({ sheets: ['One', 'Two'], csv: '\n\n3\n' })
  await expect(convert(workbook, { sheet: 'Hidden' })).rejects.toMatchObject({ kind: 'file', message: expect.stringContaining('no sheet named "Hidden"') })
})

const savedWorkbook = (name: string) => readFile(new URL(`../../../../../testing/engines/workbooks/${name}`, import.meta.url))

test('reads a workbook of openpyxl: absolute paths, styles, rich text, a table, a chart and a hidden sheet', async () => {
  const { sheets, csv } = await convert(await savedWorkbook('orders.xlsx'), { sheet: 'Orders & returns' })
  expect(sheets).toEqual(['Read me', 'Orders & returns'])
  expect(csv).toBe(
    'Order no.,Day,Customer,Amount,Paid,Share,Shipped at,Note\n' +
      '00017,2026-01-31,Müller & Söhne,1234.5,true,0.25,2026-02-01 08:30:00,  two spaces before\n' +
      '00018,2026-02-28,"""Quoted"", Ltd.",-7,false,0.5,,"two\nlines"\n' +
      '00019,2026-03-01,東京 <Store>,0.1,true,1,2026-03-02 23:59:59,plain bold\n',
  )
})

test('reads a workbook of XlsxWriter: shared texts, escaped characters, formulas and errors', async () => {
  const { csv } = await convert(await savedWorkbook('totals.xlsx'))
  expect(csv).toBe(
    'Region,Total\nNorth,10\nSouth,20\n padded ,0.3\n"tab\there\r\nand _x0041_ \u0007",30\nerror,\nday,2026-05-06\nrich text,1E+21\n',
  )
})

test('reads merged cells, durations, fractions of seconds, currencies and blank rows of a workbook of XlsxWriter', async () => {
  const { sheets, csv } = await convert(await savedWorkbook('report.xlsx'))
  expect(sheets).toEqual(['Umsätze & mehr', 'Second'])
  expect(csv).toBe(
    '\n\nRegion \u{1f30d},,Date,Moment,Share,Price,Duration,Clock,Double,Is open,Fault,Loss,Left,Count\n' +
      '"Köln ""Süd""","line 1\nline 2",2026-01-05,2026-01-05 09:00:00.250,0.125,-1234.5,36:00:00,09:00:00,-2469,true,,-1.5,3,12000\n\n' +
      '東京, padded ,1900-02-28,9999-12-31 23:59:59,,,06:00:00,,ab,false,true,1E+300,123456789012345,\n',
  )
})

test('reads dates that count from 1904', async () => {
  const { csv } = await convert(await savedWorkbook('days-since-1904.xlsx'))
  expect(csv).toBe('id,day,moment,elapsed\n1,2026-01-05,2026-01-05 09:30:00,30:00:00\n2,1904-01-02,2000-02-29 12:00:01,\n')
})

test('stops after the rows of a preview', async () => {
  const workbook = await makeWorkbook({ sheets: { One: row(1, number('A1', 1)) + row(2, number('A2', 2)) } })
  expect((await convert(workbook, { maxRows: 1 })).csv).toBe('1\n')
})

describe('rejects', () => {
  const sheet = (rows: string) => makeWorkbook({ sheets: { One: rows } })
  test.each<[string, () => Promise<Buffer>, string, RegExp]>([
    ['a file that is no zip', async () => Buffer.from('a,b\n1,2\n'), 'file', /not a workbook/],
    ['an old workbook', async () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'file', /\.xls/],
    ['an archive without a workbook', () => packEntries({ 'a.txt': 'x' }), 'file', /without a workbook/],
    ['a truncated workbook', async () => (await sheet(row(1, number('A1', 1)))).subarray(0, -30), 'file', /damaged/],
    ['an empty sheet', () => sheet(''), 'file', /sheet is empty/],
    ['a zip bomb', () => sheet(row(1, number('A1', '1'.repeat(2_000_000)))), 'too_large', /larger than 1 MiB/],
    ['too many columns', () => sheet(row(1, number('XFD1', 1))), 'too_large', /more than 1000 columns/],
    ['values beside the columns', () => sheet(row(1, number('A1', 1)) + row(4, number('C4', 1))), 'file', /^Row 4 of the sheet has 3 columns/],
    ['rows out of order', () => sheet(row(9, number('A9', 1)) + row(2, number('A2', 1))), 'file', /not in order/],
    ['a document type', () => sheet('<!DOCTYPE x [<!ENTITY a "b">]>'), 'file', /do not have/],
  ])('%s', async (_, workbook, kind, message) => {
    await expect(convert(await workbook())).rejects.toMatchObject({ kind, message: expect.stringMatching(message) })
  })
})

test.each([
  [1, 1900, '1900-01-01'],
  [59, 1900, '1900-02-28'],
  [61, 1900, '1900-03-01'],
  [46387.999988426, 1900, '2026-12-31 23:59:59'],
  [0.25, 1900, '06:00:00'],
  [1, 1904, '1904-01-02'],
  [1e9, 1900, undefined],
  [-1, 1900, undefined],
] as const)('day %s since %s is %s', (days, epoch, text) => {
  expect(dateText(days, epoch)).toBe(text)
})

test.each([
  [14, undefined, true],
  [2, undefined, false],
  [164, 'yyyy-mm-dd', true],
  [164, '[h]:mm', false],
  [164, '#,##0.00 "days"', false],
  [164, '[Red]0.0', false],
  [164, '#,##0_d', false],
  [164, '0*d', false],
  [164, 'General', false],
] as const)('format %s %s shows a date: %s', (id, code, isDate) => {
  expect(dayFormatOf(id, code) === 'moment').toBe(isDate)
})

test.each([[46, undefined], [164, '[h]:mm:ss'], [164, '[mm]:ss.0'], [164, '[$-407][hh]:mm']])('format %s %s shows a duration', (id, code) => {
  expect(dayFormatOf(id, code)).toBe('duration')
})

test.each([[0, '00:00:00'], [0.25, '06:00:00'], [5.000005787, '120:00:00.500'], [-1, undefined], [Infinity, undefined]])('%d days are %s', (days, text) => {
  expect(durationText(days)).toBe(text)
})
