import { expect, test } from 'vitest'
import { faultOf, type FileImport, type ImportAction, nextImport, reduceImports } from './imports.ts'
import { fileSize } from '../../ui/file-size.ts'
import { faultOfFile, faultOfName, formatOf, suggestTableName } from './table-files.ts'

const file = (name: string, size = 10) => ({ name, size }) as File
const after = (...actions: ImportAction[]) => actions.reduce<FileImport[]>(reduceImports, [])
const names = (imports: FileImport[]) => imports.map(({ tableName }) => tableName)
const kinds = (imports: FileImport[]) => imports.map(({ state }) => state.kind)

test.each([
  ['Orders 2026.csv', 'orders_2026'],
  ['2026-05 sales.final.CSV', 't_2026_05_sales_final'],
  ['Städte.parquet', 'städte'],
  ['events.jsonl.gz', 'events'],
  ['../../etc/passwd.csv', 'etc_passwd'],
  ['"; drop table x; --.csv', 'drop_table_x'],
  ['....csv', 'table_1'],
  [`${'x'.repeat(200)}.csv`, 'x'.repeat(60)],
])('suggests a valid table name: %j becomes %j', (fileName, tableName) => {
  expect(suggestTableName(fileName)).toBe(tableName)
  expect(faultOfName(tableName)).toBeUndefined()
})

test('detects the format and unsupported files by extension', () => {
  expect(['a.parquet', 'a.PQ', 'a.csv', 'a.txt', 'a', 'a.csv.gz', 'a.tsv'].map(formatOf)).toEqual([
    'parquet',
    'parquet',
    ...Array.from({ length: 5 }, () => 'csv'),
  ])
  expect(['a.jsonl', 'a.NDJSON', 'a.jsonl.gz', 'a.json', 'a.json.GZ'].map(formatOf)).toEqual(['jsonl', 'jsonl', 'jsonl', 'json', 'json'])
  for (const name of ['a.csv', 'a.csv.gz', 'a.json', 'a.gz']) expect(faultOfFile(file(name)), name).toBeUndefined()
  for (const name of ['a.xls', 'a.xlsx.gz', 'a.zip', 'a.tar.gz', 'a.duckdb', 'a.pdf', 'a.parquet.gz']) expect(faultOfFile(file(name)), name).toBeDefined()
  expect(faultOfFile(file('a.csv', 0))).toContain('empty')
  expect([0, 999, 1000, 12_345_678, 4e9, 4e12].map(fileSize)).toEqual(['0 bytes', '999 bytes', '1.0 kB', '12.3 MB', '4.0 GB', '4.0 TB'])
})

test('gives files with the same name different table names', () => {
  expect(names(after({ type: 'choose', files: [file('a.csv'), file('A.csv')] }, { type: 'choose', files: [file('a.parquet')] }))).toEqual([
    'a',
    'a_2',
    'a_3',
  ])
})

test('uploads only valid files, one at a time', () => {
  const chosen = after({ type: 'choose', files: ['a.csv', 'b.csv', 'c.zip', 'd.csv'].map((name) => file(name)) })
  const started = reduceImports(chosen, { type: 'start', existing: ['B'] })
  expect(kinds(started)).toEqual(['waiting', 'chosen', 'chosen', 'waiting'])
  expect(nextImport(started)?.tableName).toBe('a')
  const sending = reduceImports(started, { type: 'move', id: 1, state: { kind: 'sending', sentBytes: 1 } })
  expect(nextImport(sending)).toBeUndefined()
  const failed = reduceImports(sending, { type: 'move', id: 1, state: { kind: 'failed', error: new Error('line 3') } })
  expect(nextImport(failed)?.tableName).toBe('d')
})

test('replaces an existing table only after confirmation, which a new name resets', () => {
  const chosen = after({ type: 'choose', files: [file('a.csv')] })
  expect(faultOf(chosen[0]!, chosen, ['A'])).toEqual({ at: 'exists', message: 'The table a already exists' })
  const replacing = reduceImports(chosen, { type: 'change', id: 1, ifExists: 'replace' })
  expect(faultOf(replacing[0]!, replacing, ['A'])).toBeUndefined()
  const renamed = reduceImports(replacing, { type: 'change', id: 1, tableName: 'b' })
  expect(faultOf(renamed[0]!, renamed, ['b'])).toMatchObject({ at: 'exists' })
})

test('updates a table only by key columns, which another choice resets', () => {
  const upserting = after({ type: 'choose', files: [file('a.csv')] }, { type: 'change', id: 1, ifExists: 'upsert' })
  expect(faultOf(upserting[0]!, upserting, ['a'])).toEqual({ at: 'keys', message: 'Choose the key columns' })
  const keyed = reduceImports(upserting, { type: 'change', id: 1, keys: ['id'] })
  expect(faultOf(keyed[0]!, keyed, ['a'])).toBeUndefined()
  expect(reduceImports(keyed, { type: 'change', id: 1, ifExists: 'append' })).toMatchObject([{ ifExists: 'append', keys: [] }])
})

test('keeps the choices for reading a file, except during an upload', () => {
  const chosen = after({ type: 'choose', files: [file('a.csv')] }, { type: 'read', id: 1, given: { delimiter: ';' } })
  expect(chosen).toMatchObject([{ given: { delimiter: ';' } }])
  const waiting = reduceImports(chosen, { type: 'start', existing: [] })
  expect(reduceImports(waiting, { type: 'read', id: 1, given: {} })).toEqual(waiting)
})

test('keeps input after a failure, and ignores changes during an upload', () => {
  const chosen = after({ type: 'choose', files: [file('a.csv')] }, { type: 'change', id: 1, tableName: 'mine' })
  const sending = reduceImports(chosen, { type: 'move', id: 1, state: { kind: 'sending', sentBytes: 0 } })
  expect(names(reduceImports(sending, { type: 'change', id: 1, tableName: 'other' }))).toEqual(['mine'])
  const failed = reduceImports(sending, { type: 'move', id: 1, state: { kind: 'failed', error: 'no' } })
  expect(names(failed)).toEqual(['mine'])
  expect(kinds(reduceImports(failed, { type: 'start', existing: [] }))).toEqual(['waiting'])
  expect(reduceImports(failed, { type: 'remove', id: 1 })).toEqual([])
})
