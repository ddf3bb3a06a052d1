import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFirstRows } from './first-rows.ts'

const streamOf = (text: string, pieceBytes: number, onCancel = () => {}) => {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at + pieceBytes))
      at += pieceBytes
    },
    cancel: onCancel,
  })
}

test('reads the same rows wherever the bytes are split', async () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"', '\\', '[', ']}', '{"', '\\"['),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const sample = fc.record({
    rows: fc.array(fc.array(value, { minLength: 1, maxLength: 3 }), { maxLength: 5 }),
    names: fc.array(fc.string(), { maxLength: 3 }),
    pieceBytes: fc.integer({ min: 1, max: 40 }),
    rowsMax: fc.integer({ min: 1, max: 6 }),
  })
  const property = fc.asyncProperty(sample, async ({ rows, names, pieceBytes, rowsMax }) => {
    const fields = names.map((name) => ({ name, type: 'string' }))
    const whole = JSON.stringify({ fields, rows, rowCount: rows.length })
    const read = await readFirstRows(streamOf(whole, pieceBytes), rowsMax)
    const known = JSON.parse(whole) as { rows: unknown[][] }
    expect(read.fields).toEqual(fields)
    expect(read.rows).toEqual(known.rows.slice(0, rowsMax))
    expect(read.rowCount).toBe(rowsMax <= rows.length ? undefined : rows.length)
  })
  await fc.assert(property, { seed: 3, numRuns: 40 })
})

test('stops reading after the last row that is shown', async () => {
  let isCanceled = false
  const endless = `{"fields":[{"name":"n","type":"integer"}],"rows":[${'[1],'.repeat(10_000)}[1]],"rowCount":10001}`
  const { rows, rowCount } = await readFirstRows(
    streamOf(endless, 100, () => (isCanceled = true)),
    3,
  )
  expect([rows, rowCount, isCanceled]).toEqual([[[1], [1], [1]], undefined, true])
})
