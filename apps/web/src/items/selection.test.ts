import { expect, test } from 'vitest'
import { nothingSelected, type Selection, toggled } from './selection.ts'

const order = ['a', 'b', 'c', 'd', 'e']
const click = (selection: Selection, key: string) => toggled(selection, key, { order, isRange: false })
const shiftClick = (selection: Selection, key: string) => toggled(selection, key, { order, isRange: true })
const keys = (selection: Selection) => [...selection.keys].toSorted().join('')

test('a click chooses an item or leaves it out', () => {
  const one = click(click(nothingSelected, 'b'), 'd')
  expect(keys(one)).toBe('bd')
  expect(keys(click(one, 'b'))).toBe('d')
})

test('a click with Shift chooses everything since the last click, in both directions', () => {
  expect(keys(shiftClick(click(nothingSelected, 'b'), 'd'))).toBe('bcd')
  expect(keys(shiftClick(click(nothingSelected, 'd'), 'b'))).toBe('bcd')
  expect(keys(shiftClick(shiftClick(click(nothingSelected, 'b'), 'c'), 'e'))).toBe('bcde')
})

test('a click with Shift on a chosen item leaves out the range', () => {
  const all = shiftClick(click(nothingSelected, 'a'), 'e')
  expect(keys(shiftClick(click(all, 'b'), 'd'))).toBe('ae')
})

test('a click with Shift without an item to start from chooses one item', () => {
  expect(keys(shiftClick(nothingSelected, 'c'))).toBe('c')
  expect(keys(shiftClick({ keys: new Set(), anchor: 'gone' }, 'c'))).toBe('c')
})
