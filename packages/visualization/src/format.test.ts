import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ColumnFormat } from './column-settings.ts'
import type { Field } from './fields.ts'
import { axisFormatter, formatCell, formatter, formatters } from './format.ts'
import { detectPeriods } from './format-time.ts'

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

describe('settings', () => {
  const amount: Field = { name: 'amount', type: 'decimal' }
  test.each([
    [{ style: 'plain' }, '1234567.50', '1234567.50'],
    [{ style: 'number' }, '1234567.50', '1,234,567.50'],
    [{ style: 'number', isGrouped: false }, '1234567.50', '1234567.50'],
    [{ style: 'number', decimals: 0 }, '2.5', '3'],
    [{ style: 'number', decimals: 0 }, '-2.5', '-3'],
    [{ style: 'number', decimals: 0 }, '-0.4', '0'],
    [{ style: 'number', decimals: 3 }, 7, '7.000'],
    [{ style: 'number', decimals: 1 }, '99999999999999999999.95', '100,000,000,000,000,000,000.0'],
    [{ style: 'number', isCompact: true }, '1234567', '1.2M'],
    [{ style: 'currency', currency: 'EUR' }, '1234567.5', '€1,234,567.50'],
    [{ style: 'currency', currency: 'JPY' }, '1234.5', '¥1,235'],
    [{ style: 'currency', currency: 'USD', decimals: 0 }, '-1234.5', '-$1,235'],
    [{ style: 'currency', currency: 'EUR', isCompact: true }, '1234567.5', '€1.2M'],
    [{ style: 'percent' }, '12.5', '12.5%'],
    [{ style: 'percent', isFraction: true }, '0.125', '12.5%'],
    [{ style: 'percent', isFraction: true }, 0.07, '7%'],
    [{ style: 'percent', isFraction: true, decimals: 0 }, '1', '100%'],
    [{ style: 'unit', unit: 'kg' }, '1200', '1,200\u00A0kg'],
    [{ style: 'unit', unit: '°C' }, '-3.5', '-3.5°C'],
    [{ style: 'number' }, 12.3000000001, '12.3'],
    [{ style: 'number' }, 0.00000012, '0.00000012'],
    [{ style: 'number' }, 'NaN', 'NaN'],
    [{ style: 'number' }, 1e21, '1,000,000,000,000,000,000,000'],
    [{ style: 'currency', currency: 'EUR' }, null, null],
  ] as const)('%j writes %j as %j', (format, value, text) => {
    expect(formatCell(amount, value, { format }, 'en')).toBe(text)
  })

  test.each([
    ['year', '2025'],
    ['quarter', 'Q2 2025'],
    ['month', 'May 2025'],
    ['week', 'Week of May 5, 2025'],
    ['day', 'May 7, 2025'],
    ['hour', 'May 7, 2025, 09:05'],
    ['minute', 'May 7, 2025, 09:05'],
    ['second', 'May 7, 2025, 09:05:30'],
  ] as const)('writes a time by %s as %s', (granularity, text) => {
    expect(formatCell({ name: 'at', type: 'timestamp' }, '2025-05-07T09:05:30Z', { format: { style: 'date', granularity } }, 'en')).toBe(text)
  })

  test('writes a value that is no number or time as it is', () => {
    const word: Field = { name: 'word', type: 'string' }
    expect(formatCell(word, 'many', { format: { style: 'currency', currency: 'EUR' } }, 'en')).toBe('many')
    expect(formatCell(word, 'soon', { format: { style: 'date', granularity: 'month' } }, 'en')).toBe('soon')
  })

  test('follows the language of the reader', () => {
    const format = { style: 'currency', currency: 'EUR' } as const
    expect(formatCell(amount, '1234567.5', { format }, 'de')).toBe('1.234.567,50\u00A0€')
  })

  test('rounds numbers of any length exactly, halves away from zero', () => {
    const integers = fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n })
    fc.assert(
      fc.property(integers, fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 10 }), (units, scale, decimals) => {
        const size = units < 0n ? -units : units
        const rounded = decimals >= scale ? size * 10n ** BigInt(decimals - scale) : (size + 5n * 10n ** BigInt(scale - decimals - 1)) / 10n ** BigInt(scale - decimals)
        const sign = units < 0n && rounded > 0n ? '-' : ''
        const format = { style: 'number', decimals, isGrouped: false } as const
        expect(formatCell(amount, withPoint(units < 0n, size, scale), { format }, 'en')).toBe(sign + withPoint(false, rounded, decimals))
      }),
    )
  })

  test('groups all digits of long integers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (value) => {
        expect(formatCell({ name: 'n', type: 'integer' }, String(value), { format: { style: 'number' } }, 'en')).toBe(
          String(value).replaceAll(/\B(?=(\d{3})+$)/g, ','),
        )
      }),
    )
  })
})

function withPoint(isNegative: boolean, size: bigint, scale: number): string {
  const digits = String(size).padStart(scale + 1, '0')
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  return isNegative ? `-${text}` : text
}

describe('periods', () => {
  test.each([
    ['at', ['2023-01-01', '2024-01-01', '2025-01-01'], 'year'],
    ['at', ['2025-01-01', '2025-04-01', '2025-07-01'], 'quarter'],
    ['month', ['2025-01-01', '2025-04-01', '2025-07-01'], 'month'],
    ['at', ['2025-01-01', '2025-02-01', '2025-04-01'], 'month'],
    ['at', ['2025-01-01', '2025-02-01'], 'date'],
    ['year', ['2025-01-01'], 'year'],
    ['year', ['2025-02-01'], 'date'],
    ['order_quarter', ['2025-04-01'], 'quarter'],
    ['week', ['2025-03-03', '2025-03-10'], 'week'],
    ['week', ['2025-03-03', '2025-03-11'], 'date'],
    ['at', ['2025-03-03', '2025-03-10', '2025-03-17'], 'date'],
    ['at', ['2025-01-01T00:00:00Z', '2025-02-01T10:00:00Z'], 'exact'],
    ['at', [null, 'infinity'], 'date'],
  ] as const)('detects that %s of %j is %s', (name, values, periods) => {
    expect(detectPeriods({ name }, values)).toBe(periods)
  })
})

test('writes the values of an axis briefly, with their unit', () => {
  const axis = (field: Field, format?: ColumnFormat) => axisFormatter(field, format && { format }, 'en')(1_200_000)
  expect(axis({ name: 'amount', type: 'decimal' }, { style: 'currency', currency: 'EUR', decimals: 2 })).toBe('€1.2M')
  expect(axis({ name: 'amount', type: 'decimal' })).toBe('1.2M')
  expect(axis({ name: 'share_percent', type: 'number' })).toBe('1.2M%')
})
