import { expect, test } from 'vitest'
import { equalsInConstantTime } from './signature.ts'

/** Counts how often its elements are read. */
function counted(values: number[]) {
  const reads = { count: 0 }
  const list = new Proxy(values, {
    get(target, key, receiver): unknown {
      if (typeof key === 'string' && /^\d+$/.test(key)) reads.count++
      return Reflect.get(target, key, receiver)
    },
  })
  return { list, reads }
}

test('finds a difference anywhere', () => {
  const bytes = Array.from({ length: 64 }, (_, index) => (index * 37) % 256)
  expect(equalsInConstantTime(bytes, [...bytes])).toBe(1)
  for (let index = 0; index < bytes.length; index++) {
    for (let bit = 0; bit < 8; bit++) {
      const changed = bytes.with(index, bytes[index]! ^ (1 << bit))
      expect(equalsInConstantTime(bytes, changed)).toBe(0)
    }
  }
  expect(equalsInConstantTime(bytes, bytes.slice(1))).toBe(0)
  expect(equalsInConstantTime([], [])).toBe(1)
})

test('reads every byte, wherever the first difference is', () => {
  const bytes = Array.from({ length: 64 }, () => 97)
  for (const other of [bytes, bytes.with(0, 98), bytes.with(63, 98), bytes.map(() => 0)]) {
    const left = counted(bytes)
    const right = counted(other)
    equalsInConstantTime(left.list, right.list)
    expect([left.reads.count, right.reads.count]).toEqual([64, 64])
  }
})
