import { expect, test } from 'vitest'
import { shownColumns } from './column-settings.ts'
import type { Field } from './fields.ts'

const fields: Field[] = ['a', 'b', 'c', 'b'].map((name) => ({ name, type: 'string' }))

test('shows columns in the order of their settings, the others after them', () => {
  expect(shownColumns(fields)).toEqual([0, 1, 2, 3])
  expect(shownColumns(fields, [{ name: 'c' }, { name: 'missing' }])).toEqual([2, 0, 1, 3])
})

test('treats columns of the same name alike', () => {
  expect(shownColumns(fields, [{ name: 'b' }])).toEqual([1, 3, 0, 2])
  expect(shownColumns(fields, [{ name: 'b', isHidden: true }])).toEqual([0, 2])
})
