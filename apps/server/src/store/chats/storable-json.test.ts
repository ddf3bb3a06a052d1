import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { storableJson, storableText } from './storable-json.ts'

test('replaces only characters that the store cannot hold', () => {
  expect(JSON.parse(storableJson({ a: ['x\0y', { 'k\0': '\ud83d!' }], n: null, i: 7, t: true }))).toEqual({
    a: ['x\ufffdy', { 'k\ufffd': '\ufffd!' }],
    n: null,
    i: 7,
    t: true,
  })
  // Preceded by a backslash, it is text about an escape, which is kept.
  expect(JSON.parse(storableJson({ a: '\\u0000', b: '\u{1F600}' }))).toEqual({ a: '\\u0000', b: '\u{1F600}' })
})

test('handles any value', () => {
  const text = fc.string({ unit: fc.oneof(fc.string({ unit: 'binary', maxLength: 1 }), fc.constantFrom('\0', '\\', 'u0000', '\ud83d', '\udc00')) })
  fc.assert(
    fc.property(fc.dictionary(text, fc.oneof(text, fc.array(text))), (value) => {
      const stored = JSON.parse(storableJson(value)) as Record<string, string | string[]>
      for (const one of [...Object.keys(stored), ...Object.values(stored)].flat()) expect(storableText(one)).toBe(one)
    }),
    { seed: 20_260_105, numRuns: 1000 },
  )
})
