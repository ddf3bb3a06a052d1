import { expect, test } from 'vitest'
import { describeBytes } from './describe-bytes.ts'

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [1_234_567_890, '1.23 GB'],
  [2e18, '2000 PB'],
])('%d is %s', (bytes, text) => expect(describeBytes(bytes)).toBe(text))
