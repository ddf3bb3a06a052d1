import { describe, expect, test } from 'vitest'
import { jsonBytes } from '../../json-bytes.ts'
import { columnReader, type TimeForm } from './clickhouse-columns.ts'
import { incomplete, NotJson } from '../../json-values/json-text.ts'
import { utcOf } from '../../text-values/time-zone.ts'
import { parseMember, parseType } from './type-name.ts'

const utc: TimeForm = { kind: 'utc' }
const local = (serverZone: string): TimeForm => ({ kind: 'local', serverZone })

/** The rewritten value, from a source that continues after it. */
function rewritten(type: string, text: string, times: TimeForm = utc): string {
  const { rewrite } = columnReader(type, times)
  const out = jsonBytes(4)
  const source = Buffer.from(`${text}, 1]\0`)
  expect(rewrite(out, source, 0)).toBe(Buffer.byteLength(text))
  const json = Buffer.from(out.bytes.subarray(0, out.length)).toString()
  JSON.parse(json)
  // Wherever the source is cut off, the value is incomplete, never a different value.
  for (let end = 0; end < Buffer.byteLength(text); end++) {
    expect(rewrite(jsonBytes(4), Buffer.concat([source.subarray(0, end), Buffer.of(0)]), 0)).toBe(incomplete)
  }
  return json
}

describe('types', () => {
  test.each([
    ['UInt64', 'integer'], ['Int256', 'integer'], ['IntervalDay', 'integer'], ['Float32', 'number'], ['BFloat16', 'number'],
    ['Decimal(10, 2)', 'decimal'], ['Bool', 'boolean'], ['Date32', 'date'], ["DateTime64(3, 'Asia/Tokyo')", 'timestamp'],
    ['FixedString(4)', 'string'], ["Enum8('a' = 1, ')' = 2)", 'string'], ['UUID', 'string'], ['IPv6', 'string'], ['Time64(3)', 'string'],
    ['AggregateFunction(sum, UInt8)', 'string'], ['Nullable(Nothing)', 'string'], ['LowCardinality(Nullable(String))', 'string'],
    ['SimpleAggregateFunction(max, Nullable(Decimal(9, 3)))', 'decimal'], ['Array(UInt8)', 'json'], ['Map(String, UInt8)', 'json'],
    ['Nested(a UInt8)', 'json'], ['JSON(a.b UInt32, max_dynamic_paths = 8)', 'json'], ['Variant(String, UInt8)', 'json'],
    ['Point', 'json'], ['SomethingNew(1)', 'json'],
  ] as const)('%s is of type %s', (type, fieldType) => {
    expect(columnReader(type, utc).fieldType).toBe(fieldType)
  })

  test('are split only outside of brackets and quotes', () => {
    expect(parseType("Tuple(a Map(String, UInt8), `b, \\`c` Enum8('x,)' = 1))")).toEqual({
      name: 'Tuple',
      parts: ['a Map(String, UInt8)', "`b, \\`c` Enum8('x,)' = 1)"],
    })
    expect(parseMember("`b, \\`c` Enum8('x,)' = 1)")).toEqual({ name: 'b, `c', type: "Enum8('x,)' = 1)" })
    expect(parseMember('Decimal(10, 2)')).toEqual({ name: null, type: 'Decimal(10, 2)' })
  })
})

describe('values', () => {
  test.each([
    ['UInt8', '7', '7'],
    ['Int64', '"-9007199254740991"', '-9007199254740991'],
    ['Int64', '9007199254740992', '"9007199254740992"'],
    ['UInt64', '"18446744073709551615"', '"18446744073709551615"'],
    ['Int256', '-170141183460469231731687303715884105728', '"-170141183460469231731687303715884105728"'],
    ['Nullable(Int64)', 'null', 'null'],
    ['Float64', '-0', '-0'],
    ['Float64', '1e300', '1e300'],
    ['Float64', '"nan"', '"NaN"'],
    ['Float32', '"-inf"', '"-Infinity"'],
    ['Decimal(10, 2)', '12.50', '"12.50"'],
    ['Decimal(76, 20)', '"1.10000000000000000000"', '"1.10000000000000000000"'],
    ['Bool', 'true', 'true'],
    ['Date', '"2026-01-05"', '"2026-01-05"'],
    ['Date', '"0000-00-00"', '"1970-01-01"'],
    ['DateTime', '"2026-01-05T09:00:00Z"', '"2026-01-05T09:00:00.000Z"'],
    ["DateTime64(6, 'UTC')", '"2026-01-05T09:00:00.123000Z"', '"2026-01-05T09:00:00.123Z"'],
    ['DateTime64(9)', '"1969-12-31T23:59:59.000000001Z"', '"1969-12-31T23:59:59.000000001Z"'],
    ['String', '"a \\"quoted\\" \\\\ \\/ é\\u0000"', '"a \\"quoted\\" \\\\ \\/ é\\u0000"'],
    ['String', `"${'long '.repeat(40)}\\\\"`, `"${'long '.repeat(40)}\\\\"`],
    ['Array(UInt64)', '[1, "9007199254740993" , null]', '[1,"9007199254740993",null]'],
    ['Array(String)', '[]', '[]'],
    ['Array(Array(Decimal(9, 1)))', '[[1.5],[]]', '[["1.5"],[]]'],
    ['Tuple(String, Float64)', '["x","inf"]', '["x","Infinity"]'],
    ['Tuple(a String, `b c` Nullable(Decimal(9, 2)))', '{"a":"x", "b c" : 1.50}', '{"a":"x","b c":"1.50"}'],
    ['Map(String, DateTime)', '{"a":"2026-01-05T09:00:00Z","b":"2026-01-06T09:00:00Z"}', '{"a":"2026-01-05T09:00:00.000Z","b":"2026-01-06T09:00:00.000Z"}'],
    ['Nested(a UInt8, b Date)', '[{"a":1,"b":"2026-01-01"}]', '[{"a":1,"b":"2026-01-01"}]'],
    ['JSON', '{"a":{"b":9007199254740993,"c":[1.5e3,true,null,"x"]}}', '{"a":{"b":"9007199254740993","c":[1.5e3,true,null,"x"]}}'],
    ['Dynamic', '"5"', '"5"'],
    ['Ring', '[[1,2.5]]', '[[1,2.5]]'],
  ])('%s %s is %s', (type, text, json) => {
    expect(rewritten(type, text)).toBe(json)
  })

  test('invalid JSON is rejected', () => {
    for (const [type, text] of [['UInt8', ']'], ['Array(UInt8)', '[1 2]'], ['Map(String, UInt8)', '{1:2}'], ['JSON', '{"a" 1}']] as const) {
      expect(() => columnReader(type, utc).rewrite(jsonBytes(4), Buffer.from(`${text}, 1]\0`), 0), text).toThrow(NotJson)
    }
  })
})

describe('local times, from servers that cannot write UTC', () => {
  test.each([
    ['DateTime', 'UTC', '"2026-01-05 09:00:00"', '"2026-01-05T09:00:00.000Z"'],
    ['DateTime', 'UTC', '"0000-00-00 00:00:00"', '"1970-01-01T00:00:00.000Z"'],
    ['DateTime', 'Europe/Berlin', '"2026-07-05 09:00:00"', '"2026-07-05T07:00:00.000Z"'],
    ["DateTime('America/New_York')", 'Europe/Berlin', '"2026-01-05 09:00:00"', '"2026-01-05T14:00:00.000Z"'],
    ["Array(DateTime64(3, 'Asia/Kolkata'))", 'UTC', '["2026-01-05 09:00:00.120"]', '["2026-01-05T03:30:00.120Z"]'],
  ])('%s on a server in %s', (type, zone, text, json) => {
    expect(rewritten(type, text, local(zone))).toBe(json)
  })

  test('are converted to the minute around a clock change', () => {
    const toUtc = utcOf('Europe/Berlin')
    const utcAt = (text: string) => new Date(toUtc(Date.parse(`${text}Z`))).toISOString()
    expect(utcAt('2026-03-29T01:59:00')).toBe('2026-03-29T00:59:00.000Z')
    expect(utcAt('2026-03-29T03:00:00')).toBe('2026-03-29T01:00:00.000Z')
    // This time occurs twice on that day; the first one is used.
    expect(utcAt('2026-10-25T02:30:00')).toBe('2026-10-25T00:30:00.000Z')
    expect(utcAt('2026-10-25T03:00:00')).toBe('2026-10-25T02:00:00.000Z')
  })

  test('have two offsets within an hour in which the clocks change', () => {
    // Lord Howe Island moves its clocks by half an hour, at 2:00.
    const at = (text: string) => rewritten("DateTime('Australia/Lord_Howe')", `"${text}"`, local('UTC'))
    expect(at('2026-04-05 01:15:00')).toBe('"2026-04-04T14:15:00.000Z"')
    expect(at('2026-04-05 01:45:00')).toBe('"2026-04-04T14:45:00.000Z"')
    expect(at('2026-04-05 02:00:00')).toBe('"2026-04-04T15:30:00.000Z"')
  })
})
