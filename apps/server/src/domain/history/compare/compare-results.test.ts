import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRowComparer, type RowComparer } from '../../../engines/duckdb/compare/row-comparer.ts'
import { systemClock } from '../../../ports/clock.ts'
import type { Field } from '../../../model/result.ts'
import { compareStoredResults } from './compare-results.ts'
import { storedText } from '../../../../testing/results/stored-result.ts'

let folder: string
let rowComparer: RowComparer
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'compare-'))
  rowComparer = makeRowComparer({ temporaryDirectory: folder, atOnce: 4, clock: systemClock })
})
afterAll(async () => {
  await rowComparer.close()
  await rm(folder, { recursive: true })
})

const fieldsOf = (text: string): Field[] => text.split(' ').map((part) => ({ name: part.split(':')[0]!, type: part.split(':')[1] as Field['type'] }))

interface Table {
  fields: Field[]
  rows: unknown[][]
}
const stored = ({ fields, rows }: Table) => async () => storedText(JSON.stringify({ fields, rows, rowCount: rows.length }))
async function compare(from: Table, to: Table, keyColumns?: string[]) {
  const { signal } = new AbortController()
  const compared = await compareStoredResults({ rowComparer }, { from: stored(from), to: stored(to), signal, ...(keyColumns && { keyColumns }) })
  const changes: Change[] = []
  for await (const line of compared.changes()) changes.push(JSON.parse(line) as Change)
  return { ...compared, changes }
}
interface Change {
  op: 'add' | 'remove' | 'change'
  key: unknown[]
  before?: unknown[]
  after?: unknown[]
  cells?: unknown[]
}

const orders = fieldsOf('id:integer customer:string amount:decimal')

test('closes the first result if the second cannot be opened', async () => {
  const bytes = Readable.from([(await stored({ fields: orders, rows: [[1, 'Ada', '1.10']] })()).bytes])
  const from = async () => ({ sizeBytes: 1, encoding: 'gzip' as const, bytes })
  const to = () => Promise.reject(new Error('It is damaged.'))
  await expect(compareStoredResults({ rowComparer }, { from, to, signal: new AbortController().signal })).rejects.toThrow('It is damaged.')
  expect(bytes.destroyed).toBe(true)
})

test('names added, removed and changed rows, and the difference of numbers', async () => {
  const from = { fields: orders, rows: [[1, 'Ada', '1.10'], [2, 'Bob', '2.00'], [3, 'Cyd', null]] }
  const to = { fields: orders, rows: [[4, 'Dan', '4.00'], [3, 'Cyd', null], [1, 'Ada', '1.30']] }
  const { changes, ...compared } = await compare(from, to)
  expect(compared).toMatchObject({ keyColumns: ['id'], keyChoice: 'inferred', isKeyUnique: true, added: 1, removed: 1, changed: 1, unchanged: 1 })
  expect(changes).toEqual([
    { op: 'add', key: [4], after: [4, 'Dan', '4.00'] },
    {
      op: 'change',
      key: [1],
      before: [1, 'Ada', '1.10'],
      after: [1, 'Ada', '1.30'],
      cells: [{ column: 'amount', before: '1.10', after: '1.30', difference: '0.2' }],
    },
    { op: 'remove', key: [2], before: [2, 'Bob', '2.00'] },
  ])
})

test('finds the smallest key that is unique in both results, never among measures', async () => {
  const fields = fieldsOf('amount:decimal day:date store:string count:integer')
  const from = { fields, rows: [['1', '2026-01-01', 'a', 1], ['2', '2026-01-01', 'b', 1], ['3', '2026-01-02', 'a', 1]] }
  const to = { fields, rows: [['1', '2026-01-01', 'a', 1], ['2', '2026-01-01', 'b', 2]] }
  expect(await compare(from, to)).toMatchObject({ keyColumns: ['day', 'store'], keyChoice: 'inferred', changed: 1, removed: 1 })
  const measures = { fields: fieldsOf('amount:decimal'), rows: [['1'], ['2']] }
  const { changes, ...compared } = await compare(measures, { ...measures, rows: [['1'], ['3']] })
  expect(compared).toMatchObject({ keyColumns: ['amount'], keyChoice: 'all_columns', added: 1, removed: 1, changed: 0 })
  expect(changes.map(({ op }) => op)).toEqual(['add', 'remove'])
})

test('uses the key that the caller chooses, even if it occurs several times', async () => {
  const from = { fields: orders, rows: [[1, 'Ada', '1'], [2, 'Ada', '2'], [3, 'Ada', '3']] }
  const to = { fields: orders, rows: [[2, 'Ada', '2'], [3, 'Ada', '4']] }
  const { changes, ...compared } = await compare(from, to, ['customer'])
  // The equal row is taken out first; the remaining ones are paired in their order.
  expect(compared).toMatchObject({ keyColumns: ['customer'], keyChoice: 'chosen', isKeyUnique: false, removed: 1, changed: 1, unchanged: 1 })
  expect(changes.map(({ op, before, after }) => [op, before, after])).toEqual([
    ['change', [1, 'Ada', '1'], [3, 'Ada', '4']],
    ['remove', [3, 'Ada', '3'], undefined],
  ])
  await expect(compare(from, to, ['nothing'])).rejects.toThrow('"nothing" is not in both results')
})

test('compares the columns that both results have', async () => {
  const from = { fields: fieldsOf('id:integer name:string age:integer'), rows: [[1, 'Ada', 3], [2, 'Bob', 4]] }
  const to = { fields: fieldsOf('name:string id:string city:string'), rows: [['Ada', 1, 'Rome'], ['Rob', 2, 'Oslo']] }
  const { columns, changes, keyColumns } = await compare(from, to)
  expect(columns).toEqual({
    added: [{ name: 'city', type: 'string' }],
    removed: [{ name: 'age', type: 'integer' }],
    changed: [{ name: 'id', before: 'integer', after: 'string' }],
    isReordered: true,
  })
  expect(keyColumns).toEqual(['id'])
  expect(changes).toMatchObject([{ op: 'change', key: [2], before: [2, 'Bob', 4], after: ['Rob', 2, 'Oslo'], cells: [{ column: 'name' }] }])
})

test('compares empty results, and values that JavaScript cannot represent', async () => {
  const none = { fields: orders, rows: [] }
  expect(await compare(none, none)).toMatchObject({ added: 0, removed: 0, changed: 0, unchanged: 0, changes: [] })
  const fields = fieldsOf('id:integer document:json')
  const text = (value: string) => async () =>
    storedText(`{"fields":${JSON.stringify(fields)},"rows":[["9007199254740993",${value}]],"rowCount":1}`)
  const { signal } = new AbortController()
  const compared = await compareStoredResults({ rowComparer }, { from: text('{"n":1.00000000000000000001}'), to: text('{"n":1.00000000000000000002}'), signal })
  const lines: string[] = []
  for await (const line of compared.changes()) lines.push(line)
  expect(lines).toEqual([
    '{"op":"change","key":["9007199254740993"],"before":["9007199254740993",{"n":1.00000000000000000001}],"after":["9007199254740993",{"n":1.00000000000000000002}],"cells":[{"column":"document","before":{"n":1.00000000000000000001},"after":{"n":1.00000000000000000002}}]}',
  ])
})

describe('like a simple implementation', () => {
  const row = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.constantFrom('a', 'b', ',"]', 'ü'), fc.constantFrom(null, 1, 2))
  const table = fc.array(row, { maxLength: 12 })

  test('on random tables with keys that occur several times', async () => {
    await fc.assert(
      fc.asyncProperty(table, table, fc.constantFrom<string[]>(['a'], ['a', 'b']), async (from, to, keyColumns) => {
        const fields = fieldsOf('a:integer b:string c:integer')
        const { changes, unchanged } = await compare({ fields, rows: from }, { fields, rows: to }, keyColumns)
        const naive = naiveChanges(from, to, keyColumns.length)
        const inOrder = (each: Pick<Change, 'op' | 'before' | 'after'>[]) =>
          each.map(({ op, before, after }) => JSON.stringify([op, before ?? null, after ?? null])).toSorted()
        expect(inOrder(changes)).toEqual(inOrder(naive.changes))
        expect(unchanged).toBe(naive.unchanged)
      }),
      // Each comparison starts a process.
      { numRuns: Number(process.env['COMPARE_RUNS'] ?? 12) },
    )
  })

  /** Takes out equal rows, then pairs what remains of each key in order. */
  function naiveChanges(from: unknown[][], to: unknown[][], keyLength: number) {
    const textOf = (value: unknown) => JSON.stringify(value)
    const added = [...to]
    const removed = from.filter((each) => {
      const index = added.findIndex((other) => textOf(other) === textOf(each))
      if (index >= 0) added.splice(index, 1)
      return index < 0
    })
    const changes: Pick<Change, 'op' | 'before' | 'after'>[] = []
    for (const before of removed) {
      const index = added.findIndex((after) => textOf(after.slice(0, keyLength)) === textOf(before.slice(0, keyLength)))
      if (index < 0) changes.push({ op: 'remove', before })
      else changes.push({ op: 'change', before, after: added.splice(index, 1)[0]! })
    }
    for (const after of added) changes.push({ op: 'add', after })
    return { changes, unchanged: from.length - removed.length }
  }
})

test('leaves no files behind', async () => {
  expect(await readdir(folder)).toEqual([])
})
