import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../../testing/seeded-random.ts'
import type { AlertObservation, AlertTest } from '../../../model/alert.ts'
import { measuresOfObservation, namesToKnow, observationOf } from './measure-results.ts'
import { replayAlert } from './replay-alert.ts'

const dayMs = 24 * 3600_000
const began = Date.parse('2025-01-01T08:00:00Z')

const observed = (day: number, value: number | null): AlertObservation => ({
  runId: `run_${day}`,
  at: new Date(began + day * dayMs),
  rowCount: value === null ? 0 : 1,
  figures: { 'first revenue': value === null ? null : String(value), rows: value === null ? '0' : '1' },
  newestTimes: {},
  newRows: {},
  faults: {},
})

const above: AlertTest = { kind: 'threshold', severity: 'warning', column: 'revenue', aggregate: 'first', comparison: '>', number: 100 }

test('lists firings with their dates, and counts messages and silent days', () => {
  const values = [50, 120, 130, 60, 50, 110]
  const { points, ...found } = replayAlert({ tests: [above], muteWindows: [] }, values.map((value, day) => observed(day, value)))
  expect(found).toEqual({
    resultCount: 6,
    from: new Date(began),
    to: new Date(began + 5 * dayMs),
    messageCount: 3,
    silentDays: 3,
    firings: [
      { from: new Date(began + dayMs), to: new Date(began + 3 * dayMs), severity: 'warning', finding: 'The first value of "revenue" is 120, which is > 100.' },
      { from: new Date(began + 5 * dayMs), to: null, severity: 'warning', finding: 'The first value of "revenue" is 110, which is > 100.' },
    ],
  })
  expect(points.map(({ value, status }) => [value, status])).toEqual([
    ['50', 'ok'],
    ['120', 'firing'],
    ['130', 'firing'],
    ['60', 'resolved'],
    ['50', 'resolved'],
    ['110', 'firing'],
  ])
})

test('has nothing to say without results', () => {
  expect(replayAlert({ tests: [above], muteWindows: [] }, [])).toEqual({
    resultCount: 0,
    from: null,
    to: null,
    messageCount: 0,
    silentDays: 0,
    firings: [],
    points: [],
  })
})

test('what is stored of a result gives the same observation', () => {
  const tests: AlertTest[] = [
    above,
    { kind: 'stale', severity: 'info', column: 'at', hours: 3 },
    { kind: 'new_rows', severity: 'info', keyColumns: ['id'] },
    { kind: 'change', severity: 'info', column: 'missing', aggregate: 'sum', against: 'previous', direction: 'either', by: 1, unit: 'percent' },
  ]
  const observation: AlertObservation = {
    ...observed(0, 12),
    newestTimes: { at: began },
    newRows: { '["id"]': { count: 3, fields: [], rows: [] } },
    faults: { 'sum missing': 'The result has no column "missing".' },
  }
  const stored = new Map(measuresOfObservation(observation).map((measure) => [measure.measure, measure]))
  expect(namesToKnow(tests).every((name) => stored.has(name))).toBe(true)
  expect(observationOf(observation, tests, stored)).toEqual({ ...observation, figures: { ...observation.figures, 'sum missing': null } })
})

/** A year of daily revenue with a weekly pattern, growth and noise, and incidents on known days. */
function syntheticYear() {
  const random = seededRandom('a year')
  const noise = () => Buffer.from(random.bytes(4)).readUInt32BE() / 2 ** 32 - 0.5
  const weekly = [1, 1.02, 1.03, 1.01, 1.1, 0.8, 0.75]
  const incidents = new Map<number, number | null>([
    [40, 2.2], [83, 0.3], [119, null], [140, 2.5], [171, 0.35], [205, 2.1], [238, null], [262, 0.25], [300, 2.4], [341, 0.4],
  ])
  const days = Array.from({ length: 365 }, (_, day) => {
    const usual = 1000 * weekly[day % 7]! * (1 + day / 2000) * (1 + 0.08 * noise())
    const factor = incidents.has(day) ? incidents.get(day)! : 1
    return observed(day, factor === null ? null : Math.round(usual * factor))
  })
  return { days, incidentDays: new Set(incidents.keys()) }
}

describe('a synthetic year with ten planted incidents', () => {
  const measure = { column: 'revenue', aggregate: 'first' } as const
  const weekly: AlertTest = { kind: 'change', severity: 'warning', ...measure, against: 'week', direction: 'either', by: 40, unit: 'percent' }
  const noRows: AlertTest = { kind: 'no_rows', severity: 'critical' }
  const high: AlertTest = { ...above, number: 1500 }
  const low: AlertTest = { ...above, comparison: '<', number: 500 }
  const unusual: AlertTest = { kind: 'unusual', severity: 'warning', ...measure, deviations: 3, results: 30 }
  const alerts: [string, AlertTest[]][] = [
    ['above 1500', [high]],
    ['above 1500, below 500, or no rows', [high, low, noRows]],
    ['40 % against a week before, or no rows', [weekly, noRows]],
    ['3 standard deviations of 30 results, or no rows', [unusual, noRows]],
  ]

  test('has the precision and recall that the documentation shows', () => {
    const { days, incidentDays } = syntheticYear()
    const rows = alerts.map(([name, tests]) => {
      const { points, firings } = replayAlert({ tests, muteWindows: [] }, days)
      const firingDays = points.flatMap(({ status }, day) => (status === 'firing' ? day : []))
      const right = firingDays.filter((day) => incidentDays.has(day)).length
      const percent = (part: number, whole: number) => `${Math.round((100 * part) / whole)} %`
      return `| ${name} | ${firings.length} | ${percent(right, firingDays.length)} | ${percent(right, incidentDays.size)} |`
    })
    const documented = readFileSync(new URL('../../../../../../docs/backtests.md', import.meta.url), 'utf8')
    expect(documented.split('\n').filter((line) => line.endsWith('% |'))).toEqual(rows)
  })

  test('gives the same answer each time', () => {
    const { days } = syntheticYear()
    const tests = alerts[3]![1]
    expect(replayAlert({ tests, muteWindows: [] }, days)).toEqual(replayAlert({ tests, muteWindows: [] }, syntheticYear().days))
  })
})
