import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyDifferences } from './apply-differences.ts'
import { encodeDifference } from './encode-difference.ts'
import { atOnce } from './in-turns.ts'
import { ArchiveDamaged } from './number-bytes.ts'
import { findRows } from './row-document.ts'

const documentOf = (rows: unknown[][], fields = [{ name: 'a', type: 'integer' }]) =>
  Buffer.from(`{"fields":${JSON.stringify(fields)},"rows":${JSON.stringify(rows)},"rowCount":${rows.length}}`)
const rowsOf = (bytes: Buffer) => atOnce(findRows(bytes))!

/** The last of several documents, restored from the first and the differences. */
function restoreLast(documents: Buffer[]): Buffer {
  const differences = documents.slice(1).map((next, index) => encodeDifference(rowsOf(documents[index]!), rowsOf(next)))
  const restored = applyDifferences(rowsOf(documents[0]!), differences)
  const bytes = Buffer.concat([...restored.pieces()])
  expect(restored.sizeBytes).toBe(bytes.length)
  return bytes
}

const row = fc.tuple(fc.integer({ min: 0, max: 9 }), fc.oneof(fc.string({ maxLength: 5 }), fc.constantFrom('],[', '"', '\\', 'ü')), fc.constantFrom(null, 1.5, ['[']))
type Rows = [number, string, unknown][]
const change = fc.oneof(
  fc.record({ kind: fc.constant('insert'), at: fc.nat(50), rows: fc.array(row, { maxLength: 5 }) }),
  fc.record({ kind: fc.constant('remove'), at: fc.nat(50), count: fc.nat(5) }),
  fc.record({ kind: fc.constant('replace'), at: fc.nat(50), row }),
  fc.record({ kind: fc.constant('cell'), at: fc.nat(50), text: fc.string({ maxLength: 4 }) }),
  fc.record({ kind: fc.constant('move'), at: fc.nat(50), to: fc.nat(50) }),
  fc.record({ kind: fc.constant('sort') }),
)
type Change = { kind: string; at?: number; to?: number; count?: number; rows?: Rows; row?: Rows[number]; text?: string }

function changed(rows: Rows, { kind, at = 0, to = 0, count, rows: inserted, row: replacement, text }: Change): Rows {
  const place = at % rows.length
  const result = [...rows]
  if (kind === 'insert') result.splice(place, 0, ...inserted!)
  if (kind === 'remove') result.splice(place, Math.min(count!, rows.length - 1))
  if (kind === 'replace') result[place] = replacement!
  if (kind === 'cell') result[place] = [rows[place]![0], text!, rows[place]![2]]
  if (kind === 'move') result.splice(to % rows.length, 0, ...result.splice(place, 1))
  if (kind === 'sort') result.sort((one, other) => one[0] - other[0])
  return result
}

describe('differences', () => {
  test('restore every document of a random history byte for byte', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 6 }), (first, days) => {
        const history: Rows[] = [first]
        for (const changes of days) history.push(changes.reduce(changed, history.at(-1)!))
        const documents = history.map((rows) => documentOf(rows))
        for (let count = 1; count <= documents.length; count++) {
          expect(restoreLast(documents.slice(0, count)).equals(documents[count - 1]!)).toBe(true)
        }
      }),
    )
  })

  test('restore changed columns and row counts', () => {
    const one = documentOf([[1], [2]])
    const other = documentOf([[2, 'x'], [3, 'y'], [1, 'z']], [{ name: 'b', type: 'integer' }, { name: 'c', type: 'string' }])
    expect(restoreLast([one, other, one]).toString()).toBe(one.toString())
    expect(restoreLast([one, other]).toString()).toBe(other.toString())
  })

  test('restore documents larger than a piece', () => {
    const rows = Array.from({ length: 30_000 }, (_, number): unknown[] => [number, `text ${number % 7}`])
    const next = rows.map((each) => (Number(each[0]) % 100 === 0 ? [each[0], 'changed'] : each))
    const documents = [documentOf(rows), documentOf(next), documentOf(next.toReversed())]
    expect(restoreLast(documents).equals(documents[2]!)).toBe(true)
  })

  test('take a few bytes for each changed, inserted or removed row', () => {
    const rows = Array.from({ length: 1000 }, (_, number): unknown[] => [number, `a longer text that does not change ${number}`, 0])
    const next = rows.map((each, number) => (number % 100 === 50 ? [each[0], each[1], 7] : each))
    next.splice(700, 3)
    next.splice(200, 0, [-1, 'new', 0])
    const difference = encodeDifference(rowsOf(documentOf(rows)), rowsOf(documentOf(next)))
    expect(difference.length).toBeLessThan(200)
  })

  test('copy rows that occur several times', () => {
    const many = Array.from({ length: 500 }, () => ['same'])
    const difference = encodeDifference(rowsOf(documentOf(many)), rowsOf(documentOf([...many, ...many])))
    expect(difference.length).toBeLessThan(2100)
    expect(restoreLast([documentOf(many), documentOf([...many, ...many])]).equals(documentOf([...many, ...many]))).toBe(true)
  })

  test('damaged bytes are recognized, or restore something else, which its hash reveals', () => {
    const [base, next] = [documentOf([[1, 'a'], [2, 'b'], [3, 'c']]), documentOf([[1, 'a'], [2, 'x'], [4, 'd'], [3, 'c']])]
    const difference = encodeDifference(rowsOf(base), rowsOf(next))
    for (let at = 0; at < difference.length; at++) {
      for (const bit of [1, 16, 128]) {
        const damaged = Buffer.from(difference)
        damaged[at]! ^= bit
        expect(restoreDamaged(base, damaged).equals(next)).toBe(false)
      }
    }
    for (let length = 0; length < difference.length; length++) {
      expect(() => applyDifferences(rowsOf(base), [difference.subarray(0, length)])).toThrow(ArchiveDamaged)
    }
  })
})

/** What damaged bytes restore; nothing if they are recognized as damaged. Any other error fails the test. */
function restoreDamaged(base: Buffer, difference: Buffer): Buffer {
  try {
    return Buffer.concat([...applyDifferences(rowsOf(base), [difference]).pieces()])
  } catch (error) {
    if (error instanceof ArchiveDamaged) return Buffer.alloc(0)
    throw error
  }
}

describe('the rows of a document', () => {
  test('are found whatever their texts contain', () => {
    const rows = [['],[', '"', '\\'], ['{', '\\"', [['x']]], [null, 1, { a: [1, '}'] }]]
    const { bytes, starts, ends } = rowsOf(documentOf(rows))
    expect([...starts].map((start, index) => JSON.parse(bytes.subarray(start, ends[index]).toString()))).toEqual(rows)
  })

  test.each([
    ['there are none', documentOf([])],
    ['they are separated by more than a comma', Buffer.from('{"fields":[],"rows":[[1], [2]],"rowCount":2}')],
  ])('are not looked for if %s', (_, bytes) => {
    expect(atOnce(findRows(bytes))).toBeUndefined()
  })
})
