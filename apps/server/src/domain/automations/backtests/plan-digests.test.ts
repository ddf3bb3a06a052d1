import { expect, test } from 'vitest'
import { planDigests } from './plan-digests.ts'

const at = (time: string) => ({ at: new Date(`2026-03-${time}:00Z`) })
const daily = { cron: '0 8 * * *', timeZone: 'UTC' }
const now = new Date('2026-03-05T12:00:00Z')
const shown = (planned: ReturnType<typeof planDigests>) =>
  planned.map((digest) => [digest.at.toISOString().slice(8, 16), [...digest.results].map(([id, result]) => `${id} ${result.at.toISOString().slice(8, 16)}`)])

test('runs at the times of the schedule that have a new result, with the latest of each query', () => {
  const histories = new Map([
    ['a', [at('01T08:01'), at('01T20:00'), at('02T08:02'), at('05T11:00')]],
    ['b', [at('02T07:00')]],
  ])
  expect(shown(planDigests(histories, { schedule: daily, now }))).toEqual([
    ['01T08:00', ['a 01T08:01']],
    ['02T08:00', ['a 02T08:02', 'b 02T07:00']],
  ])
})

test('runs at each new result without a schedule', () => {
  const histories = new Map([['a', [at('01T08:01'), at('01T20:00')]]])
  expect(shown(planDigests(histories, { schedule: null, now }))).toEqual([
    ['01T08:01', ['a 01T08:01']],
    ['01T20:00', ['a 01T20:00']],
  ])
  expect(planDigests(new Map(), { schedule: daily, now })).toEqual([])
})
