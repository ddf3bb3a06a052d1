import type { DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSampleShop } from '../../testing/sample-shop.ts'
import { findDifference } from '../domain/evaluations/match-results.ts'
import { sampleQuestionsOf } from './sample-questions.ts'

const sampleQuestions = sampleQuestionsOf(2025)

let shop: DuckDBConnection
let close: () => void

beforeAll(async () => {
  ;({ shop, close } = await openSampleShop())
  // The same rows, stored in the opposite order.
  await shop.run('create schema memory.reversed')
  for (const table of ['products', 'customers', 'orders']) {
    await shop.run(`create table memory.reversed.${table} as select * from shop.${table} order by ${table.slice(0, -1)}_id desc`)
  }
})
afterAll(() => close())

async function run(sql: string, schema: 'shop.main' | 'memory.reversed' = 'shop.main') {
  await shop.run(`use ${schema}`)
  const reader = await shop.runAndReadAll(sql)
  return { columns: reader.columnNames(), rows: reader.getRowsJson() as unknown[][] }
}

test('there are 25 different questions', () => {
  expect(new Set(sampleQuestions.map(({ text }) => text)).size).toBe(25)
})

describe.each(sampleQuestions)('$text', ({ sql, isOrdered, tolerance }) => {
  test('has one answer, whatever order the rows are stored in', async () => {
    const { columns, rows } = await run(sql)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.length).toBeLessThan(100)
    for (const row of rows) expect(row).not.toContain(null)
    const reversed = await run(sql, 'memory.reversed')
    expect(findDifference({ fields: null, rows }, { fields: null, rows: reversed.rows }, { isOrdered, tolerance })).toBeUndefined()

    const order = /\border by (\w+)( desc)?(?:\s+limit (\d+))?$/.exec(sql)
    expect(isOrdered || /\blimit\b/.test(sql)).toBe(order !== null)
    if (!order) return
    const column = columns.indexOf(order[1]!)
    const limit = order[3] === undefined ? rows.length : Number(order[3])
    const oneMore = await run(sql.replace(/limit \d+$/, `limit ${limit + 1}`))
    // Without a tie, neither the order nor the row at the limit is arbitrary.
    const keys = oneMore.rows.map((row) => row[column])
    expect(new Set(keys).size).toBe(keys.length)
  })
})
