import { expect, test } from 'vitest'
import { jsonBytes } from '../json-bytes.ts'
import { columnReader } from './snowflake-values.ts'

/** As a response has it: a text or null, followed by the next value. */
function read(type: string, value: string | null, scale = 0): { type: string; value: unknown } {
  const out = jsonBytes(64)
  const reader = columnReader({ name: 'v', type, scale })
  reader.rewrite(out, Buffer.from(`${JSON.stringify(value)},\0`), 0)
  return { type: reader.fieldType, value: JSON.parse(Buffer.from(out.bytes.subarray(0, out.length)).toString()) }
}

test.each<[type: string, text: string | null, fieldType: string, value: unknown, scale?: number]>([
  ['fixed', '99999999999999999999999999999999999999', 'integer', '99999999999999999999999999999999999999'],
  ['fixed', '-42', 'integer', -42],
  ['fixed', '1.50', 'decimal', '1.50', 2],
  ['real', '0.1', 'number', 0.1],
  ['real', '1.0E300', 'number', 1e300],
  ['real', '-inf', 'number', '-Infinity'],
  ['boolean', 'true', 'boolean', true],
  ['boolean', '0', 'boolean', false],
  ['date', '20458', 'date', '2026-01-05'],
  ['date', '-719162', 'date', '0001-01-01'],
  ['time', '32400.000000000', 'string', '09:00:00'],
  ['time', '86399.999999999', 'string', '23:59:59.999999999'],
  ['timestamp_ntz', '1767603600.000000000', 'timestamp', '2026-01-05T09:00:00.000Z'],
  ['timestamp_ltz', '1767603600.123456789', 'timestamp', '2026-01-05T09:00:00.123456789Z'],
  ['timestamp_ntz', '-0.500000000', 'timestamp', '1969-12-31T23:59:59.500Z'],
  ['timestamp_ntz', '-86400.000001000', 'timestamp', '1969-12-30T23:59:59.999999Z'],
  ['timestamp_tz', '1767603600.500000000 1500', 'timestamp', '2026-01-05T09:00:00.500Z'],
  ['binary', '00FF10', 'string', 'AP8Q'],
  ['text', 'a "b"\n\u{1f600}', 'string', 'a "b"\n\u{1f600}'],
  ['variant', '{"n": 9007199254740993, "x": [1.50, undefined, NaN]}', 'json', { n: '9007199254740993', x: [1.5, null, 'NaN'] }],
  ['variant', '"text"', 'json', 'text'],
  ['array', '[\n  1,\n  2\n]', 'json', [1, 2]],
  ['geography', 'POINT(1 2)', 'json', 'POINT(1 2)'],
  ['decfloat', '1.5e10', 'string', '1.5e10'],
  ['fixed', null, 'integer', null],
  ['timestamp_tz', null, 'timestamp', null],
  ['variant', null, 'json', null],
])('reads %s %j', (type, text, fieldType, value, scale) => {
  expect(read(type, text, scale)).toEqual({ type: fieldType, value })
})
