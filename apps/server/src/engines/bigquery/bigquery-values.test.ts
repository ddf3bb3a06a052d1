import { describe, expect, test } from 'vitest'
import { jsonBytes } from '../json-bytes.ts'
import { type BigqueryField, fieldTypeOf, valueWriter } from './bigquery-values.ts'

const field = (type: string, change: Partial<BigqueryField> = {}): BigqueryField => ({ name: 'v', type, mode: 'NULLABLE', ...change })
const named = (name: string, type: string): BigqueryField => ({ name, type })

function written(type: BigqueryField, value: unknown): string {
  const out = jsonBytes(4)
  valueWriter(type)(out, value)
  return Buffer.from(out.bytes.subarray(0, out.length)).toString()
}

describe('values', () => {
  test.each<[BigqueryField, value: unknown, json: string, fieldType: string]>([
    [field('INTEGER'), '9007199254740991', '9007199254740991', 'integer'],
    [field('INTEGER'), '9007199254740993', '"9007199254740993"', 'integer'],
    [field('INT64'), '-9223372036854775808', '"-9223372036854775808"', 'integer'],
    [field('INTEGER'), null, 'null', 'integer'],
    [field('FLOAT'), '1.0E300', '1.0E300', 'number'],
    [field('FLOAT'), 'NaN', '"NaN"', 'number'],
    [field('FLOAT64'), '-Infinity', '"-Infinity"', 'number'],
    [field('FLOAT64'), 'inf', '"Infinity"', 'number'],
    [field('NUMERIC'), '12345678901234567890.123456789', '"12345678901234567890.123456789"', 'decimal'],
    [field('BIGNUMERIC'), '0.00000000000000000000000000000000000001', '"0.00000000000000000000000000000000000001"', 'decimal'],
    [field('BOOLEAN'), 'true', 'true', 'boolean'],
    [field('BOOL'), 'false', 'false', 'boolean'],
    [field('TIMESTAMP'), '1767603600123456', '"2026-01-05T09:00:00.123456Z"', 'timestamp'],
    [field('TIMESTAMP'), '-1', '"1969-12-31T23:59:59.999999Z"', 'timestamp'],
    [field('TIMESTAMP'), '-62135596800000000', '"0001-01-01T00:00:00.000Z"', 'timestamp'],
    [field('TIMESTAMP'), '253402300799999999', '"9999-12-31T23:59:59.999999Z"', 'timestamp'],
    [field('TIMESTAMP'), '-62135596799999999', '"0001-01-01T00:00:00.000001Z"', 'timestamp'],
    [field('DATETIME'), '2026-01-05T09:00:00', '"2026-01-05T09:00:00.000Z"', 'timestamp'],
    [field('DATETIME'), '2026-01-05T09:00:00.500000', '"2026-01-05T09:00:00.500Z"', 'timestamp'],
    [field('DATE'), '0001-01-01', '"0001-01-01"', 'date'],
    [field('TIME'), '09:00:00.123456', '"09:00:00.123456"', 'string'],
    [field('STRING'), 'a "quoted" \\ é\0', '"a \\"quoted\\" \\\\ é\\u0000"', 'string'],
    [field('BYTES'), 'AP8Q', '"AP8Q"', 'string'],
    [field('GEOGRAPHY'), 'POINT(1 2)', '"POINT(1 2)"', 'string'],
    [field('INTERVAL'), '0-0 1 0:0:0', '"0-0 1 0:0:0"', 'string'],
    [field('RANGE'), '[2026-01-01, 2026-02-01)', '"[2026-01-01, 2026-02-01)"', 'string'],
    [field('JSON'), '{"a":[9007199254740993,1.5]}', '{"a":["9007199254740993",1.5]}', 'json'],
    [field('JSON'), '{"a":', '"{\\"a\\":"', 'json'],
    [field('STRING', { mode: 'REPEATED' }), [], '[]', 'json'],
    [field('INTEGER', { mode: 'REPEATED' }), [{ v: '1' }, { v: '9007199254740993' }], '[1,"9007199254740993"]', 'json'],
    [field('RECORD', { fields: [named('a', 'INTEGER'), named('b "c"', 'NUMERIC')] }), { f: [{ v: '1' }, { v: '1.50' }] }, '{"a":1,"b \\"c\\"":"1.50"}', 'json'],
    [field('RECORD', { fields: [named('a', 'INTEGER'), named('a', 'INTEGER')] }), { f: [{ v: '1' }, { v: '2' }] }, '[1,2]', 'json'],
    [field('RECORD', { mode: 'REPEATED', fields: [named('a', 'BOOLEAN')] }), [{ v: { f: [{ v: 'true' }] } }], '[{"a":true}]', 'json'],
  ])('%j %j', (type, value, json, fieldType) => {
    expect(written(type, value)).toBe(json)
    expect(fieldTypeOf(type)).toBe(fieldType)
  })
})
