import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { silentLog } from '../../../../testing/silent-log.ts'
import { makeWorkbook } from '../../../../testing/engines/make-workbook.ts'
import { type ColumnType, type CsvReading, sheetLayout } from './csv/csv-reading.ts'
import { importFile, type ImportRequest, type TableChange } from './import-file.ts'

const limits = { memoryMb: 256, fileMb: 64 }
let folder: string
let target: string
let temporaryDirectory: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'querypost-'))
  temporaryDirectory = join(folder, 'temporary')
  await mkdir(temporaryDirectory)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let count = 0
beforeEach(() => {
  target = join(folder, `target-${++count}.duckdb`)
})

type Source = NonNullable<ImportRequest['source']>
const never = () => new AbortController().signal

async function importBytes(bytes: string | Uint8Array, source: Partial<Source> = {}, more: Partial<ImportRequest> = {}) {
  const file = join(folder, `source-${++count}`)
  await writeFile(file, bytes)
  return importFile(
    { temporaryDirectory, log: silentLog },
    { target, source: { file, format: 'csv', table: 'things', ifExists: 'refuse', ...source }, limits, ...more },
    never(),
  )
}

/** Queries the target as any reader would. */
async function ask(sql: string): Promise<unknown[][]> {
  const instance = await DuckDBInstance.create(target, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  try {
    return (await connection.runAndReadAll(sql)).getRowsJson()
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

async function parquetOf(sql: string): Promise<Uint8Array> {
  const file = join(folder, `made-${++count}.parquet`)
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  await connection.run(`copy (${sql}) to '${file}' (format parquet, compression zstd)`)
  connection.closeSync()
  instance.closeSync()
  return readFile(file)
}

test('creates an empty database in one file when there is no source', async () => {
  await importFile({ temporaryDirectory, log: silentLog }, { target, limits }, never())
  expect(await ask('select count(*) from duckdb_tables()')).toEqual([['0']])
  expect(existsSync(`${target}.wal`)).toBe(false)
  expect(await readdir(temporaryDirectory)).toEqual([])
})

describe('CSV', () => {
  test('takes its columns and types from the file', async () => {
    const csv = '\uFEFFid,name,at,price\r\n1,"a ""b"", c",2026-01-05 09:00:00,1.5\r\n2,"two\nlines",2026-01-06 09:00:00,2\r\n'
    expect(await importBytes(csv)).toEqual({
      columns: [
        { name: 'id', type: 'BIGINT', nullable: true, comment: null },
        { name: 'name', type: 'VARCHAR', nullable: true, comment: null },
        { name: 'at', type: 'TIMESTAMP', nullable: true, comment: null },
        { name: 'price', type: 'DOUBLE', nullable: true, comment: null },
      ],
      rowCount: 2,
      tableCount: 1,
    })
    expect(await ask('select name from things order by id')).toEqual([['a "b", c'], ['two\nlines']])
  })

  test('uses the delimiter of its first line and treats no line as a comment', async () => {
    expect(await importBytes('a;b\n#1;x,y\n2;z\n')).toMatchObject({ rowCount: 2, columns: [{ name: 'a' }, { name: 'b' }] })
    expect(await importBytes('name\nann\nbob, jr\n', { table: 'names' })).toMatchObject({ rowCount: 2, columns: [{ name: 'name' }] })
    const utf16 = Buffer.from('\uFEFFa\tb\n1\tJörg\n', 'utf16le')
    expect(await importBytes(utf16, { table: 'wide' })).toMatchObject({ rowCount: 1, columns: [{ name: 'a' }, { name: 'b' }] })
    expect(await ask('select b from wide')).toEqual([['Jörg']])
  })

  test('is read as text when later lines do not match the type of the first', async () => {
    const numbers = Array.from({ length: 30_000 }, (_, index) => index).join('\n')
    const imported = await importBytes(`n\n${numbers}\nunknown\n`)
    expect(imported).toEqual({ columns: [{ name: 'n', type: 'VARCHAR', nullable: true, comment: null }], rowCount: 30_001, tableCount: 1 })
  })

  test.each([
    ['a line with a value too many', 'a,b\n1,x\n2,y,z\n3,w\n', /^Line 3 of the file cannot be read: it has 3 values where the first line has 2\.\n2,y,z\n.*delimiter\.$/],
    ['an extra value after a quoted line break', 'a,b\n1,"x\ny"\n\n2,y,z\n', /^Line 5 .*\n2,y,z\n/],
    ['a quote that is never closed', 'a,b\n1,"x\n2,y\n', /^Line 2 .*never closed\.\n1,"x\n/],
    ['another encoding', Buffer.from('name,x\ncaf\xe9,1\n', 'latin1'), /^Line 2 .*not encoded in UTF-8/],
    ['nothing', '', /^The file is empty\.$/],
    ['a workbook', 'PK\u0003\u0004....', /workbook/],
  ])('with %s is rejected with the line number', async (_, bytes, message) => {
    await expect(importBytes(bytes)).rejects.toMatchObject({ kind: 'file', message: expect.stringMatching(message) })
  })

  test('errors reveal no path of the service', async () => {
    const fault = await importBytes('a,b\n1,x\n2,y,z\n').catch((error: Error) => error.message)
    expect(fault).not.toContain(folder)
    expect(fault).not.toMatch(/strict_mode|ignore_errors|auto-detected/i)
  })
})

describe('a sheet with a single column', () => {
  const texts = (rows: Record<number, string>) =>
    Object.entries(rows).map(([number, text]) => `<row r="${number}"><c t="inlineStr"><is><t>${text}</t></is></c></row>`).join('')
  const sheetOf = (rows: Record<number, string>) => makeWorkbook({ sheets: { One: texts(rows) } })
  const reading: CsvReading = { ...sheetLayout, hasHeader: true, types: ['integer'] }

  test('leaves out blank rows, also above the header', async () => {
    const sheet = await sheetOf({ 3: 'n', 4: '1', 7: '2' })
    expect(await importBytes(sheet, { format: 'xlsx', reading })).toMatchObject({ columns: [{ name: 'n', type: 'BIGINT' }], rowCount: 2 })
    expect(await ask('select n from things order by n')).toEqual([['1'], ['2']])
  })

  test('counts blank rows to name the row of a value that does not fit', async () => {
    const sheet = await sheetOf({ 3: 'n', 4: '1', 7: 'two' })
    await expect(importBytes(sheet, { format: 'xlsx', reading })).rejects.toMatchObject({
      kind: 'file',
      message: expect.stringMatching(/^Row 7 of the sheet .*"two" in the column n is not an integer/),
    })
  })
})

describe('CSV as given', () => {
  const german = {
    encoding: 'windows-1252',
    delimiter: ';',
    hasHeader: true,
    decimalSign: ',',
    thousandsSeparator: '.',
    dateOrder: 'dmy',
    types: ['text', 'number', 'integer', 'date', 'timestamp', 'boolean'],
  } as const satisfies CsvReading
  const reading = (more: Partial<CsvReading> = {}): CsvReading => ({ ...german, types: [...german.types], ...more })
  const header = 'Ort;Umsatz;Menge;Datum;Zeit;neu\r\n'
  const latin1 = (text: string) => Buffer.from(text, 'latin1')

  test('is converted exactly as chosen', async () => {
    const csv = latin1(`${header}K\xf6ln \x80;-1.234,56;1.000;31.12.2026;31.12.2026 14:30;TRUE\r\n;;; 1.2.2026 ;2026-02-01 08:00:01.5;\r\n`)
    const { columns, rowCount } = await importBytes(csv, { reading: reading() })
    expect(columns.map(({ name, type }) => [name, type])).toEqual([
      ['Ort', 'VARCHAR'],
      ['Umsatz', 'DOUBLE'],
      ['Menge', 'BIGINT'],
      ['Datum', 'DATE'],
      ['Zeit', 'TIMESTAMP'],
      ['neu', 'BOOLEAN'],
    ])
    expect(rowCount).toBe(2)
    expect(await ask('select * from things order by Menge')).toEqual([
      ['Köln €', -1234.56, '1000', '2026-12-31', '2026-12-31 14:30:00', true],
      [null, null, null, '2026-02-01', '2026-02-01 08:00:01.5', null],
    ])
  })

  test('is read without a header, as text, in UTF-16 BE', async () => {
    const csv = Buffer.from('\uFEFF007|1,5\n008|2\n', 'utf16le').swap16()
    const given = reading({ encoding: 'utf-16be', delimiter: '|', hasHeader: false, types: ['text', 'number'] })
    expect(await importBytes(csv, { reading: given })).toMatchObject({ columns: [{ name: 'column_1' }, { name: 'column_2' }], rowCount: 2 })
    expect(await ask('select * from things order by 1')).toEqual([['007', 1.5], ['008', 2]])
  })

  test.each([
    ['a text for a number', 'a;b\n"x\ny";1\nz;n/a\n', ['text', 'number'], /^Line 4 .*"n\/a" in the column b is not a number\. .*as text\.$/],
    ['a misplaced separator', 'a;b\nx;1.23,4\n', ['text', 'number'], /^Line 2 .*"1\.23,4"/],
    ['an impossible date', 'a;b\nx;31.02.2026\n', ['text', 'date'], /^Line 2 .*"31\.02\.2026" in the column b is not a date/],
    ['an integer that is too large', 'a;b\nx;9223372036854775808\n', ['text', 'integer'], /^Line 2 .*not an integer/],
    ['a value too many', 'a;b\nx;1;2\n', ['text', 'integer'], /^Line 2 .*3 values where the first line has 2/],
    ['other columns than chosen', 'a;b;c\n1;2;3\n', ['text', 'text'], /has 3 columns, and types were chosen for 2/],
    ['another encoding', latin1('a;b\nK\xf6ln;1\n'), ['text', 'text'], /^Line 2 .*not encoded in UTF-8.*\n.*\nChoose its encoding/],
    ['nothing', '', ['text'], /^The file is empty\.$/],
  ] as [string, string | Buffer, ColumnType[], RegExp][])('with %s is rejected', async (_, bytes, types, message) => {
    const given = reading({ encoding: 'utf-8', types })
    await expect(importBytes(bytes, { reading: given })).rejects.toMatchObject({ kind: 'file', message: expect.stringMatching(message) })
  })
})

describe('into an existing table', () => {
  test('appends rows, or replaces those with the same key', async () => {
    await importBytes('id,name\n1,one\n2,two\n')
    expect(await importBytes('name,ID\nthree,3\n', { ifExists: 'append' })).toMatchObject({ rowCount: 3, tableCount: 1 })
    const upserted = await importBytes('id,name\n2,TWO\n4,four\n', { ifExists: 'upsert', keys: ['id'] })
    expect(upserted).toMatchObject({ rowCount: 4, columns: [{ name: 'id' }, { name: 'name' }] })
    expect(await ask('select id, name from things order by id')).toEqual([
      ['1', 'one'],
      ['2', 'TWO'],
      ['3', 'three'],
      ['4', 'four'],
    ])
    await expect(importBytes('id,name\n5,a\n5,b\n', { ifExists: 'upsert', keys: ['id'] })).rejects.toMatchObject({
      kind: 'mismatch',
      message: 'The file has 2 rows with the same key, id = 5. Keep one of them, or choose other key columns.',
    })
    await expect(importBytes('id,name\n,a\n6,b\n', { ifExists: 'upsert', keys: ['id'] })).rejects.toMatchObject({
      kind: 'mismatch',
      message: expect.stringContaining('1 row of the file has no value in a key column (id)'),
    })
    await expect(importBytes('id\n7\n', { ifExists: 'append' })).rejects.toMatchObject({ kind: 'mismatch' })
  })

  test('creates the table if there is none', async () => {
    expect(await importBytes('id\n1\n', { ifExists: 'append' })).toMatchObject({ rowCount: 1, tableCount: 1 })
  })

  test('renames and deletes tables', async () => {
    await importBytes('id\n1\n')
    const change = (tableChange: TableChange) =>
      importFile({ temporaryDirectory, log: silentLog }, { target, change: tableChange, limits }, never())
    expect(await change({ table: 'things', newName: 'items' })).toMatchObject({ tableCount: 1 })
    expect(await ask('select id from items')).toEqual([['1']])
    expect(await change({ table: 'items' })).toMatchObject({ tableCount: 0 })
  })
})

describe('JSON lines', () => {
  const importLines = (bytes: string | Uint8Array, more: Partial<Source> = {}) =>
    importBytes(bytes, { format: 'jsonl', ...more })

  test('take their columns and types from all names in the file', async () => {
    const lines = [
      '{"id":1,"name":"a \\"b\\"\\n","on":"2026-01-05","at":"2026-01-05T09:00:00Z","more":{"x":[1,2]}}',
      '',
      '{"id":9223372036854775807,"ratio":0.5,"name":null}\r',
      'null',
    ]
    expect(await importLines(`\uFEFF${lines.join('\n')}`)).toEqual({
      columns: [
        { name: 'id', type: 'BIGINT', nullable: true, comment: null },
        { name: 'name', type: 'VARCHAR', nullable: true, comment: null },
        { name: 'on', type: 'DATE', nullable: true, comment: null },
        { name: 'at', type: 'TIMESTAMP', nullable: true, comment: null },
        { name: 'more', type: 'STRUCT(x BIGINT[])', nullable: true, comment: null },
        { name: 'ratio', type: 'DOUBLE', nullable: true, comment: null },
      ],
      rowCount: 3,
      tableCount: 1,
    })
    expect(await ask('select id, name, ratio from things')).toEqual([
      ['1', 'a "b"\n', null],
      ['9223372036854775807', null, 0.5],
      [null, null, null],
    ])
  })

  test('combine the types and names of early and late rows', async () => {
    const numbers = Array.from({ length: 30_000 }, (_, index) => `{"n":${index}}`).join('\n')
    const imported = await importLines(`${numbers}\n{"n":0.5,"late":"x"}\n`)
    expect(imported).toMatchObject({ columns: [{ name: 'n', type: 'DOUBLE' }, { name: 'late', type: 'VARCHAR' }], rowCount: 30_001 })
  })

  test('may have hundreds of names', async () => {
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`column ${index}`, index])))
    expect((await importLines(`${wide}\n${wide}\n`)).columns).toHaveLength(300)
  })

  test.each([
    ['a line that is not JSON', '{"a":1}\n\n{"a":}\n{"a":3}\n', /^Line 3 of the file cannot be read: it is not valid JSON \(Unexpected token '}'\)\.\n{"a":}\nWrite each row/],
    ['a name twice', '{"a":{"b":":"}}\n\n{"a":{"b":1,"b":2}}\n', /^Line 3 .*a name occurs twice/],
    ['a late fault', `${'{"a":1}\n'.repeat(30_000)}{"a":tru}\n`, /^Line 30001 .*not valid JSON/],
    ['another encoding', Buffer.from('{"a":"caf\xe9"}\n', 'latin1'), /^Line 1 .*not encoded in UTF-8/],
    ['objects without values', '{}\n{}\n', /contains no JSON object/],
    ['nothing', '', /^The file is empty\.$/],
  ])('with %s are rejected with the line number', async (_, bytes, message) => {
    const fault = await importLines(bytes).catch((error: unknown) => error)
    expect(fault).toMatchObject({ kind: 'file', message: expect.stringMatching(message) })
    expect((fault as Error).message).not.toContain(folder)
    expect(await ask('select count(*) from duckdb_tables()')).toEqual([['0']])
  })
})

describe('JSON', () => {
  const importJson = (bytes: string) => importBytes(bytes, { format: 'json', ifExists: 'replace' })

  test('is an array of objects or a sequence of objects, with or without line breaks', async () => {
    for (const text of ['[{"a":1},\n {"a":2}]', ' [\n{\n"a": 1 },{"a":2}\n]\n', '{"a":1}\n{"a":2}\n', '{\n "a": 1\n}\n{"a":2}']) {
      expect(await importJson(text), text).toMatchObject({ columns: [{ name: 'a', type: 'BIGINT' }], rowCount: 2 })
    }
  })

  test.each([
    ['an element that is not JSON', '[{"a":1},\n{"a":\n}]', /^Line [23] .*not valid JSON/],
    ['an object that does not end', '{"a":1}\n{"a":[2', /^Line 2 .*ends before this value is complete/],
    ['no element', '[]', /contains no JSON object/],
  ])('with %s is rejected with the line number', async (_, text, message) => {
    await expect(importJson(text)).rejects.toMatchObject({ kind: 'file', message: expect.stringMatching(message) })
  })
})

describe('gzip', () => {
  const csv = Buffer.from(`a,b\n${'1,x\n'.repeat(1000)}`)

  test('is decompressed, even with several members', async () => {
    expect(await importBytes(gzipSync(csv))).toMatchObject({ rowCount: 1000, columns: [{ name: 'a' }, { name: 'b' }] })
    const parts = Buffer.concat([gzipSync('{"a":1}\n'), gzipSync('{"a":2}\n')])
    expect(await importBytes(parts, { format: 'jsonl', table: 'parts' })).toMatchObject({ rowCount: 2 })
  })

  test('errors name the line of the decompressed file', async () => {
    await expect(importBytes(gzipSync('a,b\n1,2\n3\n'))).rejects.toMatchObject({ message: expect.stringMatching(/^Line 3 /) })
  })

  test.each([
    ['is cut off', gzipSync(csv).subarray(0, -20)],
    ['is damaged', Buffer.concat([gzipSync(csv).subarray(0, -8), Buffer.alloc(8, 1)])],
    ['only starts like gzip', Uint8Array.from([0x1f, 0x8b, 8, 0])],
  ])('that %s is rejected', async (_, bytes) => {
    await expect(importBytes(bytes)).rejects.toMatchObject({ kind: 'file', message: expect.stringMatching(/gzip.*Compress it again/) })
  })

  test('of a Parquet file is rejected', async () => {
    await expect(importBytes(gzipSync('PAR1'), { format: 'parquet' })).rejects.toMatchObject({ kind: 'file' })
  })

  test('that decompresses beyond the size limit is rejected before it fills the disk', async () => {
    const zeros = gzipSync(Buffer.alloc(6 * 1024 * 1024, 'a,b\n'))
    const small = { memoryMb: 256, fileMb: 4 }
    await expect(importBytes(zeros, {}, { limits: small })).rejects.toMatchObject({ kind: 'too_large' })
    expect(await readdir(temporaryDirectory)).toEqual([])
  })
})

describe('Parquet', () => {
  test('keeps its types', async () => {
    const bytes = await parquetOf(`select i::integer as i, i::decimal(10, 2) as d, [i] as l from range(3) t (i)`)
    expect(await importBytes(bytes, { format: 'parquet' })).toMatchObject({
      columns: [{ type: 'INTEGER' }, { type: 'DECIMAL(10,2)' }, { type: 'BIGINT[]' }],
      rowCount: 3,
    })
  })

  test.each([
    ['not Parquet', 'x'.repeat(500)],
    ['cut off', 'PAR1'],
    ['only similar to Parquet', `PAR1${'\0'.repeat(100)}\uFFFF\u0000PAR1`],
    ['empty', ''],
  ])('that is %s is rejected', async (_, bytes) => {
    await expect(importBytes(bytes, { format: 'parquet' })).rejects.toMatchObject({
      kind: 'file',
      message: expect.stringMatching(/^The file cannot be read as Parquet: /),
    })
  })

  test('that expands beyond the size limit is stopped by the operating system', async () => {
    // A small file that expands to fifty megabytes which DuckDB cannot compress again: a dictionary of random texts, each
    // repeated in a different order.
    const bytes = await parquetOf(
      `select md5((hash(i) % 64)::varchar) || repeat(md5((hash(i * 7) % 1000)::varchar), 40) as filler from range(40000) t (i)`,
    )
    const before = { memoryMb: 1024, fileMb: 4 }
    await expect(importBytes(bytes, { format: 'parquet' }, { limits: before })).rejects.toMatchObject({ kind: 'too_large' })
    expect((await stat(target)).size).toBeLessThanOrEqual(4 * 1024 * 1024)
  })
})

describe('a file larger than the memory limit', () => {
  const memoryMb = 128
  test.each([
    ['CSV', 'csv', 'n,text\n', (text: string) => `1,${text}\n`],
    ['JSON lines', 'jsonl', '', (text: string) => `{"n":1,"text":"${text}"}\n`],
  ] as const)('is still read: %s', async (_, format, head, line) => {
    // Rows of a realistic size: DuckDB writes 122,880 of them at once, and these must fit into memory.
    const rowsOfBlock = 8192
    const block = Array.from({ length: rowsOfBlock }, (_each, index) => line(`${index}`.padEnd(100, 'x'))).join('')
    const blocks = Math.ceil((memoryMb * 1024 * 1024) / block.length) + 8
    const file = join(folder, `large.${format}`)
    await writeFile(file, [head, ...Array.from({ length: blocks }, () => block)])
    expect((await stat(file)).size).toBeGreaterThan(memoryMb * 1024 * 1024)
    const request = { target, source: { file, format, table: 'large', ifExists: 'refuse' as const }, limits: { memoryMb, fileMb: 512 } }
    expect(await importFile({ temporaryDirectory, log: silentLog }, request, never())).toMatchObject({ rowCount: blocks * rowsOfBlock })
    await rm(file)
  })
})

describe('a table that exists', () => {
  test('is kept or replaced as a whole', async () => {
    await importBytes('a\n1\n')
    await expect(importBytes('b\n2\n')).rejects.toMatchObject({ kind: 'exists' })
    await expect(importBytes('b\n2\n', { table: 'THINGS' })).rejects.toMatchObject({ kind: 'exists' })
    expect(await ask('select a from things')).toEqual([['1']])
    await importBytes('b\n2\n3\n', { ifExists: 'replace' })
    expect(await ask('select b from things order by b')).toEqual([['2'], ['3']])
  })

  test('is not replaced if it is a view', async () => {
    const instance = await DuckDBInstance.create(target)
    const connection = await instance.connect()
    await connection.run('create view things as select 1 as one')
    connection.closeSync()
    instance.closeSync()
    await expect(importBytes('a\n1\n', { ifExists: 'replace' })).rejects.toMatchObject({ kind: 'exists' })
  })
})

describe('hostile input', () => {
  test('treats any table name as just a name', async () => {
    const names = ['x"; drop table keep; --', "x'); attach 'other.duckdb'; --", '../../etc/passwd', 'select', 'a.b', '"']
    for (const table of ['keep', ...names]) await importBytes('a\n1\n', { table })
    const found = await ask('select table_name from duckdb_tables()')
    expect(found.flat().map(String).toSorted()).toEqual(['keep', ...names].toSorted())
  })

  test('a macro in the database cannot replace the reader', async () => {
    const instance = await DuckDBInstance.create(target)
    const connection = await instance.connect()
    await connection.run(`create macro read_csv(file, skip := 0) as table select 'taken' as a`)
    connection.closeSync()
    instance.closeSync()
    await importBytes('a\nmine\n')
    expect(await ask('select a from things')).toEqual([['mine']])
  })

  test('distinguishes a target that is not a database from an unreadable source', async () => {
    await writeFile(target, 'this is not a database, but it is long enough to look like one '.repeat(1000))
    await expect(importBytes('a\n1\n')).rejects.toMatchObject({
      kind: 'target',
      message: expect.not.stringContaining(folder),
    })
  })

  test('stops on the signal and removes its folder', async () => {
    const stop = new AbortController()
    const file = join(folder, 'slow.csv')
    await writeFile(file, 'a\n1\n')
    const source: Source = { file, format: 'csv', table: 'things', ifExists: 'refuse' }
    const importing = importFile({ temporaryDirectory, log: silentLog }, { target, source, limits }, stop.signal)
    stop.abort()
    await expect(importing).rejects.toMatchObject({ kind: 'stopped' })
    expect(await readdir(temporaryDirectory)).toEqual([])
  })
})
