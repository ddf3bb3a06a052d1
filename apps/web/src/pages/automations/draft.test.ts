import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Automation, Condition } from '../../api/automations.ts'
import { contentOf, draftOf, newDraft } from './draft.ts'
import { cronOf, readSchedule, scheduleOf } from './schedule-draft.ts'
import { conditionWords, scheduleWords } from './words.ts'

const timeZone = 'Europe/Berlin'

describe('a schedule', () => {
  test.each([
    ['0 * * * *', 'Every hour'],
    ['0 7 * * *', 'Every day at 07:00 (Europe/Berlin)'],
    ['5 23 * * 1', 'Every Monday at 23:05 (Europe/Berlin)'],
    ['30 6 * * 7', 'Every Sunday at 06:30 (Europe/Berlin)'],
    ['*/15 * * * *', 'At the times of */15 * * * * (Europe/Berlin)'],
    ['0 24 * * *', 'At the times of 0 24 * * * (Europe/Berlin)'],
    ['0 9 1 * *', 'At the times of 0 9 1 * * (Europe/Berlin)'],
    ['0 9 * * 1-5', 'At the times of 0 9 * * 1-5 (Europe/Berlin)'],
  ])('%s reads: %s', (cron, words) => {
    expect(scheduleWords({ cron, timeZone })).toBe(words)
  })

  test('comes out of the form as it went in', () => {
    for (const cron of ['0 * * * *', '0 7 * * *', '5 23 * * 1', '*/15 * * * *', '0 9 L * *', 'nonsense']) {
      expect(scheduleOf(readSchedule({ cron, timeZone }))).toEqual({ cron, timeZone })
    }
  })

  test('of a simple choice is a cron expression of five fields', () => {
    const part = (least: number, most: number) => fc.integer({ min: least, max: most })
    fc.assert(
      fc.property(fc.constantFrom('hour', 'day', 'week'), part(0, 23), part(0, 59), part(0, 6), (every, hour, minute, weekday) => {
        const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
        const cron = cronOf({ every, time, weekday, cron: '' })
        expect(cron.split(' ')).toHaveLength(5)
        expect(readSchedule({ cron, timeZone }).every).toBe(every)
      }),
      { seed: 4 },
    )
  })
})

const automation: Automation = {
  id: 'automation_1',
  name: 'Weekly',
  instructions: 'Look.',
  agent: 'digest',
  references: ['abcdefghij'],
  schedule: { cron: '0 7 * * 1', timeZone },
  condition: null,
  conditionState: null,
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
  { reference: 'abcdefghij', everyTime: false, kind: 'value', column: 'stock', comparison: '<', number: -2.5 },
]

describe('an automation', () => {
  test.each([null, ...conditions])('that is not changed in its form is sent as it was: %j', (condition) => {
    for (const schedule of [automation.schedule, null]) {
      const before = { ...automation, schedule, condition }
      const { name, instructions, agent, references, enabled } = before
      expect(contentOf(draftOf(before, 'UTC'))).toEqual({ name, instructions, agent, references, schedule, condition, enabled })
    }
  })

  test('has the schedule or the condition only where it was chosen', () => {
    const draft = newDraft(timeZone)
    expect(contentOf(draft)).toMatchObject({ schedule: { cron: '0 7 * * 1', timeZone }, condition: null, enabled: true })
    expect(contentOf({ ...draft, when: 'hand' })).toMatchObject({ schedule: null, condition: null })
    expect(contentOf({ ...draft, when: 'change' })).toMatchObject({
      schedule: { cron: '0 7 * * 1', timeZone },
      condition: { reference: '', kind: 'row_count' },
    })
  })

  test('with a number that is none is sent so that the service refuses it', () => {
    const draft = newDraft(timeZone)
    for (const number of ['', ' ', 'ten']) {
      const content = contentOf({ ...draft, when: 'change', condition: { ...draft.condition, number } })
      expect(JSON.parse(JSON.stringify(content.condition))).toMatchObject({ number: null })
    }
  })
})

test('a condition reads as a sentence', () => {
  expect(conditions.map((condition) => conditionWords(condition, 'Stock'))).toEqual([
    'When the result of “Stock” has changed',
    'Whenever “Stock” has a new result, every time its number of rows is >= 10',
    'Whenever “Stock” has a new result, as soon as a value of stock is < -2.5',
  ])
})
