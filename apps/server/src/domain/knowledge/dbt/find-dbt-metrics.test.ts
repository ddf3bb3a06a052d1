import { expect, test } from 'vitest'
import type { DbtImport, DbtMetric } from '../../../model/dbt.ts'
import { findDbtMetrics } from './find-dbt-metrics.ts'

const metric = (name: string, description = ''): DbtMetric => ({ name, label: name, description, definition: null })
const imported = (metrics: DbtMetric[]) => ({ databaseId: 'db_1', project: 'shop', metrics }) as DbtImport
const names = (metrics: DbtMetric[], asked: string[], count = 10) => findDbtMetrics([imported(metrics)], { asked, count }).map(({ name }) => name)

test('finds metrics by the beginnings of their words, those of the name first', () => {
  const metrics = [metric('margin', 'Revenue minus costs.'), metric('net_revenue'), metric('visits')]
  expect(names(metrics, ['revenue'])).toEqual(['net_revenue', 'margin'])
  expect(names(metrics, ['visit'])).toEqual(['visits'])
  expect(names(metrics, ['profit'])).toEqual([])
})

test('returns at most as many as asked, with their project and database', () => {
  expect(names([metric('b orders'), metric('a orders')], ['orders'], 1)).toEqual(['a orders'])
  expect(findDbtMetrics([imported([metric('orders')])], { asked: ['orders'], count: 1 })).toEqual([{ ...metric('orders'), databaseId: 'db_1', project: 'shop' }])
})
