import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Field } from './fields.ts'
import { columnTotals, totalOf } from './totals.ts'

describe('totalOf', () => {
  test.each([
    ['sum', ['0.1', '0.20', null, 'x'], '0.30'],
    ['sum', ['9007199254740993', 1], '9007199254740994'],
    ['sum', [null], null],
    ['average', ['1', '2', '2'], '1.67'],
    ['average', [], null],
    ['min', ['10', 9.5, '-3'], '-3'],
    ['max', ['10', 9.5, '100'], '100'],
    ['count', ['a', null, 3], '2'],
    ['count', [], '0'],
  ] as const)('%s of %j is %j', (kind, values, total) => {
    expect(totalOf(kind, values)).toBe(total)
  })

  test('adds up cents exactly, in any order', () => {
    const cents = fc.array(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), { minLength: 1 })
    fc.assert(
      fc.property(cents, (values) => {
        const sum = values.reduce((total, value) => total + value, 0n)
        expect(totalOf('sum', values.map(inCents))).toBe(inCents(sum))
      }),
    )
  })
})

function inCents(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(3, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

describe('columnTotals', () => {
  const fields: Field[] = [
    { name: 'country', type: 'string' },
    { name: 'order_id', type: 'integer' },
    { name: 'revenue', type: 'decimal' },
    { name: 'average_price', type: 'number' },
    { name: 'refund_percent', type: 'number' },
  ]
  const rows = [['FR', 1, '10.50', 2, 3], ['DE', 2, '1.00', 4, 5]]

  test('sums only numbers that add up', () => {
    expect(columnTotals(fields, rows)).toEqual([null, null, { kind: 'sum', value: '11.50' }, null, null])
  })

  test('computes the totals that the settings ask for', () => {
    const totals = columnTotals(fields, rows, [{ name: 'country', total: 'count' }, { name: 'average_price', total: 'average' }])
    expect(totals).toMatchObject([{ kind: 'count', value: '2' }, null, { value: '11.50' }, { kind: 'average', value: '3' }, null])
  })
})
