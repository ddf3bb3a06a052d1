import { expect, test } from 'vitest'
import { formatDuration } from './durations.ts'

test.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [59.6, '1 minute'],
  [301, '5 minutes 1 second'],
  [3600, '1 hour'],
  [7210, '2 hours'],
  [90_000, '1 day 1 hour'],
])('formats %d seconds as %s', (seconds, words) => expect(formatDuration(seconds)).toBe(words))
