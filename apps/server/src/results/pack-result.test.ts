import { createHash } from 'node:crypto'
import { text as textFrom } from 'node:stream/consumers'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EngineResult, RowBatch } from '../model/result.ts'
import { compress, gzipMaxBytes } from './compress.ts'
import { encodingOf, unpacked } from './encodings.ts'
import { packResult } from './pack-result.ts'

const limits = { maxRows: 1_000_000, maxMb: 1000 }

/** Batches of these sizes, each of which is overwritten when it is released. */
function resultOf(sizes: number[]) {
  const texts = sizes.map((size, index) => JSON.stringify([index, 'x'.repeat(size)]))
  const released: number[] = []
  let isStopped = false
  async function* batches(): AsyncGenerator<RowBatch> {
    try {
      for (const [index, text] of texts.entries()) {
        const json = Buffer.from(text)
        yield { rowCount: 1, json, release: () => void (released.push(index), json.fill('!')) }
      }
    } finally {
      isStopped = true
    }
  }
  const result: EngineResult = { fields: [], batches: batches(), statistics: () => ({ rowsRead: null, rowsWritten: null }) }
  return { result, text: `{"fields":[],"rows":[${texts.join(',')}],"rowCount":${sizes.length}}`, released, isStopped: () => isStopped }
}

async function readAll(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of bytes) pieces.push(piece)
  return Buffer.concat(pieces)
}

describe.each([
  ['no rows', [], 'gzip'],
  ['a small row', [10], 'gzip'],
  ['small rows', Array.from({ length: 50 }, () => 100), 'gzip'],
  ['small rows before large ones', [10, 10, 20_000, 10, 20_000, 200_000, 10, 200_000], 'gzip'],
  ['large rows', Array.from({ length: 20 }, (_, index) => 100_000 + index), 'gzip'],
  ['many large rows', [10, ...Array.from({ length: 60 }, (_, index) => 100_000 + index)], 'zstd'],
])('a result of %s', (_what, sizes, encoding) => {
  test('is packed as it was, although its batches are released while it is read', async () => {
    const { result, text, released } = resultOf(sizes)
    const { bytes, written } = packResult(result, { limits })
    const packed = await readAll(bytes)
    expect(encodingOf(packed)).toBe(encoding)
    expect((await textFrom(unpacked({ bytes: packed, encoding: encodingOf(packed) }))) === text).toBe(true)
    expect(written()).toMatchObject({ rowCount: sizes.length, sizeBytes: packed.length })
    // All but the last.
    expect(released).toEqual(sizes.slice(1).map((_, index) => index))
  })
})

test.each([
  ['the last with gzip', gzipMaxBytes, 'gzip'],
  ['the first with zstd', gzipMaxBytes + 1, 'zstd'],
])('%s', async (_what, length, encoding) => {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(length - 1, 'a')
    yield Buffer.from('b')
  }
  expect(encodingOf(await readAll(compress(pieces())))).toBe(encoding)
})

test('equal content gives equal bytes, however the engine cuts it into batches', async () => {
  const content = Buffer.from(Array.from({ length: 400_000 }, (_, n) => `[${n},"${(n * 7919) % 1000}"]`).join(','))
  expect(content.length).toBeGreaterThan(gzipMaxBytes)
  async function hashOf(cuts: number[]): Promise<string> {
    async function* pieces(): AsyncGenerator<Uint8Array> {
      const at = [0, ...cuts.toSorted((a, b) => a - b), content.length]
      for (const [index, from] of at.slice(0, -1).entries()) if (at[index + 1]! > from) yield content.subarray(from, at[index + 1])
    }
    return createHash('sha256').update(await readAll(compress(pieces()))).digest('hex')
  }
  const whole = await hashOf([])
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(content.length), { maxLength: 50 }), async (cuts) => {
      expect(await hashOf(cuts)).toBe(whole)
    }),
    { numRuns: 15 },
  )
})

test('stops the engine when the reader stops early', async () => {
  const { result, isStopped } = resultOf(Array.from({ length: 80 }, () => 100_000))
  const { bytes } = packResult(result, { limits })
  expect((await bytes.next()).done).toBe(false)
  expect(isStopped()).toBe(false)
  await bytes.return(undefined)
  expect(isStopped()).toBe(true)
})

test('throws the error of an engine in the middle of its rows', async () => {
  async function* batches(): AsyncGenerator<RowBatch> {
    for (let index = 0; index < 50; index++) yield { rowCount: 1, json: Buffer.from(JSON.stringify(['x'.repeat(100_000)])) }
    throw new Error('connection lost')
  }
  const result: EngineResult = { fields: [], batches: batches(), statistics: () => ({ rowsRead: null, rowsWritten: null }) }
  const { bytes } = packResult(result, { limits })
  await expect(readAll(bytes)).rejects.toThrow('connection lost')
})
