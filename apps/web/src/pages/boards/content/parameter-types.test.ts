import { expect, test } from 'vitest'
import { canGive } from './parameter-types.ts'

const parameter = (type: 'text' | 'number' | 'dateRange', isList = false) => ({ name: 'x', displayName: 'X', type, defaultValue: '', description: '', isList })

test.each([
  [parameter('number'), parameter('number'), true],
  [parameter('number'), parameter('text'), true],
  [parameter('text'), parameter('number'), false],
  [parameter('dateRange'), parameter('dateRange'), true],
  [parameter('dateRange'), parameter('text'), false],
  [parameter('text', true), parameter('text'), false],
  [parameter('text'), parameter('text', true), true],
  [parameter('text', true), parameter('text', true), true],
])('a board’s %o gives its value to %o: %s', (given, own, isAllowed) => {
  expect(canGive(given, own)).toBe(isAllowed)
})
