import { nestedTooDeeply } from '@querypost/visualization'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LoadedResult, loadResult } from './load-result.ts'

const fields = [
  { name: 'a ] odd "name" [', type: 'string' },
  { name: 'nested', type: 'json' },
]
const rows = [
  ['one', [[1], { b: ']' }]],
  ['two \\" ],[ \u{1f4ee}', null],
  ['three', { c: [] }],
]

/** Streams the text in chunks of the given size; `seen` counts the chunks that were pulled. */
function stream(text: string, pieceBytes: number) {
  const bytes = new TextEncoder().encode(text)
  const seen = { pulled: 0, isCanceled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const from = seen.pulled++ * pieceBytes
        if (from >= bytes.length) controller.close()
        else controller.enqueue(bytes.slice(from, from + pieceBytes))
      },
      cancel() {
        seen.isCanceled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { body, seen }
}

const textOf = (all: unknown[][]) => JSON.stringify({ fields, rows: all, rowCount: all.length })
const ended = { fields, isLoading: false, isCut: false }

test('reads any rows, however the bytes are split', async () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  const someRows = fc.array(fc.array(value, { maxLength: 4 }), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(someRows, fc.integer({ min: 1, max: 40 }), async (all, size) => {
      const plain = JSON.parse(JSON.stringify(all)) as unknown[][]
      expect(await loadResult(stream(textOf(all), size).body)).toEqual({ ...ended, rows: plain })
    }),
    { seed: 7, numRuns: 300 },
  )
})

test('replaces JSON that is nested too deeply with a message', async () => {
  const deep = `${'['.repeat(8_000)}${']'.repeat(8_000)}`
  const text = `{"fields":${JSON.stringify(fields)},"rows":[["a",[1]],["b",${deep}],["c",{}]],"rowCount":3}`
  for (const size of [100, 100_000]) {
    const expected = [['a', [1]], ['b', nestedTooDeeply], ['c', {}]]
    expect(await loadResult(stream(text, size).body)).toEqual({ ...ended, rows: expected })
  }
})

test('reads an empty result with its fields', async () => {
  expect(await loadResult(stream(textOf([]), 5).body)).toEqual({ ...ended, rows: [] })
})

test('stops reading at the limits and marks the result as cut', async () => {
  const many = textOf(Array.from({ length: 10_000 }, () => rows[0]!))
  const byRows = stream(many, 1000)
  const first = await loadResult(byRows.body, { limits: { rows: 10, bytes: 1e9 } })
  expect(first).toEqual({ fields, rows: Array.from({ length: 10 }, () => rows[0]), isLoading: false, isCut: true })
  expect(byRows.seen).toEqual({ pulled: 1, isCanceled: true })
  const byBytes = stream(many, 1000)
  expect(await loadResult(byBytes.body, { limits: { rows: 1e9, bytes: 2500 } })).toMatchObject({ isCut: true })
  expect(byBytes.seen).toEqual({ pulled: 3, isCanceled: true })
})

test('does not mark a result of exactly the row limit as cut', async () => {
  expect(await loadResult(stream(textOf(rows), 7).body, { limits: { rows: 3, bytes: 1e9 } })).toEqual({ ...ended, rows })
  const cut = await loadResult(stream(textOf(rows), 100_000).body, { limits: { rows: 2, bytes: 1e9 } })
  expect(cut).toMatchObject({ rows: rows.slice(0, 2), isCut: true })
})

test('reports the first rows early, pauses for the page, and never changes rows it has reported', async () => {
  const shown: LoadedResult[] = []
  let nowMs = 0
  let pauses = 0
  const all = Array.from({ length: 200 }, (_, n) => [String(n), null])
  const loaded = await loadResult(stream(textOf(all), 50).body, {
    onProgress: (result) => shown.push(result),
    pause: async () => void pauses++,
    now: () => (nowMs += 5),
  })
  expect(loaded.rows).toEqual(all)
  expect(pauses).toBeGreaterThan(5)
  expect(shown.length).toBeGreaterThan(1)
  expect(shown.length).toBeLessThan(pauses)
  for (const result of shown) {
    expect(result).toMatchObject({ fields, isLoading: true, isCut: false })
    expect(result.rows).toEqual(all.slice(0, result.rows.length))
  }
})

test('rejects a result that ends early', async () => {
  await expect(loadResult(stream(textOf(rows).slice(0, -20), 7).body)).rejects.toThrow('before the result was complete')
})
