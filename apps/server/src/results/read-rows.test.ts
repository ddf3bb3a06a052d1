import { Readable } from 'node:stream'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { nestedTooDeeply } from '@querypost/visualization'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Field } from '../model/result.ts'
import { readRawRows, readRows } from './read-rows.ts'
import type { Encoding, StoredResult } from './result-store.ts'
import { makeRowSplitter, rowMaxBytes } from './row-splitter.ts'
import { storedText } from '../../testing/results/stored-result.ts'

const fields: Field[] = [
  { name: 'a "quoted" [name] {of} \\ much', type: 'string' },
  { name: 'n', type: 'integer' },
]

const textOf = (rows: unknown[][], ofFields = fields) =>
  `{"fields":${JSON.stringify(ofFields)},"rows":[${rows.map((row) => JSON.stringify(row)).join(',')}],"rowCount":${rows.length}}`


/** As a stream, like large results. `isOpen` tells whether its file would still be open. */
function streamed(text: string) {
  const bytes = Readable.from(slices(gzipSync(text), [1000]), { objectMode: false })
  return { stored: { sizeBytes: 0, encoding: 'gzip', bytes } as StoredResult, isOpen: () => !bytes.destroyed }
}

function* slices(bytes: Buffer, sizes: number[]): Generator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!
    yield bytes.subarray(at, at + size)
    at += size
  }
}

async function readAll(result: StoredResult) {
  const { fields: read, batches } = await readRows(result)
  const rows: unknown[][] = []
  const sizes: number[] = []
  for await (const batch of batches) {
    rows.push(...batch)
    sizes.push(batch.length)
  }
  return { fields: read, rows, sizes }
}

const anyRow = fc.array(
  fc.oneof(
    fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', 'é', '漢', '😀', '\n', '\u0000', 'a') }),
    fc.json().map((text) => JSON.parse(text) as unknown),
    fc.constant(null),
  ),
  { maxLength: 5 },
)

test('reads any rows however the text is chunked', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 30 }), fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), (rows, sizes) => {
      const splitter = makeRowSplitter()
      const pieces = [...slices(Buffer.from(textOf(rows)), sizes)].flatMap((chunk) => splitter.push(chunk))
      const [readFields, ...batches] = pieces.map((piece) => JSON.parse(piece) as unknown[])
      expect(readFields).toEqual(fields)
      expect(batches.flat()).toEqual(JSON.parse(JSON.stringify(rows)))
      expect(splitter.isOver()).toBe(true)
    }),
    { seed: 41, numRuns: 500 },
  )
})

test('reads a result in batches of a thousand rows', async () => {
  const rows = Array.from({ length: 2500 }, (_, n) => [`row ${n}`, n])
  expect(await readAll(storedText(textOf(rows)))).toEqual({ fields, rows, sizes: [1000, 1000, 500] })
  expect((await readAll(streamed(textOf(rows)).stored)).rows).toEqual(rows)
})

test('reads wide rows in smaller batches', async () => {
  const rows = Array.from({ length: 5 }, (_, n) => ['x'.repeat(700_000), n])
  expect((await readAll(storedText(textOf(rows)))).sizes).toEqual([2, 2, 1])
})

test('reads a result without rows, and one without fields', async () => {
  expect(await readAll(storedText(textOf([])))).toEqual({ fields, rows: [], sizes: [] })
  expect(await readAll(storedText(textOf([[], []], [])))).toEqual({ fields: [], rows: [[], []], sizes: [2] })
})

test('closes the file when the loop is left early or never started', async () => {
  const text = textOf(Array.from({ length: 50_000 }, (_, n) => [`row ${n * 7919}`, n]))
  const left = streamed(text)
  for await (const batch of (await readRows(left.stored)).batches) {
    expect(batch).toHaveLength(1000)
    break
  }
  expect(left.isOpen()).toBe(false)
  const closed = streamed(text)
  const { close } = await readRows(closed.stored)
  expect(closed.isOpen()).toBe(true)
  await close()
  expect(closed.isOpen()).toBe(false)
})

test('rejects a row that is too large and reads one just below the limit', async () => {
  const wide = (bytes: number) => storedText(textOf([['small', 1], ['x'.repeat(bytes), 2]]))
  await expect(readAll(wide(rowMaxBytes))).rejects.toThrow('larger than 16 MB. Select fewer or shorter columns.')
  expect((await readAll(wide(rowMaxBytes - 100))).rows).toHaveLength(2)
})

test('reports a damaged file as an error', async () => {
  const whole = gzipSync(textOf([['a', 1], ['b', 2]]))
  const damaged = (encoding: Encoding, bytes: Buffer) => readAll({ sizeBytes: 0, encoding, bytes })
  await expect(damaged('gzip', whole.subarray(0, whole.length - 30))).rejects.toThrow('unexpected end of file')
  await expect(readAll(storedText('{"fields":[],"rows":[[1],[2'))).rejects.toThrow('is incomplete')
  await expect(damaged('gzip', Buffer.from('not gzip'))).rejects.toThrow('incorrect header check')
  const zstd = zstdCompressSync(textOf([['a', 1], ['b', 2]]))
  await expect(damaged('zstd', zstd.subarray(0, zstd.length - 10))).rejects.toThrow('unexpected end of file')
  await expect(damaged('zstd', Buffer.from('not zstd'))).rejects.toThrow('Unknown frame descriptor')
})

test('passes on an error of the source', async () => {
  const bytes = new Readable({ read() { this.destroy(new Error('the disk is gone')) } })
  await expect(readRows({ sizeBytes: 0, encoding: 'gzip', bytes })).rejects.toThrow('the disk is gone')
})

test('replaces a value that nests too deeply, but keeps its raw text unchanged', async () => {
  const nested = `${'['.repeat(8_000)}${']'.repeat(8_000)}`
  const text = `{"fields":${JSON.stringify(fields)},"rows":[["a",1],[${nested},2],[[[]],3]],"rowCount":3}`
  expect((await readAll(storedText(text))).rows).toEqual([
    ['a', 1],
    [nestedTooDeeply, 2],
    [[[]], 3],
  ])
  const batches: string[] = []
  for await (const rows of (await readRawRows(storedText(text))).batches) batches.push(rows)
  expect(batches.join('')).toContain(nested)
})
