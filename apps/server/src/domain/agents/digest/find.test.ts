import { describe, expect, test } from 'vitest'
import type { Field } from '../../../model/result.ts'
import type { Observation } from '../../../model/observation.ts'
import { look } from '../../../../testing/agents/analyze-result.ts'

const salesFields: Field[] = [
  { name: 'country', type: 'string' },
  { name: 'revenue', type: 'decimal' },
]
const countries = { Germany: '100.50', France: '80.00', Japan: '60.25', Spain: '40.00' }
const sales = (rows: Record<string, string | null>, previous?: Observation) =>
  look({ fields: salesFields, rows: Object.entries(rows), ...(previous && { previous }) })

/** The lines of a summary, without links and title. */
const lines = (summary: string) =>
  summary
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .split('\n')
    .map((line) => line.replace(/^Title: /, ''))

describe('rows with keys', () => {
  test('the first report gives the figures', async () => {
    expect(lines((await sales(countries)).summary)).toEqual([
      '280.75 total revenue across 4 rows. First report. Comparisons start with the next run.',
      '- Largest by revenue: Germany (100.5, 35.8%), France (80, 28.5%), Japan (60.25, 21.5%).',
    ])
  })

  test('reports movers, new keys and missing keys', async () => {
    const { observation } = await sales(countries)
    const { Japan: _, ...others } = countries
    const { summary } = await sales({ ...others, Germany: '150.50', France: '60', Italy: '10' }, observation)
    expect(lines(summary)).toEqual([
      '260.5 total revenue across 4 rows, down 7.2% (−20.25) since the last run.',
      '- Revenue up: Germany +50 (+49.8%); down: France −20 (−25%).',
      '- New: Italy.',
      '- Gone: Japan.',
    ])
  })

  test('reports three movers in each direction and five names', async () => {
    const named = (count: number, prefix: string, value: (n: number) => string) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, value(n)]))
    const { observation } = await sales({ ...named(10, 'k', () => '100'), ...named(7, 'old', () => '1') })
    const now = { ...named(10, 'k', (n) => String(100 + (n - 5) * 10)), ...named(6, 'new', () => '1') }
    expect(lines((await sales(now, observation)).summary).slice(1)).toEqual([
      '- Revenue up: k9 +40 (+40%), k8 +30 (+30%), k7 +20 (+20%); down: k0 −50 (−50%), k1 −40 (−40%), k2 −30 (−30%).',
      '- New: new0, new1, new2, new3, new4 and 1 more.',
      '- Gone: old0, old1, old2, old3, old4 and 2 more.',
      '- Rows: 16, −1 since the last run.',
    ])
  })

  test('an identical result, or one with changes below one percent, is not notable', async () => {
    const { observation } = await sales(countries)
    expect(lines((await sales(countries, observation)).summary)).toEqual([
      '280.75 total revenue across 4 rows. Nothing notable: same as the last run.',
    ])
    expect(lines((await sales({ ...countries, Germany: '101.40' }, observation)).summary)).toEqual([
      '281.65 total revenue across 4 rows, up 0.3% (+0.9) since the last run. Nothing notable: no figure changed by 1% or more since the last run.',
    ])
  })

  test('changes that cancel out in the total are notable', async () => {
    const { observation } = await sales(countries)
    const { findings, summary } = await sales({ ...countries, Germany: '90.50', France: '90' }, observation)
    expect(findings.isNotable).toBe(true)
    expect(lines(summary)).toEqual([
      '280.75 total revenue across 4 rows, unchanged since the last run.',
      '- Revenue up: France +10 (+12.5%); down: Germany −10 (−10%).',
    ])
  })

  test('ignores the order of rows', async () => {
    const { observation } = await sales(countries)
    const { findings } = await sales(Object.fromEntries(Object.entries(countries).toReversed()), observation)
    expect(findings.isNotable).toBe(false)
  })

  test('handles changes from zero, to zero and across zero', async () => {
    const { observation } = await sales({ a: '0', b: '50', c: '-20' })
    expect(lines((await sales({ a: '30', b: '0', c: '20' }, observation)).summary)[1]).toBe(
      '- Revenue up: c +40, a +30; down: b −50 (−100%).',
    )
  })

  test('reports unusual values only once', async () => {
    const plain = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`shop ${n}`, String(100 + n)]))
    const before = await sales(plain)
    const after = await sales({ ...plain, 'shop 3': '900' }, before.observation)
    expect(lines(after.summary)[1]).toBe('- Unusually high revenue: shop 3 (900); typical is about 106.')
    const again = await sales({ ...plain, 'shop 3': '910', 'shop 4': '10' }, after.observation)
    expect(lines(again.summary)[1]).toBe('- Unusually low revenue: shop 4 (10); typical is about 106.')
  })

  test('uses an identifier as the key, whatever else changes in its row', async () => {
    const fields: Field[] = [
      { name: 'status', type: 'string' },
      { name: 'order_id', type: 'integer' },
      { name: 'amount', type: 'decimal' },
    ]
    const { observation } = await look({ fields, rows: [['open', 7, '10'], ['open', 8, '20']] })
    const { summary } = await look({ fields, rows: [['paid', 7, '15'], ['open', 9, '20']], previous: observation })
    expect(lines(summary).slice(1)).toEqual(['- Amount up: order 7 +5 (+50%).', '- New: order 9.', '- Gone: order 8.'])
  })

  test('adds up rows with the same key, and reports no rate for them', async () => {
    const fields: Field[] = [...salesFields, { name: 'refund_rate', type: 'number' }]
    const { observation, findings } = await look({ fields, rows: [['a', '1.5', 3], ['a', '2', 4], [null, null, null]] })
    expect(observation.rows!.rows).toEqual([
      { key: ['a'], values: ['3.5', null] },
      { key: [null], values: [null, null] },
    ])
    expect(findings.headline).toMatchObject({ kind: 'total', rowCount: 3 })
  })

  test('notes that the query changed', async () => {
    const { observation } = await sales(countries)
    const { summary } = await look({ fields: salesFields, rows: [['Germany', '5']], previous: observation, sqlHash: 'other' })
    expect(lines(summary)[1]).toBe('- The query or its parameters changed since the last run, which may explain differences.')
  })

  test('compares only the columns that are still the same', async () => {
    const { observation } = await sales(countries)
    const fields: Field[] = [{ name: 'city', type: 'string' }, { name: 'revenue', type: 'decimal' }, { name: 'orders', type: 'integer' }]
    const { summary } = await look({ fields, rows: [['Berlin', '281', 4]], previous: observation })
    expect(lines(summary)).toEqual([
      '281 total revenue, up 0.1% (+0.25) since the last run.',
      '- Total orders: 4.',
      '- Rows: 1, −3 since the last run.',
    ])
  })
})

describe('figures, counts and empty results', () => {
  const rates: Field[] = [{ name: 'refund_rate_percent', type: 'number' }, { name: 'orders', type: 'integer' }]

  test('reports a single row of figures', async () => {
    const { observation, summary } = await look({ fields: rates, rows: [[4.5, 1822]] })
    expect(lines(summary)).toEqual([
      '4.5% refund rate. First report. Comparisons start with the next run.',
      '- Orders: 1,822.',
    ])
    const next = await look({ fields: rates, rows: [[6, 1822]], previous: observation })
    expect(lines(next.summary)).toEqual(['6% refund rate, up 1.5 points since the last run.', '- Orders: 1,822, unchanged.'])
  })

  test('counts and names rows that have only text', async () => {
    const fields: Field[] = [{ name: 'customer', type: 'string' }]
    const { observation, summary } = await look({ fields, rows: [['Ada'], ['Bob']] })
    expect(lines(summary)).toEqual(['2 rows. First report. Comparisons start with the next run.'])
    const next = await look({ fields, rows: [['Ada'], ['Cyd'], ['Dan']], previous: observation })
    expect(lines(next.summary)).toEqual(['3 rows, +1 since the last run.', '- New: Cyd, Dan.', '- Gone: Bob.'])
  })

  test('reports that all rows disappeared, and when they are back', async () => {
    const { observation } = await sales(countries)
    const none = await sales({}, observation)
    expect(lines(none.summary)).toEqual([
      'No rows; the last run had 4.',
      '- Gone: Germany, France, Japan, Spain.',
    ])
    expect(lines((await sales(countries, none.observation)).summary)[0]).toBe('280.75 total revenue across 4 rows.')
  })

  test('handles missing numbers', async () => {
    const { summary } = await look({ fields: rates, rows: [[null, 'NaN']] })
    expect(lines(summary)).toEqual(['1 row. First report. Comparisons start with the next run.'])
  })
})

describe('large results', () => {
  const many = (count: number, extra = 0) =>
    Array.from({ length: count }, (_, n) => [`customer ${n}`, String(10 + extra)] as [string, string])
  const big = (count: number, options: { extra?: number; previous?: Observation } = {}) =>
    look({ fields: salesFields, rows: many(count, options.extra), ...(options.previous && { previous: options.previous }) })

  test('reports exact totals for results with too many rows to compare, and says so', async () => {
    const { observation } = await big(20_001)
    expect(observation.rows).toBeNull()
    expect(observation.totals).toEqual([['revenue', '200010']])
    expect(lines((await big(20_002, { previous: observation })).summary)).toEqual([
      '200,020 total revenue across 20,002 rows, up less than 0.1% (+10) since the last run.',
      '- Rows: 20,002, +1 since the last run.',
      '- The result is too large to compare row by row; only its row count and totals are reported.',
    ])
  })

  test('does not list new and missing rows when there are too many to track, and says so', async () => {
    const { observation } = await big(2001)
    expect(observation.rows).toBeNull()
    expect(lines((await big(2002, { previous: observation })).summary).at(-1)).toBe('- Rows: 2,002, +1 since the last run.')
    expect(lines((await big(2002, { previous: observation })).summary)).toContain(
      '- There are too many rows to track, so new and missing rows are not listed.',
    )
    expect(lines((await big(3, { previous: observation })).summary)).toContain(
      '- The last result was too large to store row by row, so only totals are compared.',
    )
  })

  test('compares two thousand keys', async () => {
    const { observation } = await big(2000)
    expect(observation.rows!.rows).toHaveLength(2000)
    expect((await big(1999, { previous: observation })).findings.points).toContainEqual({
      kind: 'vanished_keys',
      morePlace: null,
      count: 1,
      names: ['customer 1999'],
    })
  })

  test('bounds the size of an observation, however wide the rows are', async () => {
    const fields = Array.from({ length: 300 }, (_, n): Field => ({ name: `${n} ${'x'.repeat(300)}`, type: n % 2 ? 'string' : 'decimal' }))
    const rows = Array.from({ length: 2000 }, (_, n) => fields.map((_, at) => (at % 2 ? `${n} ${'y'.repeat(900)}` : String(n))))
    const { observation, summary } = await look({ fields, rows })
    expect(JSON.stringify(observation).length).toBeLessThanOrEqual(1024 * 1024)
    expect(observation.rows).toBeNull()
    expect(summary.length).toBeLessThan(3000)
  })
})
