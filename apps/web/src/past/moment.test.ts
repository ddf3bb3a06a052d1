import { expect, test } from 'vitest'
import { momentIn, withMoment } from './moment.ts'

test.each([
  ['?at=2026-03-01T08:00Z', '2026-03-01T08:00:00.000Z'],
  ['?country=DE&at=2026-03-01T08:00:00.123Z', '2026-03-01T08:00:00.123Z'],
  ['?country=DE', null],
  ['?at=yesterday', null],
])('reads the time in %s', (search, at) => expect(momentIn(search)).toBe(at))

test('changes the time and keeps the rest', () => {
  expect(withMoment('?country=DE', '2026-03-01T08:00:00.000Z')).toBe('?country=DE&at=2026-03-01T08%3A00%3A00.000Z')
  expect(withMoment('?country=DE&at=2026-03-01', null)).toBe('?country=DE')
  expect(withMoment('?at=2026-03-01', null)).toBe('')
})
