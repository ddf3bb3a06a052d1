import { describe, expect, test } from 'vitest'
import type { MuteWindow } from '../../../model/alert.ts'
import { makeTimeZone } from '../check-time-zone.ts'
import { quietAt } from './quiet-time.ts'

const everyDay = [1, 2, 3, 4, 5, 6, 7]
const nights: MuteWindow = { days: everyDay, from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' }
const quiet = (at: string, muteWindows: MuteWindow[], snoozedUntil: string | null = null) => {
  const found = quietAt({ now: new Date(at), snoozedUntil: snoozedUntil === null ? null : new Date(snoozedUntil), muteWindows })
  return found && { because: found.because, until: found.until?.toISOString().slice(0, 16) ?? null }
}

describe('mute windows', () => {
  test.each<[string, string, MuteWindow[], string | null]>([
    ['before the window', '2026-01-05T20:59:00Z', [nights], null],
    ['at its beginning', '2026-01-05T21:00:00Z', [nights], '2026-01-06T05:00'],
    ['after midnight', '2026-01-06T04:59:00Z', [nights], '2026-01-06T05:00'],
    ['at its end', '2026-01-06T05:00:00Z', [nights], null],
    ['an hour is lost in the night', '2026-03-28T21:00:00Z', [nights], '2026-03-29T04:00'],
    ['an hour is repeated in the night', '2026-10-24T20:00:00Z', [nights], '2026-10-25T05:00'],
    ['ends within the hour that is lost', '2026-03-28T21:00:00Z', [{ ...nights, to: '02:30' }], '2026-03-29T01:00'],
    ['another day', '2026-01-06T12:00:00Z', [{ ...nights, days: [1], from: '00:00', to: '24:00' }], null],
    ['the night after its day', '2026-01-06T02:00:00Z', [{ ...nights, days: [1] }], '2026-01-06T05:00'],
    ['a weekend of two windows', '2026-01-10T10:00:00Z', [{ ...nights, days: [6, 7], from: '00:00', to: '24:00' }], '2026-01-11T23:00'],
  ])('%s', (_, at, windows, until) => {
    expect(quiet(at, windows)).toEqual(until && { because: 'muted', until })
  })

  test('that cover the whole week never end', () => {
    expect(quiet('2026-01-05T12:00:00Z', [{ ...nights, from: '00:00', to: '24:00' }])).toEqual({ because: 'muted', until: null })
  })

  test('agree with the clocks of the place at every quarter of an hour around both changes', () => {
    const zone = makeTimeZone('Europe/Berlin')
    for (const day of ['2026-03-28', '2026-10-24']) {
      for (let minutes = 0; minutes < 3 * 24 * 60; minutes += 15) {
        const at = new Date(Date.parse(`${day}T00:00:00Z`) + minutes * 60_000)
        const clock = new Date(at.getTime() + zone.offsetMs(at.getTime())).toISOString().slice(11, 16)
        expect(quiet(at.toISOString(), [nights]) !== null, `${at.toISOString()}, ${clock}`).toBe(clock >= '22:00' || clock < '06:00')
      }
    }
  })
})

test('a snooze that ends within a mute window continues to its end', () => {
  expect(quiet('2026-01-05T12:00:00Z', [nights], '2026-01-05T22:00:00Z')).toEqual({ because: 'snoozed', until: '2026-01-06T05:00' })
})
