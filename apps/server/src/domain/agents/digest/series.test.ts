import { expect, test } from 'vitest'
import type { Field } from '../../../model/result.ts'
import type { Observation } from '../../../model/observation.ts'
import { look } from '../../../../testing/agents/analyze-result.ts'

const fields: Field[] = [
  { name: 'week', type: 'date' },
  { name: 'revenue', type: 'integer' },
]
const day = (text: string, days: number) => new Date(Date.parse(text) + days * 86_400_000).toISOString().slice(0, 10)
/** Weeks starting on 2025-10-06. */
const weeks = (...values: number[]) => values.map((value, n) => [day('2025-10-06', n * 7), value])
const plain = [100, 102, 98, 101, 99, 100, 103, 97, 100]

const see = (rows: unknown[][], options: { previous?: Observation; now?: string; cutDates?: string[] } = {}) =>
  look({ fields, rows, ...options })
const lines = (summary: string) =>
  summary.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('**', '').replace('Title: ', '').split('\n')

test('the headline compares the latest complete period with the previous one', async () => {
  const { summary } = await see(weeks(...plain))
  expect(lines(summary)).toEqual([
    '100 revenue in the week of 2025-12-01, up 3.1% (+3) from the week before. First report. Comparisons start with the next run.',
    '- Total revenue: 900.',
  ])
})

test('reports an incomplete period separately, including one that the query cuts off', async () => {
  const expected = [
    '97 revenue in the week of 2025-11-24, down 5.8% (−6) from the week before. First report. Comparisons start with the next run.',
    '- Total revenue: 900.',
    '- The week of 2025-12-01 so far: 100 revenue.',
  ]
  expect(lines((await see(weeks(...plain), { now: '2025-12-03T12:00:00Z' })).summary)).toEqual(expected)
  expect(lines((await see(weeks(...plain), { cutDates: ['2025-10-06', '2025-12-04'] })).summary)).toEqual(expected)
})

test('says so when no period is complete yet', async () => {
  const { summary } = await see(weeks(100, 120), { now: '2025-10-08T00:00:00Z' })
  expect(lines(summary)[0]).toContain('120 revenue in the week of 2025-10-13, which is not over yet, up 20% (+20) from the week before.')
})

test('accepts rows in any order, and names the previous period after a gap', async () => {
  const rows = [['2025-11-24', 7], ['2025-10-06', 5], ['2025-10-13', 6]]
  expect(lines((await see(rows)).summary)[0]).toContain('7 revenue in the week of 2025-11-24, up 16.7% (+1) from the week of 2025-10-13.')
})

test('a new period is notable; the same result again is not', async () => {
  const { observation } = await see(weeks(...plain))
  const next = await see(weeks(...plain, 105), { previous: observation })
  expect(lines(next.summary)).toEqual([
    '105 revenue in the week of 2025-12-08, up 5% (+5) from the week before.',
    '- Total revenue: 1,005, up 11.7% (+105) since the last run.',
  ])
  const again = await see(weeks(...plain, 105), { previous: next.observation })
  expect(lines(again.summary)).toEqual([
    '105 revenue in the week of 2025-12-08, up 5% (+5) from the week before. Nothing notable: same as the last run.',
  ])
})

test('a new period similar to the previous one is not notable', async () => {
  const { observation } = await see(weeks(...plain))
  const { findings } = await see(weeks(...plain, 100), { previous: observation })
  expect(findings.isNotable).toBe(false)
})

test('counts several new periods; a sliding window is not notable in itself', async () => {
  const { observation } = await see(weeks(...plain))
  const { summary } = await see(weeks(...plain, 100, 100, 104).slice(3), { previous: observation })
  expect(lines(summary)).toContain('- 3 new weeks since the last run.')
  expect(summary).not.toContain('Gone')
})

test('reports revised periods, except those that were incomplete', async () => {
  const before = await see(weeks(...plain), { now: '2025-12-03T12:00:00Z' })
  const rows = weeks(100, 102, 98, 150, 99, 100, 110, 97, 180)
  const { summary } = await see(rows, { previous: before.observation, now: '2025-12-03T12:00:00Z' })
  const line = '- 2 earlier weeks were revised since the last run, most notably the week of 2025-10-27: 150 revenue, up 48.5% (+49).'
  expect(lines(summary)).toContain(line)
})

test('reports an unusual period while it is new', async () => {
  const { observation } = await see(weeks(...plain))
  const next = await see(weeks(...plain, 300), { previous: observation })
  expect(lines(next.summary)[1]).toBe('- Unusually high revenue: the week of 2025-12-08 (300); typical is about 100.')
  const later = await see(weeks(...plain, 300, 101), { previous: next.observation })
  expect(later.summary).not.toContain('Unusual')
  // The first report does not search the history either.
  expect((await see(weeks(...plain, 300, 101))).summary).not.toContain('Unusual')
})

test('sums periods over other keys, and reports which of them moved', async () => {
  const byCountry: Field[] = [fields[0]!, { name: 'country', type: 'string' }, fields[1]!, { name: 'avg_amount', type: 'number' }]
  const rows = weeks(...plain).flatMap(([week, value]) => [
    [week, 'Germany', value, 1.5],
    [week, 'Japan', 10 * Number(value), 2.5],
  ])
  rows.at(-2)![2] = 300
  const { findings, summary } = await look({ fields: byCountry, rows })
  expect(lines(summary)).toEqual([
    '1,300 revenue in the week of 2025-12-01, up 21.8% (+233) from the week before. First report. Comparisons start with the next run.',
    '- Unusually high revenue: the week of 2025-12-01 (1,300); typical is about 1,100.',
    '- Revenue up from the week before: Germany +203 (+209.3%), Japan +30 (+3.1%).',
    '- Total revenue: 10,100.',
  ])
  expect(findings.headline.kind).toBe('period')
})

test.each([
  ['a row with an identifier', [{ name: 'order_id', type: 'integer' }, fields[0], fields[1]], [[1, '2025-12-01', 5], [2, '2025-12-08', 6]]],
  ['a property of the row', [{ name: 'customer', type: 'string' }, fields[0], fields[1]], [['a', '2025-12-01', 5], ['b', '2025-12-08', 6]]],
  ['one of several', [fields[0], { name: 'paid_on', type: 'date' }, fields[1]], [['2025-12-01', '2025-12-02', 5], ['2025-12-08', '2025-12-09', 6]]],
  ['a moment', [{ name: 'at', type: 'timestamp' }, fields[1]], [['2025-12-01T10:17:00.000Z', 5], ['2025-12-01T10:18:00.000Z', 6]]],
  ['alone', fields, [['2025-12-01', 5]]],
])('a time that is %s does not make a series', async (_, ofFields, rows) => {
  const { findings } = await look({ fields: ofFields as Field[], rows })
  expect(findings.headline).toMatchObject({ kind: 'total' })
})

test('remembers the latest periods of a very long series', async () => {
  const rows = Array.from({ length: 3000 }, (_, n) => [day('2015-01-01', n), n])
  const { observation } = await see(rows)
  expect(observation.rows!.rows).toHaveLength(2000)
  expect(observation.rows!.rows.at(-1)!.values).toEqual(['2999'])
  expect((await see(rows, { previous: observation })).findings.isNotable).toBe(false)
})
