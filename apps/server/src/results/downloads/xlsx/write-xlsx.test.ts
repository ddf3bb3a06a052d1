import { crc32, inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Field } from '../../../model/result.ts'
import { cellOf, columnLetters } from './cells.ts'
import { makeSheetNames } from './sheet-names.ts'
import { type SheetSource, writeXlsx } from './write-xlsx.ts'

/** The files of an archive, read by its directory as readers do. */
function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.length - 22
  expect(bytes.readUInt32LE(end)).toBe(0x06054b50)
  const files = new Map<string, string>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    expect(bytes.readUInt32LE(at)).toBe(0x02014b50)
    const nameLength = bytes.readUInt16LE(at + 28)
    const start = bytes.readUInt32LE(at + 42) + 30 + nameLength
    const content = inflateRawSync(bytes.subarray(start, start + bytes.readUInt32LE(at + 20)))
    expect([content.length, crc32(content)]).toEqual([bytes.readUInt32LE(at + 24), bytes.readUInt32LE(at + 16)])
    files.set(bytes.subarray(at + 46, at + 46 + nameLength).toString(), content.toString())
    at += 46 + nameLength
  }
  return files
}

const fields: Field[] = [
  { name: 'id', type: 'integer' },
  { name: '=cmd()', type: 'string' },
  { name: 'paid', type: 'decimal' },
  { name: 'day', type: 'date' },
  { name: 'at', type: 'timestamp' },
  { name: 'ok', type: 'boolean' },
  { name: 'more', type: 'json' },
]

function source(title: string, batches: string[], columns = fields): SheetSource {
  async function* read(): AsyncGenerator<string, undefined> {
    yield* batches
    return undefined
  }
  return { title, open: async () => ({ fields: columns, batches: read() }) }
}

async function written(sources: SheetSource[], limits?: { rows: number }): Promise<Map<string, string>> {
  const chunks: Buffer[] = []
  for await (const chunk of writeXlsx(sources, limits)) chunks.push(chunk)
  return unzip(Buffer.concat(chunks))
}

/** The cells of a sheet as "A1=…". */
const cellsOf = (sheet: string) => [...sheet.matchAll(/<c r="(\w+)"[^>]*>(.*?)<\/c>/g)].map(([, place, content]) => `${place}=${content!.replaceAll(/<[^>]*>/g, '')}`)

test('writes each result as a sheet, with real numbers, dates and times', async () => {
  const batches = ['[[1,"a & <b>",12.50,"2026-01-05","2026-01-05T12:00:00Z",true,{"x":1}]]', '[[2,null,null,null,null,false,null]]']
  const files = await written([source('Sales: 2026', batches), source('Sales  2026', [])])
  expect([...files.keys()]).toEqual(['xl/worksheets/sheet1.xml', 'xl/worksheets/sheet2.xml', '[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels', 'xl/styles.xml'])
  expect(files.get('xl/workbook.xml')).toMatch(/name="Sales 2026"[^>]*><sheet name="Sales 2026 \(2\)"/)
  const sheet = files.get('xl/worksheets/sheet1.xml')!
  expect(cellsOf(sheet).slice(7)).toEqual(['A2=1', 'B2=a &amp; &lt;b&gt;', 'C2=12.50', 'D2=46027', 'E2=46027.5', 'F2=1', 'G2={&quot;x&quot;:1}', 'A3=2', 'F3=0'])
  expect(sheet).toContain('<autoFilter ref="A1:G3"/>')
  expect(cellsOf(files.get('xl/worksheets/sheet2.xml')!)).toHaveLength(7)
})

test.each(['=1+1', '+cmd', '-x', '@sum', '\t=1', '＝1', "'=1"])('%j is text that stays text when it is edited', (text) => {
  const cell = cellOf(JSON.stringify(text), { name: 'x', type: 'string' }, 'A2')!
  expect(cell).toMatch(/^<c r="A2" s="4" t="inlineStr"><is><t xml:space="preserve">/)
  expect(cell).not.toContain('<f>')
})

test.each<[string, Field['type'], string]>([
  ['"12345678901234567890.10"', 'decimal', '12345678901234567890.10'],
  ['"123456789012345000000"', 'integer', '<v>123456789012345000000</v>'],
  ['"NaN"', 'number', 'inlineStr'],
  ['"1899-12-31"', 'date', 'inlineStr'],
  ['"-0044-03-15"', 'date', 'inlineStr'],
  ['"infinity"', 'timestamp', 'inlineStr'],
  ['"a\\u0000b_x0041_"', 'string', 'a b_x005F_x0041_'],
  ['"-5"', 'string', '<c r="A2" t="inlineStr">'],
])('writes %s of type %s as %s', (json, type, part) => expect(cellOf(json, { name: 'x', type }, 'A2')).toContain(part))

test('cuts text that is longer than a cell can hold', () => {
  expect(cellOf(JSON.stringify('x'.repeat(40_000)), { name: 'x', type: 'string' }, 'A2')!.match(/x{1000,}/)![0]).toHaveLength(32_767)
})

test('continues on another sheet when one is full', async () => {
  const one: Field[] = [{ name: 'n', type: 'integer' }]
  const files = await written([source('Numbers', ['[[1],[2],[3]]', '[[4],[5]]'], one), source('Empty', [], one)], { rows: 3 })
  const sheets = [1, 2, 3, 4].map((number) => cellsOf(files.get(`xl/worksheets/sheet${number}.xml`)!))
  expect(sheets).toEqual([['A1=n', 'A2=1', 'A3=2'], ['A1=n', 'A2=3', 'A3=4'], ['A1=n', 'A2=5'], ['A1=n']])
  expect([...files.get('xl/workbook.xml')!.matchAll(/name="([^"]*)"/g)].map(([, name]) => name)).toEqual(['Numbers', 'Numbers (2)', 'Numbers (3)', 'Empty'])
})

test('a failing result fails the download, and closes what is open', async () => {
  let isClosed = false
  async function* failing(): AsyncGenerator<string, undefined> {
    try {
      yield '[[1]]'
      throw new Error('damaged')
    } finally {
      isClosed = true
    }
  }
  const broken: SheetSource = { title: 'x', open: async () => ({ fields: [{ name: 'n', type: 'integer' }], batches: failing() }) }
  await expect(written([broken])).rejects.toThrow('damaged')
  expect(isClosed).toBe(true)
})

test('names sheets as Excel requires', () => {
  const nameOf = makeSheetNames()
  expect([nameOf("'[a]:*?/\\'"), nameOf('A'), nameOf(''), nameOf('History'), nameOf('x'.repeat(40)), nameOf('X'.repeat(40))]).toEqual([
    'a',
    'A (2)',
    'Sheet',
    'History (2)',
    'x'.repeat(31),
    `${'X'.repeat(27)} (2)`,
  ])
})

test('counts columns in letters', () => expect([0, 25, 26, 701, 702, 16_383].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA', 'XFD']))
