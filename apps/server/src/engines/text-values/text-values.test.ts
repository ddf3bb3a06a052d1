import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonBytes } from '../json-bytes.ts'
import { decimalText, integerText, numberText } from './number-texts.ts'
import { base64Of, checkedJsonText, jsonText, stringText } from './quoted-texts.ts'
import { dateText, timestampText, zonedTimestampText } from './time-texts.ts'
import type { ValueWriter } from './value-writer.ts'

/** The JSON that a writer produces for a text, from the middle of a larger source into the middle of existing output. */
function written(writer: ValueWriter, text: string | Buffer): string {
  const value = Buffer.from(text)
  const source = Buffer.concat([Buffer.from('0123"'), value, Buffer.from('"9876')])
  const out = jsonBytes(4)
  out.length = 3
  writer(out, source.subarray(2), 3, 3 + value.length)
  return Buffer.from(out.bytes.subarray(3, out.length)).toString()
}

const cases = (writer: ValueWriter, pairs: [text: string, json: string][]) => {
  test.each(pairs)(`${writer.name} %j is %s`, (text, json) => {
    expect(written(writer, text)).toBe(json)
    JSON.parse(json)
  })
}

describe('integers', () => {
  cases(integerText, [
    ['0', '0'],
    ['-1', '-1'],
    ['9007199254740991', '9007199254740991'],
    ['-9007199254740991', '-9007199254740991'],
    ['9007199254740992', '"9007199254740992"'],
    ['-9223372036854775808', '"-9223372036854775808"'],
    ['8999999999999999', '8999999999999999'],
    ['00042', '42'],
    ['000', '0'],
    ['', '""'],
    ['-', '"-"'],
    ['1.5', '"1.5"'],
    ['12x', '"12x"'],
  ])

  test('any 64-bit integer reads back exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), (value) => {
        const json = JSON.parse(written(integerText, String(value))) as number | string
        expect(BigInt(json)).toBe(value)
        expect(typeof json).toBe(Number.isSafeInteger(Number(value)) ? 'number' : 'string')
      }),
      { seed: 20260105, numRuns: 300 },
    )
  })
})

describe('decimals and numbers', () => {
  cases(decimalText, [
    ['12.50', '"12.50"'],
    ['-0.05', '"-0.05"'],
    ['123456789012345678901234567890.123', '"123456789012345678901234567890.123"'],
    ['NaN', '"NaN"'],
    ['-Infinity', '"-Infinity"'],
  ])
  cases(numberText, [
    ['0.1', '0.1'],
    ['-0', '-0'],
    ['1e+20', '1e+20'],
    ['-1.5E-07', '-1.5E-07'],
    ['NaN', '"NaN"'],
    ['nan', '"NaN"'],
    ['Infinity', '"Infinity"'],
    ['-inf', '"-Infinity"'],
    ['1.', '"1."'],
    ['007', '"007"'],
    ['1e', '"1e"'],
    ['', '""'],
  ])

  test('any double reads back exactly', () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        const json = JSON.parse(written(numberText, Object.is(value, -0) ? '-0' : String(value))) as number | string
        expect(Number(json)).toBe(value)
        expect(typeof json).toBe(Number.isFinite(value) ? 'number' : 'string')
      }),
      { seed: 20260105, numRuns: 300 },
    )
  })
})

describe('texts', () => {
  cases(stringText, [
    ['', '""'],
    ['it\'s "quoted" \\ é 😀\n', String.raw`"it's \"quoted\" \\ é 😀\n"`],
    ['x'.repeat(300), `"${'x'.repeat(300)}"`],
  ])
  cases(jsonText, [
    ['{"a": [1, null]}', '{"a": [1, null]}'],
    ['12345678901234567890', '12345678901234567890'],
    ['{"a": NaN}', String.raw`"{\"a\": NaN}"`],
    ['', '""'],
    ['[1],[2]', '"[1],[2]"'],
  ])
  cases(checkedJsonText, [['{"a": [1, null]}', '{"a": [1, null]}']])
  cases(base64Of, [
    ['', '""'],
    ['hello', '"aGVsbG8="'],
  ])

  test('bytes of any length read back', () => {
    for (let length = 0; length < 40; length++) {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 37) % 256))
      expect(Buffer.from(JSON.parse(written(base64Of, bytes)) as string, 'base64')).toEqual(bytes)
    }
  })
})

describe('times', () => {
  cases(dateText, [
    ['2026-01-05', '"2026-01-05"'],
    ['1969-12-31', '"1969-12-31"'],
    ['0001-01-01', '"0001-01-01"'],
    ['0001-01-01 BC', '"0000-01-01"'],
    ['0044-03-15 BC', '"-000043-03-15"'],
    ['10000-01-01', '"+010000-01-01"'],
    ['5874897-12-31', '"+5874897-12-31"'],
    ['infinity', '"infinity"'],
    ['-infinity', '"-infinity"'],
    ['05.01.2026', '"05.01.2026"'],
  ])
  cases(timestampText, [
    ['2026-01-05 09:00:00', '"2026-01-05T09:00:00.000Z"'],
    ['2026-01-05 09:00:00.1', '"2026-01-05T09:00:00.100Z"'],
    ['2026-01-05 09:00:00.123', '"2026-01-05T09:00:00.123Z"'],
    ['2026-01-05 09:00:00.123000', '"2026-01-05T09:00:00.123Z"'],
    ['2026-01-05 09:00:00.1234', '"2026-01-05T09:00:00.123400Z"'],
    ['2026-01-05 09:00:00.123456', '"2026-01-05T09:00:00.123456Z"'],
    ['2026-01-05 09:00:00.123456789', '"2026-01-05T09:00:00.123456789Z"'],
    ['2026-01-05 09:00:00.000000', '"2026-01-05T09:00:00.000Z"'],
    ['0044-03-15 12:00:00.5 BC', '"-000043-03-15T12:00:00.500Z"'],
    ['12026-01-05 09:00:00', '"+012026-01-05T09:00:00.000Z"'],
    ['infinity', '"infinity"'],
    ['294276-12-31 23:59:59', '"+294276-12-31T23:59:59.000Z"'],
    ['Mon Jan 05 09:00:00 2026', '"Mon Jan 05 09:00:00 2026"'],
    ['2026-01-05 09:00:00.', '"2026-01-05 09:00:00."'],
  ])
  cases(zonedTimestampText, [
    ['2026-01-05 09:00:00+00', '"2026-01-05T09:00:00.000Z"'],
    ['2026-01-05 09:00:00.123456+00', '"2026-01-05T09:00:00.123456Z"'],
    ['2026-01-05 18:00:00.123456+09', '"2026-01-05T09:00:00.123456Z"'],
    ['2026-01-05 14:30:00+05:30', '"2026-01-05T09:00:00.000Z"'],
    ['1900-01-01 00:00:00-00:25:21', '"1900-01-01T00:25:21.000Z"'],
    ['0001-12-31 23:59:59-01 BC', '"0001-01-01T00:59:59.000Z"'],
    ['294276-12-31 23:59:59.5+00', '"+294276-12-31T23:59:59.500Z"'],
    ['294276-12-31 23:59:59+01', '"294276-12-31 23:59:59+01"'],
    ['-infinity', '"-infinity"'],
  ])
})
