import { expect, test } from 'vitest'
import { inTreeOrder, isWithin } from './folder-order.ts'

const folders = [
  { id: 'reports', name: 'Reports', parentId: 'finance' },
  { id: 'shop', name: 'Shop', parentId: null },
  { id: 'finance', name: 'Finance', parentId: null },
  { id: 'audits', name: 'Audits', parentId: 'finance' },
  { id: 'old', name: 'Old', parentId: 'reports' },
]

test('lists each folder before those in it, in alphabetical order', () => {
  expect(inTreeOrder(folders).map(({ path, depth }) => [path, depth])).toEqual([
    ['Finance', 0],
    ['Finance / Audits', 1],
    ['Finance / Reports', 1],
    ['Finance / Reports / Old', 2],
    ['Shop', 0],
  ])
})

test('shows a folder whose parent is missing at the top', () => {
  expect(inTreeOrder([{ id: 'a', name: 'A', parentId: 'deleted' }])).toEqual([
    { id: 'a', name: 'A', parentId: 'deleted', depth: 0, path: 'A' },
  ])
})

test('tells whether a folder is inside of another', () => {
  expect(isWithin(folders, 'old', 'finance')).toBe(true)
  expect(isWithin(folders, 'finance', 'finance')).toBe(true)
  expect(isWithin(folders, 'shop', 'finance')).toBe(false)
  expect(isWithin(folders, null, 'finance')).toBe(false)
})
