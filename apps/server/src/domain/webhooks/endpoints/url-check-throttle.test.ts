import { expect, test } from 'vitest'
import { manualClock } from '../../../../testing/manual-clock.ts'
import { makeUrlCheckThrottle } from './url-check-throttle.ts'

test('allows 40 checks at once and then one per second, per person', async () => {
  const clock = manualClock()
  const { take } = makeUrlCheckThrottle({ clock })
  for (let taken = 0; taken < 40; taken += 1) take('user_1')
  expect(() => take('user_1')).toThrow(expect.objectContaining({ code: 'too_many_requests', retryAfterMs: 1000 }))
  await clock.advance(1000)
  take('user_1')
})
