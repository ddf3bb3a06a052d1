import type { ColumnSettings } from '@querypost/visualization'
import { describe, expect, test } from 'vitest'
import type { Field } from '../../api/first-rows.ts'
import { changeColumn, listColumns, moveColumn, stylesFor, withStyle } from './edit-columns.ts'

const fields: Field[] = ['a', 'b', 'c'].map((name) => ({ name, type: 'integer' }))
const names = (columns: ColumnSettings[]) => columns.map(({ name }) => name)

test('lists all columns once, those with settings first', () => {
  expect(names(listColumns([...fields, fields[0]!], [{ name: 'c' }, { name: 'gone' }]))).toEqual(['c', 'a', 'b'])
})

describe('changeColumn', () => {
  test('keeps the order of the columns', () => {
    const columns = changeColumn({ fields, columns: [], name: 'b', change: { title: 'B' } })
    expect(columns).toEqual([{ name: 'a' }, { name: 'b', title: 'B' }])
    expect(names(listColumns(fields, columns))).toEqual(['a', 'b', 'c'])
  })

  test('leaves nothing behind once all settings are removed', () => {
    expect(changeColumn({ fields, columns: [{ name: 'a', isHidden: true }], name: 'a', change: { isHidden: undefined } })).toEqual([])
  })

  test('keeps the settings of columns that the result does not have', () => {
    const columns = [{ name: 'gone', title: 'Gone' }]
    expect(changeColumn({ fields, columns, name: 'a', change: { title: 'A' } })).toEqual([{ name: 'a', title: 'A' }, ...columns])
  })
})

describe('moveColumn', () => {
  test.each([
    ['a', 1, ['b', 'a', 'c']],
    ['c', -1, ['a', 'c', 'b']],
    ['a', 9, ['b', 'c', 'a']],
    ['c', -9, ['c', 'a', 'b']],
  ])('moves %s by %i', (name, by, order) => {
    expect(names(listColumns(fields, moveColumn({ fields, columns: [], name, by })))).toEqual(order)
  })

  test('leaves nothing behind once the order is that of the result', () => {
    const moved = moveColumn({ fields, columns: [], name: 'a', by: 1 })
    expect(moveColumn({ fields, columns: moved, name: 'a', by: -1 })).toEqual([])
  })
})

test('offers the styles that suit a type', () => {
  expect(stylesFor('decimal')).toContain('currency')
  expect(stylesFor('timestamp')).toEqual(['date', 'plain'])
  expect(stylesFor('json')).toEqual([])
})

test('keeps the decimals when the style changes, but not the currency', () => {
  expect(withStyle({ style: 'currency', currency: 'USD', decimals: 1 }, 'percent')).toEqual({ style: 'percent', decimals: 1 })
  expect(withStyle({ style: 'number', decimals: 1 }, 'date')).toEqual({ style: 'date' })
  expect(withStyle(undefined, 'currency')).toEqual({ style: 'currency', currency: 'EUR' })
})
