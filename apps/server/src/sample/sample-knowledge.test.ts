import { DuckDBInstance } from '@duckdb/node-api'
import { expect, test } from 'vitest'
import { sampleMetrics } from './sample-knowledge.ts'
import { fillSampleShop } from './shop.ts'

/** The tests know the figures of this shop. */
const firstStartOn = '2025-12-31'

test('the metrics can be computed from the sample shop', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const shop = await instance.connect()
  await fillSampleShop(shop, { firstStartOn, lastDay: firstStartOn })
  const values = new Map<string, number>()
  for (const { name, sql } of sampleMetrics) values.set(name, Number((await shop.runAndReadAll(sql)).getRowsJson()[0]![0]))
  shop.closeSync()
  instance.closeSync()
  expect(values.get('Net revenue')).toBeGreaterThan(1_000_000)
  expect(values.get('Refund rate')).toBeGreaterThan(1)
  expect(values.get('Refund rate')).toBeLessThan(20)
})
