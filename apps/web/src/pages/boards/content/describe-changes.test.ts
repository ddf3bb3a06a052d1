import { expect, test } from 'vitest'
import { type BoardContent, emptyBoard, type Tile } from './board-content.ts'
import { areEqual, describeChanges, tileName } from './describe-changes.ts'

const titleOf = (shortId: string) => ({ revenue123: 'Revenue by week' })[shortId]
const chart: Tile = { id: 'chart', kind: 'reference', referenceShortId: 'revenue123', x: 0, y: 0, width: 6, height: 4 }
const text: Tile = { id: 'text', kind: 'text', text: '## Notes\nfor the team', x: 6, y: 0, width: 6, height: 4 }
const country = { name: 'country', displayName: 'Country', type: 'text' as const, defaultValue: '', description: '' }
const before: BoardContent = { ...emptyBoard, title: 'Sales', tabs: [{ id: '1', title: 'Overview' }, { id: '2', title: 'Details' }], tiles: [chart, text], parameters: [country] }
const changes = (change: Partial<BoardContent>) => describeChanges(before, { ...before, ...change }, titleOf)

test('says nothing about equal boards', () => {
  expect(changes({ tiles: [{ ...chart }, { ...text }] })).toEqual([])
})

test('names changes of the board itself', () => {
  expect(changes({ title: 'Revenue', description: 'All of it' })).toEqual(['Renamed from “Sales” to “Revenue”', 'Changed the description'])
  expect(changes({ folderId: 'folder_1' })).toEqual(['Moved to another folder'])
})

test('names added, removed and changed tiles, and counts moved ones', () => {
  expect(changes({ tiles: [chart] })).toEqual(['Removed “Notes”'])
  expect(changes({ tiles: [...before.tiles, { ...chart, id: 'new', title: 'Top products' }] })).toEqual(['Added “Top products”'])
  expect(changes({ tiles: [{ ...chart, shows: 'table', y: 4 }, { ...text, x: 0 }] })).toEqual(['Changed “Revenue by week”', 'Moved or resized 2 tiles'])
  expect(changes({ tiles: [{ ...chart, tabId: '2' }, text] })).toEqual(['Moved or resized 1 tile'])
})

test('names changes of tabs', () => {
  expect(changes({ tabs: [{ id: '2', title: 'More' }, { id: '1', title: 'Overview' }] })).toEqual([
    'Renamed the tab “Details” to “More”',
    'Reordered the tabs',
  ])
  expect(changes({ tabs: [{ id: '1', title: 'Overview' }, { id: '3', title: 'New' }] })).toEqual(['Added the tab “New”', 'Removed the tab “Details”'])
})

test('names changes of parameters', () => {
  expect(changes({ parameters: [{ ...country, defaultValue: 'DE' }] })).toEqual(['Changed the parameter “Country”'])
  expect(changes({ parameters: [{ ...country, name: 'city', displayName: '' }] })).toEqual(['Added the parameter “city”', 'Removed the parameter “Country”'])
})

test('names a tile by its title, its query or its first words', () => {
  expect(tileName({ ...chart, title: 'Weekly' }, titleOf)).toBe('Weekly')
  expect(tileName({ ...chart, referenceShortId: 'gone' }, titleOf)).toBe('Query')
  expect(tileName({ ...text, kind: 'heading', text: ' ' }, titleOf)).toBe('Heading')
  expect(tileName({ ...text, text: 'x'.repeat(100) }, titleOf)).toBe(`${'x'.repeat(39)}…`)
})

test('compares values by content', () => {
  expect(areEqual({ a: 1, b: undefined, c: [1, { d: null }] }, { c: [1, { d: null }], a: 1 })).toBe(true)
  for (const [a, b] of [[{ a: 1 }, { a: '1' }], [[1], { 0: 1 }], [[1], [1, 2]], [null, {}], [{ a: null }, {}]]) expect(areEqual(a, b)).toBe(false)
})
