import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DuckDBConnection } from '@duckdb/node-api'
import { openSampleShop, sampleShopDays } from '../../testing/sample-shop.ts'
import { renderSql } from '../domain/parameters/render-sql.ts'
import { sampleBoardOf, sampleBoardQueries } from './sample-board.ts'
import { sampleQueriesOf, type SampleQuery } from './sample-queries.ts'

const sampleQueries = sampleQueriesOf(sampleShopDays.firstStartOn)

let shop: DuckDBConnection
let close: () => void

beforeAll(async () => {
  ;({ shop, close } = await openSampleShop())
})
afterAll(() => close())

/** Relative periods are those of this day. */
const now = new Date('2026-01-01')

/** Runs with the defaults, overridden by the given values. */
async function run(query: SampleQuery, values: Record<string, string> = {}) {
  const { sql, parameters: definitions } = query
  const { renderedSql } = renderSql({ sql, definitions, values, dialect: 'duckdb', now })
  const reader = await shop.runAndReadAll(renderedSql)
  return { columns: reader.columnNames(), rows: reader.getRowObjectsJson() }
}

function titled(title: string): SampleQuery {
  const query = sampleQueries.find((candidate) => candidate.title === title)
  if (!query) throw new Error(`there is no sample query with the title ${title}`)
  return query
}

test('has six queries with six visualization types and four parameter types', () => {
  expect(sampleQueries.map((query) => query.visualization?.type)).toEqual(['line', 'bar', 'pie', 'area', 'number', 'table'])
  expect(new Set(sampleQueries.map((query) => query.title)).size).toBe(6)
  const types = sampleQueries.flatMap((query) => query.parameters.map((parameter) => parameter.type))
  expect([...new Set(types)].sort()).toEqual(['boolean', 'dateRange', 'number', 'text'])
})

describe.each([...sampleQueries, ...sampleBoardQueries])('$title', (query) => {
  test('has exactly one parameter, with a default, for every placeholder', () => {
    const placeholders = [...query.sql.matchAll(/\{\{(\w+)(?:\.\w+)?\}\}/g)].map((match) => match[1])
    expect(new Set(query.parameters.map((parameter) => parameter.name))).toEqual(new Set(placeholders))
    for (const parameter of query.parameters) expect(parameter.defaultValue).not.toBe('')
  })

  test('runs with its defaults, with a result that fits its visualization', async () => {
    const { columns, rows } = await run(query)
    const isTable = query.visualization?.type === 'table'
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.length).toBeLessThanOrEqual(isTable ? 1000 : 208)

    const jsx = query.visualization?.jsxConfig ?? ''
    const keys = [...jsx.matchAll(/(?:dataKey|nameKey|seriesKey|timeKey)="(\w+)"/g)].map((match) => match[1])
    for (const key of keys) expect(columns).toContain(key)
    for (const row of rows) expect(keys.map((key) => row[key ?? ''])).not.toContain(null)
  })
})

describe('results', () => {
  test('revenue by week: the incident costs more than any other week', async () => {
    const { rows } = await run(titled('Revenue by week'))
    expect(rows).toHaveLength(104)
    const worst = rows.toSorted((a, b) => Number(b['lost_revenue']) - Number(a['lost_revenue']))[0]
    expect(worst?.['week']).toBe('2025-09-08')
  })

  test('top products: respects the limit, the period and canceled orders', async () => {
    const query = titled('Top products')
    const usual = await run(query)
    expect(usual.rows).toHaveLength(12)
    expect(usual.rows[0]?.['product']).toBe('Aurora Sunrise Lamp')
    expect((await run(query, { row_limit: '3' })).rows).toEqual(usual.rows.slice(0, 3))
    const all = await run(query, { include_canceled: 'true' })
    expect(Number(all.rows[0]?.['revenue'])).toBeGreaterThan(Number(usual.rows[0]?.['revenue']))
    const early = await run(query, { period: '2024-01-01..2024-06-30' })
    expect(early.rows.map((row) => row['product'])).toContain('Meridian Pocket Radio')
    expect(usual.rows.map((row) => row['product'])).not.toContain('Meridian Pocket Radio')
  })

  test('revenue by channel: the countries add up to the total', async () => {
    const query = titled('Revenue by channel in a country')
    const orders = async (country: string) => {
      const { rows } = await run(query, { country })
      return rows.reduce((sum, row) => sum + Number(row['orders']), 0)
    }
    let sum = 0
    const countries = await shop.runAndReadAll('select distinct country from customers')
    for (const country of countries.getRowObjectsJson()) sum += await orders(country['country'] as string)
    expect(await orders('All')).toBe(sum)
    expect(await orders('Atlantis')).toBe(0)
  })

  test('new and returning customers: every month has both, and Japan has none before it opens', async () => {
    const query = titled('New and returning customers')
    const { rows } = await run(query, { period: '2024-01-01..2025-12-31' })
    expect(rows).toHaveLength(24)
    for (const row of rows) {
      expect(Number(row['new_customers'])).toBeGreaterThan(0)
      expect(Number(row['returning_customers'])).toBeGreaterThan(Number(row['new_customers']))
    }
    const february = await run(query, { period: '2025-02-01..2025-02-28' })
    expect(february.rows).toEqual(rows.filter((row) => row['month'] === '2025-02-01'))
    expect((await run(query, { country: 'Japan' })).rows[0]).toMatchObject({ month: '2025-02-01', returning_customers: '0' })
  })

  test('refund rate: the incident against the week before, and nothing special elsewhere', async () => {
    const query = titled('Refund rate of a warehouse')
    const rates = async (warehouse: string) => {
      const row = (await run(query, { warehouse })).rows[0]
      return { current: Number(row?.['refund_rate_percent']), before: Number(row?.['refund_rate_before_percent']) }
    }
    const rotterdam = await rates('Rotterdam')
    expect(rotterdam.current).toBeGreaterThan(50)
    expect(rotterdam.before).toBeLessThan(10)
    expect((await rates('Columbus')).current).toBeLessThan(10)
  })

  test('biggest orders: largest first, none below the minimum', async () => {
    const query = titled('Biggest orders')
    const { rows } = await run(query, { minimum_amount: '2000.50' })
    const amounts = rows.map((row) => Number(row['amount']))
    expect(amounts).toEqual(amounts.toSorted((a, b) => b - a))
    expect(Math.min(...amounts)).toBeGreaterThanOrEqual(2000.5)
    const kept = await run(query, { include_canceled: 'false' })
    expect(kept.rows.map((row) => row['status'])).not.toContain('canceled')
  })
})

describe('the board', () => {
  const all = [...sampleQueries, ...sampleBoardQueries]
  const tiles = sampleBoardOf((title) => title).tiles.filter(({ kind }) => kind === 'reference')
  const queryOf = (shortId: string | undefined) => all.find(({ title }) => title === shortId)

  test.each(tiles)('maps the parameters of the tile $id to parameters of the same type', ({ referenceShortId, parameterMapping }) => {
    const board = sampleBoardOf((title) => title)
    for (const [name, boardName] of Object.entries(parameterMapping!)) {
      const own = queryOf(referenceShortId)?.parameters.find((parameter) => parameter.name === name)
      const mapped = board.parameters.find((parameter) => parameter.name === boardName)
      expect(own?.type).toBe(mapped?.type)
    }
  })

  test('uses each of its own queries, and filters by a column that they have', async () => {
    expect(tiles.map(({ referenceShortId }) => referenceShortId)).toEqual(
      expect.arrayContaining(sampleBoardQueries.map(({ title }) => title)),
    )
    const filtering = tiles.filter(({ filters }) => filters)
    expect(filtering).toHaveLength(2)
    for (const { filters, referenceShortId } of filtering) {
      expect((await run(queryOf(referenceShortId)!)).columns).toContain(filters!.column)
    }
  })
})
