import { expect, test } from 'vitest'
import { openSampleShop } from '../../testing/sample-shop.ts'
import { sampleMetrics } from './sample-knowledge.ts'

test('the metrics can be computed from the sample shop', async () => {
  const { shop, close } = await openSampleShop()
  const values = new Map<string, number>()
  for (const { name, sql } of sampleMetrics) values.set(name, Number((await shop.runAndReadAll(sql)).getRowsJson()[0]![0]))
  close()
  expect(values.get('Net revenue')).toBeGreaterThan(1_000_000)
  expect(values.get('Refund rate')).toBeGreaterThan(1)
  expect(values.get('Refund rate')).toBeLessThan(20)
})
