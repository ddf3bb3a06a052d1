import { describe, expect, test } from 'vitest'
import type { FieldType } from '../../model/result.ts'
import { jsonBytes } from '../json-bytes.ts'
import { type SqliteValue, writeValue } from './sqlite-values.ts'

function written(value: SqliteValue, type: FieldType): string {
  const out = jsonBytes(4)
  writeValue(out, value, type)
  return Buffer.from(out.bytes.subarray(0, out.length)).toString()
}

describe('timestamps', () => {
  test.each([
    ['2026-01-05 09:00:00', '"2026-01-05T09:00:00.000Z"'],
    ['2026-01-05T09:00:00', '"2026-01-05T09:00:00.000Z"'],
    ['2026-01-05T09:00:00Z', '"2026-01-05T09:00:00.000Z"'],
    ['2026-01-05 09:00:00.5', '"2026-01-05T09:00:00.500Z"'],
    ['2026-01-05 09:00:00.123456', '"2026-01-05T09:00:00.123456Z"'],
    ['2026-01-05_09:00:00', '"2026-01-05_09:00:00"'],
    ['2026-01-05 09:00:0x', '"2026-01-05 09:00:0x"'],
    ['2026/01/05 09:00:00', '"2026/01/05 09:00:00"'],
    ['2026-01-05 09-00-00', '"2026-01-05 09-00-00"'],
    ['yesterday\u00a0at "ten"', String.raw`"yesterday at \"ten\""`.replace(' ', '\u00a0')],
    ['', '""'],
  ])('%s', (text, json) => {
    expect(written(text, 'timestamp')).toBe(json)
  })
})

describe('texts', () => {
  test.each(['', 'plain', 'tab\tquote"back\\slash', 'naïve 😀', '\u0000', 'x'.repeat(65), '\ud7ff\ue000'])('%j', (text) => {
    expect(JSON.parse(written(text, 'string'))).toBe(text)
  })
})

describe('numbers', () => {
  test.each<[SqliteValue, FieldType, string]>([
    [9007199254740993n, 'integer', '"9007199254740993"'],
    [-42n, 'integer', '-42'],
    [1n, 'boolean', 'true'],
    [2n, 'boolean', '2'],
    [7n, 'string', '"7"'],
    [0.1, 'number', '0.1'],
    [0.5, 'string', '"0.5"'],
    [null, 'number', 'null'],
  ])('%s as %s', (value, type, json) => {
    expect(written(value, type)).toBe(json)
  })
})
