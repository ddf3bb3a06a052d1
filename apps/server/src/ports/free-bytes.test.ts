import { expect, test } from 'vitest'
import { freeBytes } from './free-bytes.ts'

test('frees bytes that have their memory for themselves', () => {
  const bytes = Buffer.allocUnsafeSlow(100_000)
  freeBytes(bytes)
  expect(bytes.length).toBe(0)
})

test('leaves bytes alone that share their memory with others', () => {
  const pooled = Buffer.from('some text')
  freeBytes(pooled)
  expect(pooled.toString()).toBe('some text')
  const whole = Buffer.alloc(100_000, 'x')
  freeBytes(whole.subarray(0, 50_000))
  expect(whole.toString('latin1', 99_990)).toBe('xxxxxxxxxx')
})
