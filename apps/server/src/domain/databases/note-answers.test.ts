import { expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { answersNotedEveryMs, makeAnswerFilter } from './note-answers.ts'

test('notes an answer once per interval, database and revision', async () => {
  const clock = manualClock()
  const isNoted = makeAnswerFilter({ clock })
  expect(isNoted({ id: 'db_1', revision: 1 })).toBe(true)
  expect(isNoted({ id: 'db_1', revision: 1 })).toBe(false)
  expect(isNoted({ id: 'db_2', revision: 1 })).toBe(true)
  expect(isNoted({ id: 'db_1', revision: 2 })).toBe(true)
  await clock.advance(answersNotedEveryMs - 1)
  expect(isNoted({ id: 'db_1', revision: 2 })).toBe(false)
  await clock.advance(1)
  expect(isNoted({ id: 'db_1', revision: 2 })).toBe(true)
})
