import { expect, test } from 'vitest'
import { byteCache, entryBytes } from './byte-cache.ts'

test('drops the least recently used when it is full', () => {
  const cache = byteCache({ maxBytes: 2 * (10 + entryBytes) })
  cache.set('a', Buffer.alloc(10))
  cache.set('b', Buffer.alloc(10))
  cache.get('a')
  cache.set('c', Buffer.alloc(10))
  expect(['a', 'b', 'c'].map((key) => cache.get(key)?.length)).toEqual([10, undefined, 10])
})

test('counts a value once when it is set again, and not after it was deleted', () => {
  const cache = byteCache({ maxBytes: 2 * (10 + entryBytes) })
  for (let time = 0; time < 5; time += 1) cache.set('a', Buffer.alloc(10))
  cache.set('b', Buffer.alloc(10))
  cache.delete('b')
  cache.delete('b')
  cache.set('c', Buffer.alloc(10))
  expect(['a', 'b', 'c'].map((key) => cache.get(key)?.length)).toEqual([10, undefined, 10])
})

test('keeps the bytes of a piece, not the buffer that it is a piece of', () => {
  const cache = byteCache({ maxBytes: 1_000_000 })
  const whole = Buffer.from('a large buffer of the driver')
  cache.set('piece', whole.subarray(2, 7))
  const kept = cache.get('piece')!
  expect([kept.toString(), kept.buffer.byteLength]).toEqual(['large', 5])
})
