import { expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { makeThrottle } from './throttle.ts'

const message = 'Too often. Wait a second.'

test('each key has a burst available and regains one at a time', async () => {
  const clock = manualClock()
  const { take } = makeThrottle({ clock, bucket: { burst: 3, regainMs: 1000 }, message })
  const takeMany = (key: string, count: number) => {
    for (let taken = 0; taken < count; taken += 1) take(key)
  }
  takeMany('ann', 3)
  expect(() => take('ann')).toThrow(expect.objectContaining({ code: 'too_many_requests', message, retryAfterMs: 1000 }))
  takeMany('ben', 3)
  await clock.advance(2000)
  takeMany('ann', 2)
  expect(() => take('ann')).toThrow(message)
  // Rejected attempts are not counted: all tokens are back, and no more than all.
  await clock.advance(3000)
  takeMany('ann', 3)
  expect(() => take('ann')).toThrow(message)
})
