import { expect, test } from 'vitest'
import { describeChange } from './describe-change.ts'

test.each([
  ['Added', 'metric', null, 'b', null],
  ['Changed', 'metric', 'a', 'b', null],
  ['Deleted', 'metric', 'a', null, null],
  ['Version 3 restored', 'table', 'a', 'b', 3],
  ['Verified', 'verified_query', null, 'b', null],
  ['Verified', 'verified_query', 'a', 'b', 1],
  ['Mark removed', 'verified_query', 'a', null, null],
] as const)('%s', (expected, kind, before, after, restoredNumber) => {
  expect(describeChange({ kind, before, after, restoredNumber })).toBe(expected)
})
