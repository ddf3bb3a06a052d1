import { expect, test } from 'vitest'
import { describeMetric, type MetricNode } from './describe-metric.ts'

const models = [
  { name: 'customers', measures: [{ name: 'customers', agg: 'count_distinct', expr: 'id' }] },
  { name: 'orders', node_relation: { schema_name: 'marts', alias: 'fct_orders' }, measures: [{ name: 'revenue', agg: 'sum', expr: 'amount - tax' }, { name: 'tax', agg: 'sum' }] },
]

test.each<[string, MetricNode, string | undefined]>([
  ['a measure', { type: 'simple', type_params: { measure: { name: 'revenue' } } }, 'sum(amount - tax) from marts.fct_orders'],
  ['a measure without an expression', { type: 'simple', type_params: { measure: { name: 'tax' } } }, 'sum(tax) from marts.fct_orders'],
  ['a measure without a table', { type: 'simple', type_params: { measure: { name: 'customers' } } }, 'count_distinct(id)'],
  ['a cumulative metric', { type: 'cumulative', type_params: { measure: { name: 'tax' } } }, 'running total of sum(tax) from marts.fct_orders'],
  ['a ratio', { type: 'ratio', type_params: { numerator: { name: 'revenue' }, denominator: { name: 'orders' } } }, 'revenue / orders'],
  ['a derived metric', { type: 'derived', type_params: { expr: 'revenue - costs' } }, 'revenue - costs'],
  [
    'a filter',
    { type: 'derived', type_params: { expr: 'revenue' }, filter: { where_filters: [{ where_sql_template: "{{ Dimension('order__country') }} = 'CH'" }] } },
    "revenue where {{ Dimension('order__country') }} = 'CH'",
  ],
  ['an unknown measure', { type: 'simple', type_params: { measure: { name: 'gone' } } }, undefined],
  ['a metric without a type', { name: 'old' }, undefined],
])('describes %s', (_, metric, expected) => {
  expect(describeMetric(metric, models)).toBe(expected)
})
