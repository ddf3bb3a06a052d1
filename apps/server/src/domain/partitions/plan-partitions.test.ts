import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Partition, planPartitions, type TimeRange } from './plan-partitions.ts'

const dayMs = 24 * 3600_000
const at = (day: string) => Date.parse(`${day}T00:00:00Z`)
const range = (from: string, to: string): TimeRange => ({ fromMs: at(from), toMs: at(to) })
const keptMs = 64 * dayMs
const nothing: Partition = { name: 'default', range: null }

describe('creates', () => {
  const created = (existing: TimeRange[], now: string, kept = keptMs) => {
    const partitions = [nothing, ...existing.map((each, index) => ({ name: `p${index}`, range: each }))]
    return planPartitions(partitions, { nowMs: at(now), keptMs: kept }).create
  }

  test('the current two weeks and the next, from Monday to Monday', () => {
    expect(created([], '2026-11-11')).toEqual([range('2026-11-09', '2026-11-23'), range('2026-11-23', '2026-12-07')])
    expect(created([], '2026-11-22')).toEqual([range('2026-11-09', '2026-11-23'), range('2026-11-23', '2026-12-07')])
  })

  test.each([[1, 14], [64, 14], [400, 28], [3650, 231]])('for a retention of %i days, partitions of %i days', (keptDays, days) => {
    for (const { fromMs, toMs } of created([], '2026-11-11', keptDays * dayMs)) expect((toMs - fromMs) / dayMs).toBe(days)
  })

  test('only what is missing', () => {
    expect(created([range('2026-11-09', '2026-11-23')], '2026-11-11')).toEqual([range('2026-11-23', '2026-12-07')])
    expect(created([range('2026-11-23', '2026-12-07'), range('2026-11-09', '2026-11-23')], '2026-11-11')).toEqual([])
  })

  test('nothing that the first partition covers', () => {
    const first = { fromMs: -Infinity, toMs: at('2026-11-30') }
    expect(created([first], '2026-11-11')).toEqual([range('2026-11-30', '2026-12-07')])
    expect(created([{ fromMs: -Infinity, toMs: Infinity }], '2026-11-11')).toEqual([])
  })

  test('the rest of a range that is covered in part, as after a change of the retention', () => {
    const first = { fromMs: -Infinity, toMs: at('2026-11-10') }
    expect(created([first, range('2026-11-13', '2026-12-07')], '2026-11-11')).toEqual([range('2026-11-10', '2026-11-13')])
  })
})

describe('removes', () => {
  const first: Partition = { name: 'first', range: { fromMs: -Infinity, toMs: at('2026-09-07') } }
  const expiring: Partition = { name: 'expiring', range: range('2026-09-07', '2026-09-21') }
  const live: Partition = { name: 'live', range: range('2026-11-16', '2026-11-30') }
  const removed = (now: string, kept = keptMs) => {
    const { drop, deleteFrom } = planPartitions([nothing, first, expiring, live], { keptMs: kept, nowMs: at(now) })
    return { drop, deleteFrom }
  }

  test('a partition when its last row has expired', () => {
    expect(removed('2026-11-23')).toEqual({ drop: ['first'], deleteFrom: ['default', 'first', 'live'] })
    expect(removed('2026-11-24')).toEqual({ drop: ['first', 'expiring'], deleteFrom: ['default', 'first', 'live'] })
  })

  test('single rows of the first partition, which has all rows from before there were partitions', () => {
    expect(removed('2026-11-01')).toEqual({ drop: [], deleteFrom: ['default', 'first', 'expiring', 'live'] })
  })

  test('single rows if they would have to wait longer than a quarter of their retention', () => {
    expect(removed('2026-10-08', 28 * dayMs)).toEqual({ drop: ['first'], deleteFrom: ['default', 'first', 'expiring', 'live'] })
  })

  test('single rows of a partition that could not be dropped for long', () => {
    expect(removed('2026-12-01')).toEqual({ drop: ['first', 'expiring'], deleteFrom: ['default', 'first', 'expiring', 'live'] })
  })

  test('what a shorter retention has expired, and nothing that a longer one has not', () => {
    expect(removed('2026-11-23', 365 * dayMs).drop).toEqual([])
    expect(removed('2026-11-23', 60 * dayMs).drop).toEqual(['first', 'expiring'])
  })
})

/** A table whose sweeps follow the plan, beside one with the same rows from which expired ones are deleted. */
test('partitions lose no row before it expires, and every row soon after', () => {
  const steps = fc.array(
    fc.record({
      passedDays: fc.double({ min: 0, max: 20, noNaN: true }),
      keptDays: fc.constantFrom(1, 10, 28, 64, 400, 3650),
      // How far the time of a row is from the time of its insertion: clocks differ, and tests backdate rows.
      offsetDays: fc.array(fc.oneof(fc.constant(0), fc.double({ min: -500, max: 60, noNaN: true })), { maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  const check = (history: { passedDays: number; keptDays: number; offsetDays: number[] }[]) => {
    let nowMs = at('2026-01-01')
    const partitions: Partition[] = [nothing, { name: 'first', range: { fromMs: -Infinity, toMs: nowMs + 20 * dayMs } }]
    let rows: { timeMs: number; partition: string }[] = []
    for (const { passedDays, keptDays, offsetDays } of history) {
      nowMs += passedDays * dayMs
      for (const offset of offsetDays) {
        const timeMs = nowMs + offset * dayMs
        const found = partitions.find((each) => each.range !== null && each.range.fromMs <= timeMs && timeMs < each.range.toMs)
        rows.push({ timeMs, partition: found?.name ?? nothing.name })
      }
      const keptMs = keptDays * dayMs
      const plan = planPartitions(partitions, { nowMs, keptMs })
      const before = rows
      rows = rows.filter(({ timeMs, partition }) => !plan.drop.includes(partition) && !(plan.deleteFrom.includes(partition) && timeMs < nowMs - keptMs))
      const removed = before.filter((row) => !rows.includes(row))
      expect(removed.filter(({ timeMs }) => timeMs >= nowMs - keptMs)).toEqual([])
      expect(rows.filter(({ timeMs }) => timeMs < nowMs - keptMs * 1.25)).toEqual([])
      for (const name of plan.drop) partitions.splice(partitions.findIndex((each) => each.name === name), 1)
      for (const each of plan.create) partitions.push({ name: `p${each.fromMs}`, range: each })
      const ranges = partitions.flatMap((each) => each.range ?? []).toSorted((a, b) => a.fromMs - b.fromMs)
      for (const [index, each] of ranges.entries()) expect(each.fromMs).toBeGreaterThanOrEqual(ranges[index - 1]?.toMs ?? -Infinity)
      expect(ranges.some((each) => each.fromMs <= nowMs && nowMs < each.toMs)).toBe(true)
    }
  }
  fc.assert(fc.property(steps, check), { seed: 11, numRuns: 300 })
})
