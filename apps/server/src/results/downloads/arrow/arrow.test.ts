import { type RecordBatch, RecordBatchReader, type Table, tableFromIPC } from 'apache-arrow'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Field, FieldType } from '../../../model/result.ts'
import { findShapes } from '../find-shapes.ts'
import { field, never, storedRows } from '../../../../testing/results/stored-result.ts'
import { toArrow } from './stream.ts'

async function bytesOf(fields: Field[], rows: string[][]): Promise<Buffer> {
  const shapes = await findShapes(await storedRows(fields, rows), never())
  const pieces: Uint8Array[] = []
  for await (const piece of toArrow(await storedRows(fields, rows), shapes)) pieces.push(piece)
  return Buffer.concat(pieces)
}

const tableOf = async (fields: Field[], rows: string[][]): Promise<Table> => tableFromIPC(await bytesOf(fields, rows))

/** The raw value in memory, not the library's conversion of it. */
const wordsOf = (table: Table, column: string, row: number) => table.getChild(column)!.get(row) as Uint32Array

/** A 128-bit integer in two's complement. */
const integerOf = (words: Uint32Array) =>
  BigInt.asIntN(128, words.reduceRight((value, word) => (value << 32n) | BigInt(word >>> 0), 0n))

test('gives each column the narrowest type that keeps its values exact', async () => {
  const columns: [string, FieldType, string, [string, unknown][]][] = [
    ['small', 'integer', 'Int64', [['-3', -3n], ['"-9223372036854775808"', -(2n ** 63n)], ['9007199254740991', 9007199254740991n]]],
    ['negative', 'integer', 'Int64', [['-9007199254740991', -9007199254740991n], ['-4294967296', -4294967296n], ['null', null]]],
    ['unsigned', 'integer', 'Uint64', [['1', 1n], ['"18446744073709551615"', 2n ** 64n - 1n], ['null', null]]],
    ['beyond', 'integer', 'Utf8', [['1', '1'], [`"${'9'.repeat(39)}"`, '9'.repeat(39)], ['null', null]]],
    ['ratio', 'number', 'Float64', [['0.1', 0.1], ['"-Infinity"', -Infinity], ['"NaN"', NaN]]],
    ['zero', 'number', 'Float64', [['-0', -0], ['1e+300', 1e300], ['null', null]]],
    ['ok', 'boolean', 'Bool', [['true', true], ['null', null], ['false', false]]],
    ['far', 'date', 'Utf8', [['"+012026-01-01"', '+012026-01-01'], ['"infinity"', 'infinity'], ['null', null]]],
    ['distant', 'timestamp', 'Utf8', [['"2300-01-05T09:00:00.123456789Z"', '2300-01-05T09:00:00.123456789Z'], ['null', null], ['null', null]]],
    ['odd', 'decimal', 'Utf8', [['"1.5"', '1.5'], ['"NaN"', 'NaN'], ['null', null]]],
    ['name', 'string', 'Utf8', [['"a\\"b\\n\\u0007ü😀"', 'a"b\n\u0007ü😀'], ['""', ''], ['null', null]]],
    ['more', 'json', 'Utf8', [[' {"a":12345678901234567890123, "b":1.10} ', '{"a":12345678901234567890123, "b":1.10}'], ['null', null], [' null ', null]]],
  ]
  const table = await tableOf(
    columns.map(([name, type]) => field(name, type)),
    [0, 1, 2].map((row) => columns.map(([, , , values]) => values[row]![0])),
  )
  expect(table.schema.fields.map(({ name, type }) => [name, String(type)])).toEqual(columns.map(([name, , type]) => [name, type]))
  for (const [name, , , values] of columns) {
    expect([...table.getChild(name)!], name).toEqual(values.map(([, value]) => value))
  }
  expect(table.schema.fields.at(-1)!.metadata.get('ARROW:extension:name')).toBe('arrow.json')
})

test('writes decimals as 128 bits with the precision they need', async () => {
  const fields = [field('price', 'decimal'), field('large', 'decimal'), field('huge', 'integer'), field('wide', 'decimal')]
  const rows = [
    ['"12.500"', `"${'9'.repeat(30)}.12345678"`, '"18446744073709551616"', `"${'9'.repeat(30)}.123456789"`],
    ['"-1234.5"', '"-0.00000001"', '-1', '"0.5"'],
    ['null', '"5"', '"-170141183460469231731687303715884105"', 'null'],
  ]
  const table = await tableOf(fields, rows)
  expect(table.schema.fields.map(({ type }) => String(type))).toEqual(['Decimal[7e+3]', 'Decimal[38e+8]', 'Decimal[38e0]', 'Utf8'])
  const read = (column: string) => [0, 1].map((row) => integerOf(wordsOf(table, column, row)))
  expect(read('price')).toEqual([12500n, -1234500n])
  expect(read('large')).toEqual([BigInt(`${'9'.repeat(30)}12345678`), -1n])
  expect(read('huge')).toEqual([2n ** 64n, -1n])
  expect(integerOf(wordsOf(table, 'large', 2))).toBe(500_000_000n)
  expect(integerOf(wordsOf(table, 'huge', 2))).toBe(-170141183460469231731687303715884105n)
  expect(table.getChild('price')!.get(2)).toBeNull()
})

test('counts dates and timestamps from 1970 for any year', async () => {
  const fields = [field('on', 'date'), field('at', 'timestamp'), field('nanos', 'timestamp')]
  const [firstDay, lastDay] = [-719_162, 2_932_896]
  const days = fc.integer({ min: firstDay, max: lastDay })
  const rows = fc.sample(fc.tuple(days, fc.integer({ min: 0, max: 86_399_999 }), fc.integer({ min: 0, max: 999_999 })), { seed: 20260105, numRuns: 300 })
  const cases = [[firstDay, 0, 0], [-1, 86_399_999, 999_999], [0, 0, 0], [lastDay, 86_399_999, 999_999], [-25_509, 1, 1], ...rows]
  const iso = (day: number, ms: number) => new Date(day * 86_400_000 + ms).toISOString()
  const table = await tableOf(
    fields,
    cases.map(([day, ms, nanos]) => [
      `"${iso(day!, 0).slice(0, 10)}"`,
      `"${iso(day!, ms!).slice(0, -1)}${String(nanos! % 1000).padStart(3, '0')}Z"`,
      `"${iso(day! % 80_000, ms!).slice(0, -1)}${String(nanos).padStart(6, '0')}Z"`,
    ]),
  )
  expect(table.schema.fields.map(({ type }) => String(type))).toEqual(['Date32<DAY>', 'Timestamp<MICROSECOND, UTC>', 'Timestamp<NANOSECOND, UTC>'])
  const [on, at, nanoseconds] = fields.map(({ name }) => table.getChild(name)!.data.flatMap(({ values, length }) => [...(values as Iterable<number | bigint>)].slice(0, length)))
  expect(on).toEqual(cases.map(([day]) => day))
  expect(at).toEqual(cases.map(([day, ms, nanos]) => BigInt(day! * 86_400_000 + ms!) * 1000n + BigInt(nanos! % 1000)))
  expect(nanoseconds).toEqual(cases.map(([day, ms, nanos]) => BigInt((day! % 80_000) * 86_400_000 + ms!) * 1_000_000n + BigInt(nanos!)))
})

test('integers, decimals and text survive a round trip', async () => {
  const row = fc.record({
    integer: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    decimal: fc.option(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })),
    text: fc.option(fc.string({ unit: 'grapheme' })),
    isTrue: fc.option(fc.boolean()),
  })
  const isSafe = (value: bigint) => Number.isSafeInteger(Number(value))
  const decimalText = (value: bigint) => `${value < 0n ? '-' : ''}${String(value < 0n ? -value : value).padStart(4, '0').replace(/(\d{3})$/, '.$1')}`
  const fields = [field('integer', 'integer'), field('decimal', 'decimal'), field('text', 'string'), field('isTrue', 'boolean')]
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (rows) => {
      const table = await tableOf(
        fields,
        rows.map(({ integer, decimal, text, isTrue }) => [
          integer === null ? 'null' : isSafe(integer) ? String(integer) : `"${integer}"`,
          decimal === null ? 'null' : `"${decimalText(decimal)}"`,
          JSON.stringify(text),
          String(isTrue),
        ]),
      )
      const read = rows.map((_, index) => {
        const decimal = table.getChild('decimal')!.get(index) as Uint32Array | null
        return {
          integer: table.getChild('integer')!.get(index) as bigint | null,
          decimal: decimal && integerOf(decimal),
          text: table.getChild('text')!.get(index) as string | null,
          isTrue: table.getChild('isTrue')!.get(index) as boolean | null,
        }
      })
      expect(read).toEqual(rows)
    }),
    { seed: 20260105, numRuns: 60 },
  )
})

test('splits many rows into a few large batches', async () => {
  const rows = Array.from({ length: 70_000 }, (_, index) => [index % 3 === 0 ? 'null' : String(index), `"${index}"`])
  const bytes = await bytesOf([field('id', 'integer'), field('text', 'string')], rows)
  const batches: RecordBatch[] = [...RecordBatchReader.from(bytes)]
  expect(batches.map(({ numRows }) => numRows)).toEqual([66_000, 4000])
  const table = tableFromIPC(bytes)
  expect(table.getChild('id')!.nullCount).toBe(Math.ceil(70_000 / 3))
  expect([0, 1, 66_000, 69_999].map((row) => [table.getChild('id')!.get(row), table.getChild('text')!.get(row)])).toEqual([
    [null, '0'],
    [1n, '1'],
    [null, '66000'],
    [null, '69999'],
  ])
})

test('has uniquely named columns even without rows', async () => {
  const table = await tableOf([field('a', 'integer'), field('A', 'string'), field('', 'decimal')], [])
  expect(table.numRows).toBe(0)
  expect(table.schema.fields.map(({ name, type }) => [name, String(type)])).toEqual([['a', 'Int64'], ['A_2', 'Utf8'], ['column', 'Decimal[1e0]']])
})

test('ends with an end-of-stream marker, so that truncation is detected', async () => {
  const bytes = await bytesOf([field('a', 'integer')], [['1']])
  expect([...bytes.subarray(-8)]).toEqual([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
})

test('stops reading when aborted', async () => {
  let isOver = false
  async function* endless(): AsyncGenerator<string, undefined> {
    try {
      for (;;) yield `[${Array.from({ length: 1000 }, (_, index) => `[${index}]`).join(',')}]`
    } finally {
      isOver = true
    }
  }
  const fields = [field('a', 'integer')]
  await expect(findShapes({ fields, batches: endless() }, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  expect(isOver).toBe(true)
  isOver = false
  const shapes = await findShapes(await storedRows(fields, []), never())
  for await (const piece of toArrow({ fields, batches: endless() }, shapes)) if (piece.length > 100_000) break
  expect(isOver).toBe(true)
})
