import { describe, expect, test } from 'vitest'
import { checkColumns } from './check-columns.ts'

describe('checkColumns', () => {
  test('keeps every setting', () => {
    const columns = [
      {
        name: 'revenue',
        title: 'Revenue',
        isHidden: false,
        format: { style: 'currency', currency: 'EUR', decimals: 2, isGrouped: true, isCompact: false },
        colors: [
          { when: 'above', value: 100, color: '#1d4a51' },
          { when: 'between', value: 1, to: 5, color: '#AABBCC' },
          { when: 'contains', value: 'x', color: '#000000' },
          { when: 'scale', from: '#ffffff', to: '#1d4a51' },
        ],
        total: 'average',
      },
      { name: 'month', format: { style: 'date', granularity: 'month' } },
      { name: 'share', format: { style: 'percent', isFraction: true } },
      { name: 'weight', format: { style: 'unit', unit: 'kg' } },
    ]
    expect(checkColumns(columns)).toEqual(columns)
  })

  const column = (settings: object) => [{ name: 'a', ...settings }]
  const color = '#000000'
  test.each([
    ['', 'columns'],
    ['/0', [null]],
    ['/0/name', [{}]],
    ['/0/name', [{ name: '' }]],
    ['/0/name', [{ name: 'x'.repeat(301) }]],
    ['/1/name', [{ name: 'a' }, { name: 'a' }]],
    ['', Array.from({ length: 501 }, (_, at) => ({ name: `c${at}` }))],
    ['/0/width', column({ width: 10 })],
    ['/0/title', column({ title: 5 })],
    ['/0/isHidden', column({ isHidden: 'yes' })],
    ['/0/total', column({ total: 'median' })],
    ['/0/format', column({ format: 'euro' })],
    ['/0/format/style', column({ format: {} })],
    ['/0/format/style', column({ format: { style: 'money' } })],
    ['/0/format/currency', column({ format: { style: 'currency' } })],
    ['/0/format/currency', column({ format: { style: 'currency', currency: 'eur' } })],
    ['/0/format/unit', column({ format: { style: 'unit' } })],
    ['/0/format/unit', column({ format: { style: 'unit', unit: 'x'.repeat(21) } })],
    ['/0/format/decimals', column({ format: { style: 'number', decimals: 11 } })],
    ['/0/format/decimals', column({ format: { style: 'number', decimals: 1.5 } })],
    ['/0/format/granularity', column({ format: { style: 'date', granularity: 'decade' } })],
    ['/0/colors', column({ colors: {} })],
    ['/0/colors', column({ colors: Array.from({ length: 21 }, () => ({ when: 'equals', value: 1, color })) })],
    ['/0/colors/0/when', column({ colors: [{ when: 'like', value: 1, color }] })],
    ['/0/colors/0/value', column({ colors: [{ when: 'above', color }] })],
    ['/0/colors/0/value', column({ colors: [{ when: 'above', value: Number.NaN, color }] })],
    ['/0/colors/0/to', column({ colors: [{ when: 'between', value: 1, color }] })],
    ['/0/colors/0/to', column({ colors: [{ when: 'above', value: 1, to: 2, color }] })],
    ['/0/colors/0/color', column({ colors: [{ when: 'above', value: 1, color: 'url(x)' }] })],
    ['/0/colors/0/from', column({ colors: [{ when: 'scale', to: color }] })],
    ['/0/colors/0/color', column({ colors: [{ when: 'scale', from: color, to: color, color }] })],
  ])('rejects %s in %j', (path, input) => {
    expect(() => checkColumns(input)).toThrow(expect.objectContaining({ path }))
  })
})
