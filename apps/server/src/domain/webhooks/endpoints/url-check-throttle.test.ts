import { expect, test } from 'vitest'
import { manualClock } from '../../../../testing/manual-clock.ts'
import { makeUrlCheckThrottle } from './url-check-throttle.ts'

test('a person has 40 looks at hand and gets one more each second; others have their own', async () => {
  const clock = manualClock()
  const { take } = makeUrlCheckThrottle({ clock })
  const takeMany = (userId: string, count: number) => {
    for (let taken = 0; taken < count; taken += 1) take(userId)
  }
  takeMany('user_1', 40)
  expect(() => take('user_1')).toThrow(expect.objectContaining({ code: 'too_many_requests', retryAfterMs: 1000 }))
  takeMany('user_2', 40)
  await clock.advance(2000)
  takeMany('user_1', 2)
  expect(() => take('user_1')).toThrow(expect.objectContaining({ code: 'too_many_requests' }))
  // What was refused is not counted: after 40 seconds all are there again, and no more than all.
  await clock.advance(40_000)
  takeMany('user_1', 40)
  expect(() => take('user_1')).toThrow(expect.objectContaining({ code: 'too_many_requests' }))
})
