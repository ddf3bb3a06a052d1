import { expect, test } from 'vitest'
import { readFirstRows } from './first-rows.ts'

const fields = [
  { name: 'a ] odd "name" [', type: 'string' },
  { name: 'nested', type: 'json' },
]
const rows = [
  ['one', [[1], { b: ']' }]],
  ['two \\" ],[ \u{1f4ee}', null],
  ['three', { c: [] }],
]
const whole = JSON.stringify({ fields, rows, rowCount: rows.length })

/** Streams the bytes in pieces; `pulled` counts how many were read. */
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

test.each([1, 2, 7, 10_000])('reads the first rows from pieces of %i bytes', async (pieceBytes) => {
  for (const limit of [1, 2, 3]) {
    expect(await readFirstRows(stream(whole, pieceBytes).body, limit)).toEqual({ fields, rows: rows.slice(0, limit) })
  }
})

test('reads all rows if there are fewer than the limit', async () => {
  expect(await readFirstRows(stream(whole, 5).body, 500)).toEqual({ fields, rows })
  const empty = JSON.stringify({ fields, rows: [], rowCount: 0 })
  expect(await readFirstRows(stream(empty, 5).body, 500)).toEqual({ fields, rows: [] })
})

test('leaves the rest unread', async () => {
  const many = JSON.stringify({ fields, rows: Array.from({ length: 10_000 }, () => rows[0]), rowCount: 10_000 })
  const { body, seen } = stream(many, 1000)
  expect((await readFirstRows(body, 10)).rows).toHaveLength(10)
  expect(seen).toEqual({ pulled: 1, isCanceled: true })
})

test('rejects a truncated result', async () => {
  await expect(readFirstRows(stream(whole.slice(0, -20), 7).body, 500)).rejects.toThrow('incomplete')
})
