import { expect, test } from 'vitest'
import { makeSampler, type SamplerSetting } from './sampler.ts'

const low = `${'a'.repeat(19)}0000000000001`
const high = `${'a'.repeat(19)}fffffffffffff`
const parent = (isSampled: boolean) => ({ traceId: low, spanId: 'b'.repeat(16), isSampled })

test.each<[SamplerSetting['name'], number, boolean[]]>([
  // Without a parent: a low and a high trace id. With one: not sampled, sampled.
  ['always_on', 1, [true, true, true, true]],
  ['always_off', 1, [false, false, false, false]],
  ['traceidratio', 0.5, [true, false, true, true]],
  ['traceidratio', 0, [false, false, false, false]],
  ['traceidratio', 1, [true, true, true, true]],
  ['parentbased_always_on', 1, [true, true, false, true]],
  ['parentbased_always_off', 1, [false, false, false, true]],
  ['parentbased_traceidratio', 0.5, [true, false, false, true]],
])('%s with %d', (name, ratio, expected) => {
  const sampler = makeSampler({ name, ratio })
  expect([
    sampler({ traceId: low, parent: undefined }),
    sampler({ traceId: high, parent: undefined }),
    sampler({ traceId: low, parent: parent(false) }),
    sampler({ traceId: low, parent: parent(true) }),
  ]).toEqual(expected)
})
