import { expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { makeConnectionThrottle } from './connection-throttle.ts'

test('allows twenty tries at once and then one every three seconds, per person', async () => {
  const clock = manualClock()
  const { take } = makeConnectionThrottle({ clock })
  for (let count = 0; count < 20; count++) take('user_1')
  expect(() => take('user_1')).toThrow('Wait a few seconds')
  take('user_2')
  await clock.advance(2999)
  expect(() => take('user_1')).toThrow(expect.objectContaining({ code: 'too_many_requests', retryAfterMs: 1 }))
  await clock.advance(1)
  take('user_1')
  expect(() => take('user_1')).toThrow('Wait a few seconds')
})
