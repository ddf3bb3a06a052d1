import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Automation, Condition } from '../../api/automations.ts'
import { clockChangeNotes } from './clock-changes.ts'
import { draftFromQuestion, toAutomationContent, toDraft, newDraft } from './draft.ts'
import { cronOf, inOrder, readSchedule, scheduleOf } from './schedule-draft.ts'
import { describeSchedule } from './describe-schedule.ts'
import { describeCondition } from './labels.ts'

const timeZone = 'Europe/Berlin'

describe('a schedule', () => {
  test.each([
    ['0 * * * *', 'Every hour'],
    ['0 7 * * *', 'Every day at 07:00 (Europe/Berlin)'],
    ['5 23 * * 1', 'Every Monday at 23:05 (Europe/Berlin)'],
    ['30 6 * * 7', 'Every Sunday at 06:30 (Europe/Berlin)'],
    ['*/15 * * * *', 'Cron schedule */15 * * * * (Europe/Berlin)'],
    ['0 24 * * *', 'Cron schedule 0 24 * * * (Europe/Berlin)'],
    ['15 * * * *', 'Every hour, 15 minutes past'],
    ['0 9 1 * *', 'On the 1st of every month at 09:00 (Europe/Berlin)'],
    ['0 9 22 * *', 'On the 22nd of every month at 09:00 (Europe/Berlin)'],
    ['0 9 13 * *', 'On the 13th of every month at 09:00 (Europe/Berlin)'],
    ['0 9 L * *', 'On the last day of every month at 09:00 (Europe/Berlin)'],
    ['0 9 * * 1-5', 'Every weekday at 09:00 (Europe/Berlin)'],
    ['0 9 * * 0,1,4', 'Every Monday, Thursday and Sunday at 09:00 (Europe/Berlin)'],
    ['0 9 1 * 1', 'Cron schedule 0 9 1 * 1 (Europe/Berlin)'],
    ['0 9,17 * * *', 'Cron schedule 0 9,17 * * * (Europe/Berlin)'],
  ])('%s reads: %s', (cron, words) => {
    expect(describeSchedule({ cron, timeZone })).toBe(words)
  })

  test('is unchanged after a round trip through the form', () => {
    const simple = ['0 * * * *', '0 7 * * *', '5 23 * * 1', '5 23 * * 0,1,6', '5 23 * * 1-5', '0 9 L * *', '0 9 31 * *']
    for (const cron of [...simple, '*/15 * * * *', '0 9 1 * 1', '0 9,17 * * *', 'nonsense']) {
      expect(scheduleOf(readSchedule({ cron, timeZone }))).toEqual({ cron, timeZone })
    }
  })

  test('built from a simple choice is a five-field cron expression that reads back as that choice', () => {
    const part = (least: number, most: number) => fc.integer({ min: least, max: most })
    const drafts = fc.record({
      every: fc.constantFrom('hour', 'day', 'weekdays', 'week', 'month'),
      minute: part(0, 59),
      time: fc.tuple(part(0, 23), part(0, 59)).map((parts) => parts.map((number) => String(number).padStart(2, '0')).join(':')),
      days: fc.uniqueArray(part(0, 6), { minLength: 1 }).map(inOrder),
      dayOfMonth: fc.oneof(part(1, 31), fc.constant('last' as const)),
      cron: fc.constant(''),
    })
    fc.assert(
      fc.property(drafts, (draft) => {
        const cron = cronOf(draft)
        expect(cron.split(' ')).toHaveLength(5)
        const read = readSchedule({ cron, timeZone })
        expect(read.every).toBe(draft.every)
        expect(cronOf(read)).toBe(cron)
      }),
      { seed: 4 },
    )
  })
})

describe('daylight saving changes among the next times', () => {
  test('are explained with the day and both offsets', () => {
    const times = ['2026-03-27T07:00:00Z', '2026-03-28T07:00:00Z', '2026-03-29T06:00:00Z', '2026-03-30T06:00:00Z']
    expect(clockChangeNotes(times, timeZone)).toHaveLength(1)
    expect(clockChangeNotes(times, timeZone)[0]).toMatch(/Sunday.*from UTC\+01:00 to UTC\+02:00/)
  })

  test('are not reported without a change, in a zone without daylight saving time, or in a half-typed zone', () => {
    expect(clockChangeNotes(['2026-03-27T07:00:00Z', '2026-03-30T07:00:00Z'], 'Asia/Kolkata')).toEqual([])
    expect(clockChangeNotes(['2026-01-01T07:00:00Z', '2026-01-02T07:00:00Z'], timeZone)).toEqual([])
    expect(clockChangeNotes(['2026-03-27T07:00:00Z', '2026-03-30T06:00:00Z'], 'Europe/Berl')).toEqual([])
  })
})

const automation: Automation = {
  id: 'automation_1',
  name: 'Weekly',
  instructions: 'Look.',
  agent: 'digest',
  strict: true,
  references: ['abcdefghij'],
  schedule: { cron: '0 7 * * 1', timeZone },
  condition: null,
  conditionState: null,
  alertState: null,
  snoozedUntil: null,
  enabled: false,
  nextDueAt: null,
  createdBy: 'user_1',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  latestRun: null,
}

const conditions: Condition[] = [
  { reference: 'abcdefghij', everyTime: false, kind: 'changed' },
  { reference: 'abcdefghij', everyTime: true, kind: 'row_count', comparison: '>=', number: 10 },
  {
    reference: 'abcdefghij',
    kind: 'alert',
    tests: [
      { kind: 'threshold', severity: 'critical', column: 'stock', aggregate: 'min', comparison: '<', number: 5, resolveAt: 10, forRuns: 2 },
      { kind: 'change', severity: 'info', against: 'week', direction: 'down', by: 20, unit: 'percent' },
      { kind: 'new_rows', severity: 'warning', keyColumns: ['id', 'shop'] },
      { kind: 'no_rows', severity: 'warning' },
      { kind: 'stale', severity: 'warning', column: 'at', hours: 24 },
      { kind: 'unusual', severity: 'warning', column: 'x', aggregate: 'sum', deviations: 2.5, results: 60 },
    ],
    muteWindows: [{ days: [6, 7], from: '00:00', to: '24:00', timeZone: 'Europe/Berlin' }],
  },
  { reference: 'abcdefghij', everyTime: false, kind: 'value', column: 'stock', comparison: '<', number: -2.5 },
]

describe('an automation', () => {
  test.each([null, ...conditions])('left unchanged in its form is sent unchanged: %j', (condition) => {
    for (const schedule of [automation.schedule, null]) {
      const before = { ...automation, schedule, condition }
      const { name, instructions, agent, strict, references, enabled } = before
      expect(toAutomationContent(toDraft(before, 'UTC'))).toEqual({ name, instructions, agent, strict, references, schedule, condition, enabled })
    }
  })

  test('has a schedule or a condition only if chosen', () => {
    const draft = newDraft(timeZone)
    expect(toAutomationContent(draft)).toMatchObject({ schedule: { cron: '0 8 * * 1', timeZone }, condition: null, enabled: true })
    expect(toAutomationContent({ ...draft, when: 'manual' })).toMatchObject({ schedule: null, condition: null })
    expect(toAutomationContent({ ...draft, when: 'change' })).toMatchObject({
      schedule: { cron: '0 8 * * 1', timeZone },
      condition: { reference: '', kind: 'row_count' },
    })
  })

  test('sends an invalid number as null, which the service rejects', () => {
    const draft = newDraft(timeZone)
    for (const number of ['', ' ', 'ten']) {
      const content = toAutomationContent({ ...draft, when: 'change', condition: { ...draft.condition, number } })
      expect(JSON.parse(JSON.stringify(content.condition))).toMatchObject({ number: null })
    }
  })
})

test('describes a condition in a sentence', () => {
  expect(conditions.map((condition) => describeCondition(condition, 'Stock'))).toEqual([
    'When the result of “Stock” changes',
    'Every new result of “Stock” whose number of rows is >= 10',
    'Alert on “Stock” when the lowest value of stock is < 5 (until 10), 2 times in a row, or the number of rows falls by 20 % or more compared with a week before, ' +
      'or there are new rows by id, shop, or there are no rows, or the newest at is older than 24 hours, ' +
      'or the total of x is 2.5 standard deviations away from the last 60 results',
    'When a value of stock in “Stock” becomes < -2.5',
  ])
})

test('schedules a question with the saved query behind its answer', () => {
  const question = 'Which products sold best?\nBe brief.'
  const draft = draftFromQuestion({ question, reference: 'abcdefghij' }, { timeZone: 'UTC', agent: 'model' })
  expect(toAutomationContent(draft)).toMatchObject({
    name: 'Which products sold best?',
    instructions: question,
    agent: 'model',
    references: ['abcdefghij'],
    schedule: { cron: '0 8 * * 1', timeZone: 'UTC' },
  })
  expect(draftFromQuestion({ question: 'x'.repeat(200), reference: null }, { timeZone: 'UTC', agent: 'digest' })).toMatchObject({
    name: `${'x'.repeat(79)}…`,
    references: [],
  })
})
