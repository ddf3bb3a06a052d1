import { describe, expect, it } from 'vitest'
import { Refusal } from '../refusal.ts'
import { checkValue } from './check-value.ts'
import type { ParameterType } from '../../model/parameter.ts'

const fitting: [type: ParameterType, value: unknown, canonical: unknown][] = [
  ['text', '', ''],
  ['text', ' O\'Brien \\ "😀"\n{{x}}', ' O\'Brien \\ "😀"\n{{x}}'],
  ['text', 5, '5'],
  ['text', true, 'true'],
  ['number', 5, 5],
  ['number', '5', 5],
  ['number', ' -0.5 ', -0.5],
  ['number', '0.1', 0.1],
  ['number', '+7', 7],
  ['number', '007', 7],
  ['number', '.5', 0.5],
  ['number', '5.', 5],
  ['number', '1.50', '1.50'],
  ['number', '-0', '-0'],
  ['number', -0, 0],
  ['number', '12345678901234567890.123', '12345678901234567890.123'],
  ['number', '9007199254740993', '9007199254740993'],
  ['number', '1e6', '1e6'],
  ['number', '1E+06', '1e6'],
  ['number', 1e-7, 1e-7],
  ['number', '1e308', '1e308'],
  ['date', '2024-02-29', '2024-02-29'],
  ['date', '0001-01-01', '0001-01-01'],
  ['date', ' 9999-12-31 ', '9999-12-31'],
  ['timestamp', '2024-01-31T09:30:00Z', '2024-01-31T09:30:00Z'],
  ['timestamp', '2024-01-31 09:30', '2024-01-31T09:30:00Z'],
  ['timestamp', '2024-01-31', '2024-01-31T00:00:00Z'],
  ['timestamp', '2024-01-31T09:30:00.120000', '2024-01-31T09:30:00.12Z'],
  ['timestamp', '2024-01-31T09:30:00.123456000Z', '2024-01-31T09:30:00.123456Z'],
  ['timestamp', '2024-03-01T01:00:00+02:00', '2024-02-29T23:00:00Z'],
  ['timestamp', '2023-12-31T23:00:00.5-0530', '2024-01-01T04:30:00.5Z'],
  ['timestamp', '2024-01-01T00:00:00+01', '2023-12-31T23:00:00Z'],
  ['timestamp', '0001-01-01T00:00:00z', '0001-01-01T00:00:00Z'],
  ['boolean', true, true],
  ['boolean', false, false],
  ['boolean', ' TRUE ', true],
  ['boolean', 'false', false],
  ['dateRange', ' Last 7 DAYS', 'last 7 days'],
  ['dateRange', '2024-02-01..2024-02-29', '2024-02-01..2024-02-29'],
]

const unfitting: [type: ParameterType, value: unknown][] = [
  ...(['text', 'number', 'date', 'timestamp', 'boolean', 'dateRange'] as const).flatMap((type) =>
    [null, undefined, {}, [], ['a'], 5n, 'a\0b', '\ud800'].map((value): [ParameterType, unknown] => [type, value]),
  ),
  ...['', ' ', 'x', '0x10', '1_000', '1,5', 'NaN', 'Infinity', '-', '.', '1e', 'e5', '1 2', '--1', '1e999', '1e99999']
    .map((value): [ParameterType, unknown] => ['number', value]),
  ['number', Number.NaN],
  ['number', Number.POSITIVE_INFINITY],
  ['number', 2 ** 53],
  ['number', true],
  ['number', '1'.repeat(2000)],
  ['number', '1; drop table x'],
  ...['2023-02-29', '1900-02-29', '2024-13-01', '2024-00-01', '2024-04-31', '2024-1-1', '0000-01-01', '10000-01-01']
    .flatMap((value): [ParameterType, unknown][] => [['date', value], ['timestamp', value]]),
  ['date', 20240101],
  ['date', 'today'],
  ['date', 'last 7 days'],
  ['timestamp', 'yesterday'],
  ['dateRange', '2024-01-01'],
  ['dateRange', '2024-01-02..2024-01-01'],
  ['dateRange', 7],
  ['date', '2024-01-01T00:00:00Z'],
  ['timestamp', '2024-01-01T24:00:00Z'],
  ['timestamp', '2024-01-01T23:60:00Z'],
  ['timestamp', '2024-01-01T23:59:60Z'],
  ['timestamp', '2024-01-01T09:30:00.1234567Z'],
  ['timestamp', '2024-01-01T09:30:00+24:00'],
  ['timestamp', '0001-01-01T00:00:00+01:00'],
  ['timestamp', '9999-12-31T23:59:59-01:00'],
  ['timestamp', "2024-01-01T09:30:00Z'"],
  ['boolean', 'yes'],
  ['boolean', 1],
  ['boolean', ''],
]

describe('checkValue', () => {
  it.each(fitting)('%s accepts %j as %j', (type, value, canonical) => {
    const found = checkValue({ name: 'p', type }, value)
    expect(Object.is(found, canonical)).toBe(true)
    expect(checkValue({ name: 'p', type }, found)).toBe(found)
  })

  it.each(unfitting)('%s rejects %s', (type, value) => {
    expect(() => checkValue({ name: 'since', type }, value)).toThrow(
      expect.objectContaining({ code: 'parameter_invalid', message: expect.stringMatching(/"since".*give/) }),
    )
    expect(() => checkValue({ name: 'since', type }, value)).toThrow(Refusal)
  })
})

describe('a list', () => {
  const list = (type: ParameterType, value: unknown) => checkValue({ name: 'p', type, isList: true }, value)

  it.each([
    ['text', ['b', 'a', 'b', ''], ['b', 'a', '']],
    ['number', ['1', 1, '1.0', -2], [1, '1.0', -2]],
    ['date', ['2024-02-29'], ['2024-02-29']],
    ['boolean', ['true', false], [true, false]],
    ['text', [], []],
    ['text', 'a,b', ['a,b']],
    ['number', 5, [5]],
  ] as const)('of %s accepts %j', (type, value, canonical) => {
    expect(list(type, value)).toEqual(canonical)
  })

  it.each([
    ['number', [1, 'x'], 'Element 2'],
    ['text', ['a\0'], 'Element 1'],
    ['text', [['a']], 'Element 1'],
    ['date', [null], 'Element 1'],
    ['text', Array.from({ length: 1001 }, (_, index) => `v${index}`), 'more than 1000'],
  ] as const)('of %s rejects %j', (type, value, message) => {
    expect(() => list(type, value)).toThrow(expect.objectContaining({ code: 'parameter_invalid', message: expect.stringContaining(message) }))
  })

  it('counts each element once', () => {
    expect(list('number', Array.from({ length: 5000 }, (_, index) => index % 1000))).toHaveLength(1000)
  })
})
