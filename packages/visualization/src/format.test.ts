import { describe, expect, test } from 'vitest'
import type { Field } from './fields.ts'
import { formatter, formatters } from './format.ts'

const write = (field: Field, value: unknown, values: unknown[] = [value]) => formatter(field, undefined, 'en', values)(value)

describe('numbers', () => {
  test.each([
    [{ name: 'revenue', type: 'decimal' }, '1234567.50', '1,234,567.50'],
    [{ name: 'orders', type: 'integer' }, 220000, '220,000'],
    [{ name: 'orders', type: 'integer' }, '9007199254740993', '9,007,199,254,740,993'],
    [{ name: 'average', type: 'number' }, 12.333333333333334, '12.333333'],
    [{ name: 'tiny', type: 'number' }, 0.00000012345678, '1.2345678e-7'],
    [{ name: 'tiny', type: 'number' }, 0.00012345678, '0.00012345678'],
    [{ name: 'huge', type: 'number' }, 1e21, '1e+21'],
    [{ name: 'number', type: 'number' }, 'NaN', 'NaN'],
    [{ name: 'refund_rate_percent', type: 'decimal' }, '57', '57%'],
    [{ name: 'share (%)', type: 'number' }, -3.5, '-3.5%'],
    [{ name: 'order_id', type: 'integer' }, 123456, '123456'],
    [{ name: 'year', type: 'integer' }, 2025, '2025'],
    [{ name: 'n', type: 'integer' }, null, null],
  ] as const)('writes %j %j as %j', (field, value, text) => {
    expect(write(field, value)).toBe(text)
  })
})

describe('times', () => {
  const at: Field = { name: 'at', type: 'timestamp' }
  const months = ['2025-01-01T00:00:00Z', '2025-02-01T00:00:00Z', null, '2025-03-01T00:00:00Z']

  test('writes months if all values are the first of one', () => {
    expect(months.map(formatter(at, undefined, 'en', months))).toEqual(['Jan 2025', 'Feb 2025', null, 'Mar 2025'])
    expect(write({ name: 'month', type: 'date' }, '2025-03-01')).toBe('Mar 2025')
  })

  test('omits the time of day only if no value has one', () => {
    expect(write(at, '2025-01-31T00:00:00Z')).toBe('2025-01-31')
    expect(write(at, '2025-01-01T00:00:00Z', ['2025-01-01T00:00:00Z'])).toBe('2025-01-01')
    expect(write(at, '2025-01-31T00:00:00Z', ['2025-01-31T00:00:00Z', '2025-01-31T09:30:00Z'])).toBe('2025-01-31 00:00:00')
    expect(write(at, 'infinity', ['infinity', '2025-01-31T00:00:00Z'])).toBe('infinity')
  })
})

test('formats each column by its own values', () => {
  const fields: Field[] = [{ name: 'day', type: 'date' }, { name: 'word', type: 'string' }, { name: 'data', type: 'json' }]
  const formats = formatters(fields, [['2025-01-31', '1234', { a: 1234 }]], undefined, 'en')
  expect(['2025-01-31', '1234', { a: 1234 }].map((value, at) => formats[at]!(value))).toEqual(['2025-01-31', '1234', '{"a":1234}'])
})
