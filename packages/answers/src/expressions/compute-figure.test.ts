import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StoredResult } from '../draft.ts'
import type { FieldType } from '../field.ts'
import { computeFigures } from './compute-figure.ts'
import { parsePlaceholder } from './parse-placeholder.ts'

function result(fields: Record<string, FieldType>, rows: unknown[][], runId = 'run_1'): StoredResult {
  return { runId, fields: Object.entries(fields).map(([name, type]) => ({ name, type })), rows, parameters: {}, title: null }
}

const sales = result(
  {
    month: 'date',
    country: 'string',
    revenue_eur: 'decimal',
    orders: 'integer',
    refund_percent: 'number',
    is_member: 'boolean',
    order_id: 'integer',
    at: 'timestamp',
    extra: 'json',
  },
  [
    ['2025-10-01', 'DE', '100.50', 10, 5.5, true, 1017, '2025-10-03T09:00:00.000Z', null],
    ['2025-11-01', 'DE', '2000.00', 20, 5, false, 1018, '2025-11-03T10:30:00.000Z', { a: 1 }],
    ['2025-12-01', 'DE', '1500.25', 16, 57.25, true, 1019, '2025-12-03T00:00:00.000Z', null],
    ['2025-12-01', 'FR', null, 0, null, null, 1020, null, null],
  ],
)

function compute(text: string, results = new Map([['r1', sales]])) {
  return computeFigures([parsePlaceholder(text)], results)[0]!
}
const shown = (text: string) => {
  const figure = compute(text)
  return 'problem' in figure ? `problem: ${figure.problem}` : figure.text
}

test.each([
  ["r1: revenue_eur where country = 'DE' and month = '2025-12-01'", '€ 1,500'],
  ["r1: revenue_eur where country = 'DE' and month = '2025-12-01' | exact", '€ 1,500.25'],
  ['r1: sum(revenue_eur) | exact', '€ 3,600.75'],
  ['r1: avg(revenue_eur) | exact', '€ 1,200.25'],
  ['r1: avg(orders)', '11.5'],
  ['r1: median(orders)', '13'],
  ['r1: min(orders)', '0'],
  ['r1: max(refund_percent)', '57.25%'],
  ['r1: count(*)', '4'],
  ['r1: count(revenue_eur)', '3'],
  ['r1: count(distinct country)', '2'],
  ['r1: rows()', '4'],
  ['r1: first(country)', 'DE'],
  ['r1: last(month)', 'Dec 2025'],
  ['r1: last(month) | exact', '2025-12-01'],
  ['r1: first(order_id)', '1017'],
  ['r1: max(month)', 'Dec 2025'],
  ['r1: first(at)', '2025-10-03 09:00:00'],
  ['r1: count(*) where revenue_eur is null', '1'],
  ['r1: count(*) where revenue_eur is not null', '3'],
  ["r1: sum(orders) where month >= '2025-11'", '36'],
  ["r1: sum(orders) where at < '2025-11-03 10:30:00'", '10'],
  ['r1: sum(orders) where is_member = true', '26'],
  ['r1: count(*) where is_member != true', '1'],
  ["r1: sum(orders) where country in ('FR', 'XX')", '0'],
  ['r1: sum(orders) where revenue_eur > 100.5', '36'],
  ["r1: change(first(revenue_eur), revenue_eur where month = '2025-11-01')", 'up 1,890%'],
  ["r1: change(orders where month = '2025-11-01', orders where month = '2025-12-01' and country = 'DE')", 'down 20%'],
  ["r1: change(orders where month = '2025-11-01', orders where month = '2025-12-01' and country = 'DE') | amount", '20%'],
  ["r1: change(orders where month = '2025-11-01', orders where month = '2025-12-01' and country = 'DE') | verb", 'fell 20%'],
  ['r1: change(first(refund_percent), max(refund_percent))', 'up 51.75 points'],
  ['r1: change(first(orders), first(orders))', 'unchanged'],
  ['r1: change(first(orders), first(orders)) | verb', 'did not change'],
  ['r1: difference(max(orders), min(orders))', '−20'],
  ['r1: difference(min(orders), max(orders))', '+20'],
  ['r1: difference(min(orders), max(orders)) | amount', '20'],
  ['r1: difference(min(orders), max(orders)) | verb', 'rose by 20'],
  ['r1: difference(first(refund_percent), max(refund_percent))', '+51.75 points'],
  ['r1: share(first(orders), sum(orders))', '21.7%'],
  ['r1: ratio(max(orders), first(orders))', '2 times'],
  ['r1: ratio(first(orders), max(orders))', '0.5 times'],
])('%s prints %s', (text, expected) => {
  expect(shown(text)).toBe(expected)
})

test.each([
  ['r1: revenu', 'There is no column revenu. The columns are month, country, revenue_eur'],
  ['r1: revenue_eur', "The result has 4 rows; revenue_eur needs exactly one. Narrow it with where, for example month = '2025-10-01'"],
  ["r1: orders where country = 'DE'", "3 rows match country = 'DE'"],
  ["r1: orders where country = 'de'", "No row matches country = 'de'. country holds 'DE', 'FR'."],
  ["r1: revenue_eur where country = 'FR'", "revenue_eur is NULL where country = 'FR'"],
  ['r2: rows()', 'There is no run r2. The runs are r1.'],
  ['r1: sum(country)', 'country does not hold numbers'],
  ['r1: sum(order_id)', 'order_id identifies rows'],
  ['r1: first(extra)', 'extra holds JSON'],
  ["r1: count(*) where extra = 'x'", 'extra holds JSON'],
  ["r1: count(*) where month = 'December'", "month holds dates; write them as '2025-12-01'"],
  ["r1: count(*) where orders = 'many'", 'orders holds numbers; many is not one'],
  ["r1: count(*) where is_member = 'maybe'", 'is_member is true or false'],
  ['r1: change(min(orders), max(orders))', 'There is no change in percent from zero or across zero. Use difference(…).'],
  ['r1: share(sum(orders), first(orders))', 'The part is larger than the whole'],
  ['r1: ratio(first(orders), min(orders))', 'A ratio needs two numbers that are more than zero'],
  ['r1: difference(first(orders), first(revenue_eur))', 'needs two values of the same unit'],
  ['r1: change(first(order_id), last(order_id))', 'order_id names rows'],
])('%s is a problem: %s', (text, problem) => {
  expect(shown(text)).toContain(problem)
})

test.each([
  ['12.34567', '12.35%'],
  ['0.123456', '0.12%'],
  ['0.00499', '0.005%'],
  ['0.0012345', '0.001%'],
  ['-0.5678', '−0.57%'],
  ['0', '0%'],
])('a percentage of %s prints %s', (cell, expected) => {
  const rate = result({ refund_percent: 'decimal' }, [[cell]])
  expect(compute('r1: refund_percent', new Map([['r1', rate]]))).toMatchObject({ text: expected })
})

test('the value is exact where the text is rounded', () => {
  expect(compute('r1: share(first(orders), sum(orders))')).toMatchObject({ text: '21.7%', value: '21.7391304348', unit: '%' })
  expect(compute("r1: revenue_eur where month = '2025-11-01'")).toMatchObject({ text: '€ 2,000', value: '2000', unit: '€' })
})

test('compares two runs, and names both', () => {
  const before = result({ orders: 'integer' }, [[40]], 'run_0')
  const figure = compute('r1: change(sum(orders) of r0, sum(orders))', new Map([['r1', sales], ['r0', before]]))
  expect(figure).toMatchObject({ text: 'up 15%', runId: 'run_1', runIds: ['run_1', 'run_0'] })
  expect(figure).toMatchObject({ expression: 'change(sum(orders) of run_0, sum(orders))' })
})

test('a number that cannot be computed with is a problem, not zero', () => {
  const broken = result({ score: 'number' }, [[1], ['NaN']])
  expect(compute('r1: sum(score)', new Map([['r1', broken]]))).toEqual({ problem: expect.stringContaining('NaN') })
})

test('reads the rows of a result once for all its figures, and not again for known ones', () => {
  let reads = 0
  const counted: StoredResult = {
    ...sales,
    rows: {
      *[Symbol.iterator]() {
        reads++
        yield* sales.rows
      },
    },
  }
  const results = new Map([['r1', counted]])
  const texts = ['r1: sum(orders)', 'r1: max(orders)', "r1: change(first(orders), orders where month = '2025-11-01')"]
  const placeholders = texts.map(parsePlaceholder)
  computeFigures(placeholders, results)
  // The labels are indexed in a pass of their own.
  expect(reads).toBe(2)
  computeFigures(placeholders, results)
  expect(reads).toBe(2)
})

describe('agrees with arithmetic on integers of any size', () => {
  const amount = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
  const cells = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.option(amount)), { maxLength: 30 })
  const figures = (rows: [string, bigint | null][], ...texts: string[]) => {
    const made = result({ key: 'string', amount: 'decimal' }, rows.map(([key, cents]) => [key, cents === null ? null : String(cents)]))
    return computeFigures(texts.map(parsePlaceholder), new Map([['r1', made]])).map((figure) => ('problem' in figure ? null : figure.value))
  }

  test('sums, counts, extremes and medians', () => {
    fc.assert(
      fc.property(cells, fc.constantFrom('a', 'b', 'c'), (rows, key) => {
        const own = rows.filter((row) => row[0] === key)
        const numbers = own.flatMap((row) => (row[1] === null ? [] : [row[1]])).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
        const sum = numbers.reduce((total, number) => total + number, 0n)
        const twiceMedian = numbers.length === 0 ? 0n : numbers[(numbers.length - 1) >> 1]! + numbers[numbers.length >> 1]!
        const half = twiceMedian < 0n ? -twiceMedian : twiceMedian
        const median = `${twiceMedian < 0n ? '-' : ''}${half / 2n}${half % 2n === 1n ? '.5' : ''}`
        const orNull = (text: string) => (numbers.length === 0 ? null : text)
        const functions = ['sum(amount)', 'min(amount)', 'max(amount)', 'median(amount)', 'count(*)', 'count(distinct amount)']
        expect(figures(rows, ...functions.map((call) => `r1: ${call} where key = '${key}'`))).toEqual([
          orNull(String(sum)),
          orNull(String(numbers[0])),
          orNull(String(numbers.at(-1))),
          orNull(median),
          String(own.length),
          String(new Set(numbers).size),
        ])
      }),
      { seed: 11, numRuns: 200 },
    )
  })

  test('averages, shares and changes to the last of their ten places', () => {
    const rounded = (dividend: bigint, divisor: bigint) => {
      const size = (dividend < 0n ? -dividend : dividend) * 10n ** 10n
      const units = (2n * size + divisor) / (2n * divisor)
      const text = units.toString().padStart(11, '0')
      const plain = `${text.slice(0, -10)}.${text.slice(-10)}`.replace(/\.?0+$/, '')
      return dividend < 0n && plain !== '0' ? `-${plain}` : plain
    }
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 25n }), fc.bigInt({ min: 1n, max: 10n ** 25n }), (a, b) => {
        const [small, large] = a < b ? [a, b] : [b, a]
        const calls = ['avg(amount)', 'share(min(amount), max(amount))', 'change(first(amount), last(amount))', 'ratio(max(amount), min(amount))']
        expect(figures([['a', small], ['b', large]], ...calls.map((call) => `r1: ${call}`))).toEqual([
          rounded(small + large, 2n),
          rounded(small * 100n, large),
          rounded((large - small) * 100n, small),
          rounded(large, small),
        ])
      }),
      { seed: 12, numRuns: 200 },
    )
  })
})
