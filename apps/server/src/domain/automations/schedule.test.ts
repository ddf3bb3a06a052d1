import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { missedBetween, missedMax, nextDueAt, readSchedule } from './schedule.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

const formats = new Map<string, Intl.DateTimeFormat>()

/** The local time in a zone, such as `2026-03-29 02:30`. */
function shown(zone: string, at: Date): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  formats.set(zone, format)
  return format.format(at)
}

/** The next due times, in local time and in UTC. */
function dueTimes(cron: string, zone: string, options: { after: string; count: number }): string[] {
  const times: string[] = []
  let at: Date | null = new Date(options.after)
  while (times.length < options.count) {
    at = nextDueAt({ cron, timeZone: zone }, at)
    if (!at) return [...times, 'never']
    times.push(`${shown(zone, at)} = ${at.toISOString().slice(11, 16)}`)
  }
  return times
}

describe('a time that the clocks skip is due once, at the first moment after the gap', () => {
  test.each([
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29 03:00 = 01:00', '2026-03-30 02:30 = 00:30']],
    ['30 2 * * *', 'America/New_York', '2026-03-07T12:00Z', ['2026-03-08 03:00 = 07:00', '2026-03-09 02:30 = 06:30']],
    ['15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00Z', ['2026-10-04 02:30 = 15:30', '2026-10-05 02:15 = 15:15']],
    // Where the clocks skip midnight, the day starts at one o'clock.
    ['0 0 * * *', 'Africa/Cairo', '2026-04-22T23:00Z', ['2026-04-24 01:00 = 22:00', '2026-04-25 00:00 = 21:00']],
    ['30 0 * * *', 'America/Santiago', '2026-09-05T12:00Z', ['2026-09-06 01:00 = 04:00', '2026-09-07 00:30 = 03:30']],
    // Several times within one gap give one run, and a time due right after the gap does not give a second one.
    ['0,30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29 03:00 = 01:00', '2026-03-30 02:00 = 00:00']],
    ['0 2,3 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['2026-03-29 03:00 = 01:00', '2026-03-30 02:00 = 00:00']],
    ['30 2,14 * * *', 'Europe/Berlin', '2026-03-28T22:00Z', ['2026-03-29 03:00 = 01:00', '2026-03-29 14:30 = 12:30']],
    ['0 */2 * * *', 'Europe/Berlin', '2026-03-28T22:30Z', ['2026-03-29 00:00 = 23:00', '2026-03-29 03:00 = 01:00', '2026-03-29 04:00 = 02:00']],
    // In 2011 Samoa skipped a whole day.
    ['30 12 * * *', 'Pacific/Apia', '2011-12-29T23:00Z', ['2011-12-31 00:00 = 10:00', '2011-12-31 12:30 = 22:30']],
  ])('%s in %s', (cron, zone, after, expected) => {
    expect(dueTimes(cron, zone, { after, count: expected.length })).toEqual(expected)
  })
})

describe('a time that the clocks show twice is due once, the first time', () => {
  test.each([
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25 02:30 = 00:30', '2026-10-26 02:30 = 01:30']],
    ['30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', ['2026-11-01 01:30 = 05:30', '2026-11-02 01:30 = 06:30']],
    ['45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T12:00Z', ['2026-04-05 01:45 = 14:45', '2026-04-06 01:45 = 15:15']],
    ['30 23 * * *', 'Africa/Cairo', '2026-10-29T12:00Z', ['2026-10-29 23:30 = 20:30', '2026-10-30 23:30 = 21:30']],
    ['30 23 * * *', 'America/Santiago', '2026-04-04T12:00Z', ['2026-04-04 23:30 = 02:30', '2026-04-05 23:30 = 03:30']],
    ['0,30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['2026-10-25 02:00 = 00:00', '2026-10-25 02:30 = 00:30', '2026-10-26 02:00 = 01:00']],
    ['30 2,14 * * *', 'Europe/Berlin', '2026-10-24T22:00Z', ['2026-10-25 02:30 = 00:30', '2026-10-25 14:30 = 13:30']],
  ])('%s in %s', (cron, zone, after, expected) => {
    expect(dueTimes(cron, zone, { after, count: expected.length })).toEqual(expected)
  })

  test('also when asked in the middle of the second time', () => {
    const schedule = { cron: '45 2 * * *', timeZone: 'Europe/Berlin' }
    expect(nextDueAt(schedule, new Date('2026-10-25T01:15Z'))).toEqual(new Date('2026-10-26T01:45Z'))
  })
})

describe('an expression that names every hour keeps its pace through clock changes', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Africa/Cairo', 'America/Santiago', 'Asia/Kolkata', 'UTC']
  test.each(
    zones.flatMap((zone) => [
      ['0 * * * *', zone, hourMs] as const,
      ['30 0-23 * * *', zone, hourMs] as const,
      ['*/15 * * * *', zone, 15 * minuteMs] as const,
      ['*/15 */1 * * *', zone, 15 * minuteMs] as const,
    ]),
  )('%s in %s', (cron, timeZone, paceMs) => {
    for (const from of changesIn(timeZone, 2026).map((change) => change - 6 * hourMs).concat(Date.UTC(2026, 5, 1))) {
      let at = nextDueAt({ cron, timeZone }, new Date(from))!
      for (let count = 0; count < 50; count++) {
        const next = nextDueAt({ cron, timeZone }, at)!
        expect(next.getTime() - at.getTime()).toBe(paceMs)
        at = next
      }
    }
  })

  test('with a half-hour clock change, quarters keep their pace and hours skip nothing', () => {
    const zone = 'Australia/Lord_Howe'
    const quarters = dueTimes('*/15 * * * *', zone, { after: '2026-04-04T14:30Z', count: 4 })
    expect(quarters.map((time) => time.slice(-5))).toEqual(['14:45', '15:00', '15:15', '15:30'])
    expect(dueTimes('0 * * * *', zone, { after: '2026-10-03T14:00Z', count: 3 })).toEqual([
      '2026-10-04 01:00 = 14:30',
      '2026-10-04 02:30 = 15:30',
      '2026-10-04 03:00 = 16:00',
    ])
  })
})

test('a zone without daylight saving time has the same times all year', () => {
  expect(dueTimes('15 9 * * 1', 'Asia/Kolkata', { after: '2026-03-27T00:00Z', count: 2 })).toEqual([
    '2026-03-30 09:15 = 03:45',
    '2026-04-06 09:15 = 03:45',
  ])
})

test("supports croner's extensions of the five fields", () => {
  const after = '2026-01-05T00:00Z'
  expect(dueTimes('0 9 L * *', 'UTC', { after, count: 2 })).toEqual(['2026-01-31 09:00 = 09:00', '2026-02-28 09:00 = 09:00'])
  expect(dueTimes('0 9 * * FRI#2', 'UTC', { after, count: 1 })).toEqual(['2026-01-09 09:00 = 09:00'])
  expect(dueTimes('0 9 15W * *', 'UTC', { after, count: 2 })).toEqual(['2026-01-15 09:00 = 09:00', '2026-02-16 09:00 = 09:00'])
  expect(dueTimes('0 0 29 2 *', 'Europe/Berlin', { after, count: 1 })).toEqual(['2028-02-29 00:00 = 23:00'])
  expect(dueTimes('0 0 31 2 *', 'Europe/Berlin', { after, count: 1 })).toEqual(['never'])
})

describe('missed times', () => {
  const daily = { cron: '0 9 * * *', timeZone: 'Europe/Berlin' }
  test('are those after the first one, up to now', () => {
    const first = new Date('2026-03-27T08:00Z')
    expect(missedBetween(daily, first, new Date('2026-03-27T08:00Z'))).toBe(0)
    expect(missedBetween(daily, first, new Date('2026-03-28T07:59:59Z'))).toBe(0)
    expect(missedBetween(daily, first, new Date('2026-03-28T08:00Z'))).toBe(1)
    // Daylight saving time starts on the 29th.
    expect(missedBetween(daily, first, new Date('2026-03-30T07:00Z'))).toBe(3)
  })

  test('are counted up to a thousand', () => {
    const everyMinute = { cron: '* * * * *', timeZone: 'UTC' }
    expect(missedBetween(everyMinute, new Date('2026-01-01T00:00Z'), new Date('2026-01-01T16:39Z'))).toBe(999)
    expect(missedBetween(everyMinute, new Date('2026-01-01T00:00Z'), new Date('2026-02-01T00:00Z'))).toBe(missedMax)
  })
})

/** The moments of a year at which a zone's clocks change, found by checking every 15 minutes. */
function changesIn(zone: string, year: number): number[] {
  const changes: number[] = []
  let before = offsetMinutes(zone, Date.UTC(year, 0, 1))
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += dayMs) {
    const offset = offsetMinutes(zone, at)
    if (offset === before) continue
    let change = at - dayMs
    while (offsetMinutes(zone, change) === before) change += 15 * minuteMs
    changes.push(change)
    before = offset
  }
  return changes
}

function offsetMinutes(zone: string, atMs: number): number {
  return (Date.parse(`${shown(zone, new Date(atMs)).replace(' ', 'T')}Z`) - atMs) / minuteMs
}

describe('compared with a model that checks every minute', () => {
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'America/Santiago', 'Asia/Kolkata']
  const windows = zones.flatMap((zone) =>
    [...changesIn(zone, 2026), Date.UTC(2026, 5, 15)].map((middle) => {
      const [from, to] = [middle - 30 * hourMs, middle + 30 * hourMs]
      const minutes = Array.from({ length: (to - from + dayMs) / minuteMs + 1 }, (_, index) => from - dayMs + index * minuteMs)
      /** Every minute starting a day before the window, with its local time. */
      const clock = minutes.map((at) => ({ at, local: at + offsetMinutes(zone, at) * minuteMs }))
      return { zone, from, to, clock }
    }),
  )
  const numbers = (max: number, maxLength: number) =>
    fc.uniqueArray(fc.integer({ min: 0, max }), { minLength: 1, maxLength })
  const hoursOfChange: fc.Arbitrary<number> = fc.constantFrom(0, 1, 2, 3, 23)
  const patterns = fc.record({
    minutes: numbers(59, 4),
    // Hours around which clocks change are frequent, and so is every hour.
    hours: fc.oneof(fc.constant('every' as const), fc.uniqueArray(hoursOfChange, { minLength: 1 }), numbers(23, 23)),
    weekdays: fc.oneof({ weight: 3, arbitrary: fc.constant('every' as const) }, numbers(6, 6)),
  })
  type Pattern = typeof patterns extends fc.Arbitrary<infer Value> ? Value : never

  /** All due times within a window, found by checking the local time of every minute. */
  function modeled(pattern: Pattern, window: (typeof windows)[number]): number[] {
    const isSteady = pattern.hours === 'every' || pattern.hours.length === 24
    const matches = (local: number) => {
      const time = new Date(local)
      return (
        pattern.minutes.includes(time.getUTCMinutes()) &&
        (pattern.hours === 'every' || pattern.hours.includes(time.getUTCHours())) &&
        (pattern.weekdays === 'every' || pattern.weekdays.includes(time.getUTCDay()))
      )
    }
    const due: number[] = []
    const seen = new Set<number>()
    let lastLocal: number | undefined
    for (const { at, local } of window.clock) {
      let isDue = matches(local) && (isSteady || !seen.has(local))
      const gapMs = lastLocal === undefined ? 0 : local - lastLocal - minuteMs
      if (gapMs > 0 && !(isSteady && gapMs % hourMs === 0)) {
        for (let skipped = lastLocal! + minuteMs; skipped < local; skipped += minuteMs) isDue ||= matches(skipped)
      }
      if (isDue && at > window.from) due.push(at)
      seen.add(local)
      lastLocal = local
    }
    return due
  }

  test('every due time occurs once, in order', () => {
    fc.assert(
      fc.property(patterns, fc.constantFrom(...windows), fc.integer({ min: 0, max: 59 }), (pattern, window, secondsBefore) => {
        const { minutes, hours, weekdays } = pattern
        const list = (values: number[] | 'every') => (values === 'every' ? '*' : values.join(','))
        const schedule = { cron: `${list(minutes)} ${list(hours)} * * ${list(weekdays)}`, timeZone: window.zone }
        const expected = modeled(pattern, window)
        const found: number[] = []
        const next = readSchedule(schedule)
        for (let at = next(window.from); at !== null && at <= window.to; at = next(at)) {
          found.push(at)
          // The answer is the same from any earlier moment.
          const previous = found.at(-2) ?? window.from
          expect(next(Math.max(previous, at - secondsBefore * 1000 - 1))).toBe(at)
        }
        expect(found).toEqual(expected)
      }),
      { seed: 4, numRuns: 150 },
    )
  })

  test('every local day has exactly one daily run', () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), (zone, hour, minute) => {
        const schedule = { cron: `${minute} ${hour} * * *`, timeZone: zone }
        const days: string[] = []
        const next = readSchedule(schedule)
        const endMs = Date.parse('2027-01-03T12:00Z')
        for (let at = next(Date.parse('2026-01-01T12:00Z'))!; at < endMs; at = next(at)!) days.push(shown(zone, new Date(at)).slice(0, 10))
        const first = Date.parse(days[0]!)
        expect(days).toEqual(days.map((_, index) => new Date(first + index * dayMs).toISOString().slice(0, 10)))
        expect(days.length).toBeGreaterThan(364)
      }),
      { seed: 4, numRuns: 30 },
    )
  })
})
