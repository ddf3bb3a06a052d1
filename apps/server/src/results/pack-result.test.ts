import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { EngineResult, RowBatch } from '../model/result.ts'
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
  ['no rows', []],
  ['a small row', [10]],
  ['small rows', Array.from({ length: 50 }, () => 100)],
  ['small rows before large ones', [10, 10, 20_000, 10, 20_000, 200_000, 10, 200_000]],
  ['large rows', Array.from({ length: 20 }, (_, index) => 100_000 + index)],
])('a result of %s', (_what, sizes) => {
  test('is packed as it was, although its batches are released while it is read', async () => {
    const { result, text, released } = resultOf(sizes)
    const { bytes, written } = packResult(result, { limits })
    const packed = await readAll(bytes)
    expect(gunzipSync(packed).toString()).toBe(text)
    expect(written()).toMatchObject({ rowCount: sizes.length, sizeBytes: packed.length })
    // All but the last.
    expect(released).toEqual(sizes.slice(1).map((_, index) => index))
  })
})

test('stops the engine when the reader stops early', async () => {
  const { result, isStopped } = resultOf(Array.from({ length: 20 }, () => 100_000))
  const { bytes } = packResult(result, { limits })
  expect((await bytes.next()).done).toBe(false)
  expect(isStopped()).toBe(false)
  await bytes.return(undefined)
  expect(isStopped()).toBe(true)
})

test('throws the error of an engine in the middle of its rows', async () => {
  async function* batches(): AsyncGenerator<RowBatch> {
    for (let index = 0; index < 5; index++) yield { rowCount: 1, json: Buffer.from(JSON.stringify(['x'.repeat(100_000)])) }
    throw new Error('connection lost')
  }
  const result: EngineResult = { fields: [], batches: batches(), statistics: () => ({ rowsRead: null, rowsWritten: null }) }
  const { bytes } = packResult(result, { limits })
  await expect(readAll(bytes)).rejects.toThrow('connection lost')
})
