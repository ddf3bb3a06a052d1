import { expect, test } from 'vitest'
import { estimateBytes, rememberedValues } from './remembered-values.ts'

const kib = 1024

test('keeps as many values as fit into their total size, the latest', () => {
  const values = rememberedValues<string, string>({ maxBytes: 100 * kib })
  for (const key of ['a', 'b', 'c', 'd']) values.set(key, key.repeat(20 * kib))
  expect(['a', 'b', 'c', 'd'].map((key) => values.get(key)?.length)).toEqual([undefined, undefined, 20 * kib, 20 * kib])
  expect(values.count).toBe(2)
  expect(values.sizeBytes).toBeLessThanOrEqual(100 * kib)
})

test('keeps thousands of small values in the same room', () => {
  const values = rememberedValues<string, { n: number }>({ maxBytes: kib * kib })
  for (let n = 0; n < 5_000; n++) values.set(`key ${n}`, { n })
  expect(values.count).toBe(5_000)
})

test('does not keep a value that is larger than all the room, nor the one it replaces', () => {
  const values = rememberedValues<string, string>({ maxBytes: kib })
  values.set('a', 'small')
  values.set('b', 'small')
  values.set('a', 'x'.repeat(kib))
  expect([values.get('a'), values.get('b')]).toEqual([undefined, 'small'])
})

test('gives room back when a value is deleted or replaced', () => {
  const values = rememberedValues<string, string>({ maxBytes: 10 * kib })
  values.set('a', 'x'.repeat(2 * kib))
  values.set('a', 'x')
  values.delete('a')
  values.delete('never there')
  expect([values.count, values.sizeBytes]).toEqual([0, 0])
})

test('counts the texts within a value, however deep they are', () => {
  const sql = 'x'.repeat(256 * kib)
  expect(estimateBytes({ query: { sql, latestRun: { renderedSql: sql }, gone: undefined, at: new Date(0) } })).toBeGreaterThan(
    4 * 256 * kib,
  )
  expect(estimateBytes([[[['x'.repeat(kib)]]]])).toBeGreaterThan(2 * kib)
  expect(estimateBytes(Buffer.alloc(kib))).toBeGreaterThan(kib)
})
