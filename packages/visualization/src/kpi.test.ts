import { describe, expect, test } from 'vitest'
import type { Field } from './fields.ts'
import { type KpiInput, readKpi } from './kpi.ts'

const fields: Field[] = [{ name: 'month', type: 'date' }, { name: 'revenue', type: 'decimal' }]
const rows = [
  ['2025-03-01', '1120.00'],
  ['2025-01-01', '900.00'],
  ['2025-02-01', '1000.00'],
]
const shown = { key: 'revenue', caption: null, unit: null }
const read = (more: Partial<KpiInput['shown']> = {}, input: Partial<KpiInput> = {}) =>
  readKpi({ fields, rows, locale: 'en', ...input, shown: { ...shown, ...more } })

describe('the value', () => {
  test('is that of the first row without a column of times', () => {
    expect(read()).toMatchObject({ caption: 'revenue', text: '1,120.00', period: null, comparison: null, sparkline: null })
  })

  test('is that of the latest period that has one', () => {
    const later = [...rows, ['2025-04-01', null]]
    expect(read({ timeKey: 'month' }, { rows: later })).toMatchObject({ text: '1,120.00', period: 'Mar 2025' })
  })

  test.each<[Field['type'], string]>([['date', '2025-03-02'], ['timestamp', '2025-03-02T00:00:00Z']])('is dated by its day, of type %s', (type, day) => {
    const daily = { fields: [{ name: 'day', type }, fields[1]!], rows: [[day.replace('02', '01'), '1.00'], [day, '2.00']] }
    expect(read({ timeKey: 'day' }, daily)).toMatchObject({ text: '2.00', period: '2025-03-02' })
  })

  test('adds up the rows of a period, and says so', () => {
    const kpi = read({ timeKey: 'month' }, { rows: [...rows, ['2025-03-01', '0.05']] })
    expect(kpi).toMatchObject({ text: '1,120.05', notes: ['Values with the same month are added up.'] })
  })

  test('has the title, format and unit of its column', () => {
    const columns = [{ name: 'revenue', title: 'Revenue', format: { style: 'currency', currency: 'EUR' } as const }]
    expect(read({ unit: ' €' }, { columns })).toMatchObject({ caption: 'Revenue', text: '€1,120.00' })
    expect(read({ unit: ' €', caption: 'Sales' })).toMatchObject({ caption: 'Sales', text: '1,120.00 €' })
  })

  test('is a dash without rows', () => {
    expect(read({ timeKey: 'month', isCompared: true, target: 5 }, { rows: [] })).toMatchObject({
      text: '–', period: null, comparison: null, target: { isReached: false, share: null },
    })
  })

  test.each([['key', 'profit'], ['timeKey', 'week']])('is missing if the result has no column for %s', (name, column) => {
    expect(read({ [name]: column }).problems).toEqual([`The result has no column “${column}”. Choose another.`])
  })
})

describe('the comparison', () => {
  test('is with the period before, in its units and in percent', () => {
    expect(read({ timeKey: 'month', isCompared: true }).comparison).toEqual({
      period: 'Feb 2025', direction: 'up', isGood: true, difference: '+120.00', percent: '+12.0%', previous: '1,000.00',
    })
  })

  test('knows that a decrease of costs is good', () => {
    const falling = rows.map(([month, value]) => [month, `-${value}`])
    expect(read({ timeKey: 'month', isCompared: true }, { rows: falling }).comparison).toMatchObject({ direction: 'down', isGood: false, difference: '−120.00' })
    expect(read({ timeKey: 'month', isCompared: true, isLowerBetter: true }, { rows: falling }).comparison).toMatchObject({ isGood: true })
  })

  test('has no percentage from zero', () => {
    const fromZero = [['2025-01-01', '0'], ['2025-02-01', '5']]
    expect(read({ timeKey: 'month', isCompared: true }, { rows: fromZero }).comparison).toMatchObject({ difference: '+5', percent: null })
  })

  test('is in points between percentages', () => {
    const rates = [['2025-01-01', '6.0'], ['2025-02-01', '5.8']]
    const { comparison } = read({ timeKey: 'month', isCompared: true, unit: '%' }, { rows: rates })
    expect(comparison).toMatchObject({ difference: '−0.2 points', percent: null, previous: '6.0%' })
  })

  test('is with a number that has as many decimals as the one shown', () => {
    const rates = [['2025-01-01', 6], ['2025-02-01', 5.8]]
    const { comparison } = read({ timeKey: 'month', isCompared: true, unit: '%' }, { rows: rates })
    expect(comparison).toMatchObject({ difference: '−0.2 points', previous: '6.0%' })
  })

  test('is neither good nor bad if nothing changed', () => {
    const same = [['2025-01-01', '5'], ['2025-02-01', '5.0']]
    expect(read({ timeKey: 'month', isCompared: true }, { rows: same }).comparison).toMatchObject({ direction: 'same', isGood: null, percent: '0.0%' })
  })
})

describe('the target', () => {
  test.each([
    [{ target: 1000 }, { text: '1,000', share: 1.12, shareText: '112.0%', isReached: true }],
    [{ target: 2240 }, { text: '2,240', share: 0.5, shareText: '50.0%', isReached: false }],
    [{ target: 1000, isLowerBetter: true }, { text: '1,000', share: 1.12, shareText: '112.0%', isReached: false }],
    [{ target: 0 }, { text: '0', share: null, shareText: null, isReached: true }],
  ])('of %j is %j', (more, target) => {
    expect(read(more).target).toEqual(target)
  })
})

test('draws the values of all periods in their order', () => {
  expect(read({ timeKey: 'month', hasSparkline: true }, { rows: [...rows, ['2025-04-01', null]] }).sparkline).toEqual([900, 1000, 1120, null])
})
