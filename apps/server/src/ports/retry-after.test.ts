import { expect, test } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

const now = new Date('2026-01-05T10:00:00Z')

test.each([
  ['7', 7_000],
  [' 1.5 ', 1_500],
  ['Mon, 05 Jan 2026 10:00:30 GMT', 30_000],
  ['Mon, 05 Jan 2026 09:00:00 GMT', 0],
  ['soon', null],
  ['', null],
  [null, null],
  [undefined, null],
])('reads %j as %j', (header, waitMs) => expect(readRetryAfter(header, now)).toBe(waitMs))
