import { expect, test } from 'vitest'
import { duration, formatMoment } from './time.tsx'

test.each([
  [0, '0.00 s'],
  [1_234, '1.23 s'],
  [12_400, '12 s'],
  [59_600, '1 min 0 s'],
  [80_000, '1 min 20 s'],
  [7_325_000, '2 h 2 min'],
])('%i ms is shown as %s', (ms, text) => {
  expect(duration(ms)).toBe(text)
})

test('AM and PM stay on the line of their time', () => {
  const format = (locale: string) =>
    formatMoment(new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }), new Date('2026-01-05T21:30Z'))
  expect(format('en-US')).toBe('Jan 5, 2026, 9:30\u00a0PM')
  expect(format('en-GB')).toBe('5 Jan 2026, 21:30')
})
