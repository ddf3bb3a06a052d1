import { expect, test } from 'vitest'
import type { FieldType } from './field.ts'
import { mainColumn, readColumns } from './classify-columns.ts'

const one = (name: string, type: FieldType = 'integer') => readColumns([{ name, type }])[0]!

test.each<[string, FieldType, string]>([
  ['revenue', 'decimal', 'measure'],
  ['orders', 'integer', 'measure'],
  ['number', 'integer', 'measure'],
  ['number_of_orders', 'integer', 'measure'],
  ['minutes', 'number', 'measure'],
  ['id', 'integer', 'key'],
  ['order_id', 'integer', 'key'],
  ['customerId', 'integer', 'key'],
  ['order number', 'integer', 'key'],
  ['zip', 'integer', 'key'],
  ['year', 'integer', 'key'],
  ['order_month', 'integer', 'key'],
  ['avg_amount', 'decimal', 'level'],
  ['Average order value', 'number', 'level'],
  ['refund_rate', 'number', 'level'],
  ['unit_price', 'decimal', 'level'],
  ['revenue_per_customer', 'decimal', 'level'],
  ['max_amount', 'integer', 'level'],
  ['p95', 'number', 'level'],
  ['growth %', 'number', 'level'],
  ['running_total', 'decimal', 'level'],
  ['rank', 'integer', 'aside'],
  ['row_number', 'integer', 'aside'],
  ['payload', 'json', 'aside'],
  ['country', 'string', 'key'],
  ['is_business', 'boolean', 'key'],
  ['rate', 'string', 'key'],
  ['week', 'date', 'time'],
  ['ordered_at', 'timestamp', 'time'],
  ['', 'integer', 'measure'],
  ['constructor', 'integer', 'measure'],
])('%s (%s) is a %s', (name, type, role) => {
  expect(one(name, type).role).toBe(role)
})

test.each([
  ['revenue_eur', 'revenue', '€'],
  ['amount_usd', 'amount', '$'],
  ['cost (£)', 'cost (£)', '£'],
  ['refund_rate_percent', 'refund rate', '%'],
  ['percent', 'percent', '%'],
  ['lost_revenue', 'lost revenue', ''],
  ['toString', 'toString', ''],
])('%s has the label %s and the unit "%s"', (name, label, unit) => {
  expect(one(name, 'number')).toMatchObject({ label, unit })
})

test('numbers columns with the same name', () => {
  const columns = readColumns(Array.from({ length: 3 }, () => ({ name: 'n', type: 'integer' as const })))
  expect(columns.map(({ name }) => name)).toEqual(['n', 'n (2)', 'n (3)'])
})

test.each([
  [['quantity', 'unit_price', 'amount'], 'amount'],
  [['orders', 'customers'], 'orders'],
  [['refund_rate', 'orders'], 'orders'],
  [['refund_rate', 'avg_amount'], 'refund_rate'],
  [['pieces', 'margin_eur'], 'margin_eur'],
])('with the columns %s the headline is about %s', (names, main) => {
  expect(mainColumn(readColumns(names.map((name) => ({ name, type: 'number' }))))!.name).toBe(main)
})
