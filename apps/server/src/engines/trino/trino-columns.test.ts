import { describe, expect, test } from 'vitest'
import { jsonBytes } from '../json-bytes.ts'
import { NotJson } from '../json-values/json-text.ts'
import { columnReader, type TypeSignature } from './trino-columns.ts'

const plain = (rawType: string, ...parts: TypeSignature[]): TypeSignature => ({
  rawType,
  arguments: parts.map((value) => ({ kind: 'TYPE', value })),
})
const row = (...fields: [name: string | undefined, type: TypeSignature][]): TypeSignature => ({
  rawType: 'row',
  arguments: fields.map(([name, typeSignature]) => ({
    kind: 'NAMED_TYPE',
    value: { ...(name !== undefined && { fieldName: { name } }), typeSignature },
  })),
})

function rewritten(typeSignature: TypeSignature, text: string): string {
  const out = jsonBytes(4)
  const { rewrite } = columnReader({ type: '', typeSignature })
  expect(rewrite(out, Buffer.from(`${text}, 1]\0`), 0)).toBe(Buffer.byteLength(text))
  const json = Buffer.from(out.bytes.subarray(0, out.length)).toString()
  JSON.parse(json)
  return json
}

const bigint = plain('bigint')
const zoned = plain('timestamp with time zone')

describe('values', () => {
  test.each<[TypeSignature, string, string]>([
    [bigint, '9007199254740991', '9007199254740991'],
    [bigint, '9007199254740993', '"9007199254740993"'],
    [bigint, '-9223372036854775808', '"-9223372036854775808"'],
    [bigint, 'null', 'null'],
    [plain('decimal'), '"12345678901234567890123456789012345.678"', '"12345678901234567890123456789012345.678"'],
    [plain('double'), '1.0E300', '1.0E300'],
    [plain('double'), '"NaN"', '"NaN"'],
    [plain('real'), '"-Infinity"', '"-Infinity"'],
    [plain('boolean'), 'true', 'true'],
    [plain('date'), '"2026-01-05"', '"2026-01-05"'],
    [plain('timestamp'), '"2026-01-05 09:00:00"', '"2026-01-05T09:00:00.000Z"'],
    [plain('timestamp'), '"2026-01-05 09:00:00.123456789012"', '"2026-01-05T09:00:00.123456789012Z"'],
    [zoned, '"2026-01-05 09:00:00.000 UTC"', '"2026-01-05T09:00:00.000Z"'],
    [zoned, '"2026-01-05 10:00:00.123456789012 +01:00"', '"2026-01-05T09:00:00.123456789012Z"'],
    [zoned, '"2026-07-05 10:00:00.5 Europe/Berlin"', '"2026-07-05T08:00:00.500Z"'],
    [zoned, '"2026-01-05 10:00:00.000 +00:00"', '"2026-01-05T10:00:00.000Z"'],
    [plain('time'), '"09:00:00.123456789012"', '"09:00:00.123456789012"'],
    [plain('varchar'), '"a \\"quoted\\" \\\\ \u00e9\\u0000"', '"a \\"quoted\\" \\\\ \u00e9\\u0000"'],
    [plain('varbinary'), '"AP8Q"', '"AP8Q"'],
    [plain('interval day to second'), '"3 00:00:00.000"', '"3 00:00:00.000"'],
    [plain('json'), '"{\\"a\\": [9007199254740993, 1.5, \\"\\\\u00e9\\"]}"', '{"a":["9007199254740993",1.5,"\\u00e9"]}'],
    [plain('json'), 'null', 'null'],
    [plain('array', bigint), '[1,null,9007199254740993]', '[1,null,"9007199254740993"]'],
    [plain('array', plain('array', plain('decimal'))), '[["1.50"],[]]', '[["1.50"],[]]'],
    [plain('array', zoned), '["2026-01-05 10:00:00 +01:00"]', '["2026-01-05T09:00:00.000Z"]'],
    [plain('map', bigint, bigint), '{"1":9007199254740993}', '{"1":"9007199254740993"}'],
    [row(['a', bigint], ['b "c"', plain('varchar')]), '[9007199254740993,"x"]', '{"a":"9007199254740993","b \\"c\\"":"x"}'],
    [row([undefined, bigint], [undefined, bigint]), '[1,9007199254740993]', '[1,"9007199254740993"]'],
    [row(['a', bigint], ['a', bigint]), '[1,2]', '[1,2]'],
    [row(['a', plain('array', bigint)]), 'null', 'null'],
    [plain('SomethingNew'), '[1,"x"]', '[1,"x"]'],
  ])('%j %s', (type, text, json) => {
    expect(rewritten(type, text)).toBe(json)
  })

  test('invalid JSON is rejected', () => {
    expect(() => rewritten(row(['a', bigint]), '[1,2]')).toThrow(NotJson)
    expect(() => rewritten(plain('json'), '"{\\"a\\" 1}"')).toThrow(NotJson)
  })
})
