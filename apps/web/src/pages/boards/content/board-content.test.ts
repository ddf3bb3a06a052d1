import { expect, test } from 'vitest'
import {
  addTab,
  addTile,
  type BoardContent,
  changeParameter,
  changeTile,
  duplicateTile,
  emptyBoard,
  initialSize,
  mapByName,
  moveToTab,
  removeParameter,
  removeTab,
  removeTile,
  renameTab,
  reorderTab,
  type Tile,
  tilesOnTab,
  tilesWith,
  titleOfTile,
} from './board-content.ts'
import { overlaps } from './layout.ts'

const tile = (id: string, given: Partial<Tile> = {}): Tile => ({ id, kind: 'heading', text: id, x: 0, y: 0, width: 6, height: 2, ...given })
const idsOnTab = (content: BoardContent, tabId: string) => tilesOnTab(content, tabId).map(({ id }) => id)

const tabbed: BoardContent = {
  ...emptyBoard,
  tabs: [{ id: 'one', title: 'One' }, { id: 'two', title: 'Two' }],
  tiles: [tile('a'), tile('b', { tabId: 'two' }), tile('c', { tabId: 'gone', x: 6 })],
}

test('shows tiles without a known tab on the first one', () => {
  expect(idsOnTab(tabbed, 'one')).toEqual(['a', 'c'])
  expect(idsOnTab(tabbed, 'two')).toEqual(['b'])
  expect(tilesOnTab({ ...tabbed, tabs: [] }, undefined)).toHaveLength(3)
})

test('adds a tile in the first free room of its tab', () => {
  const added = addTile(tabbed, { id: 'd', kind: 'text', text: '' }, 'two', { width: 6, height: 3 })
  expect(added.tiles.at(-1)).toEqual({ id: 'd', kind: 'text', text: '', tabId: 'two', x: 6, y: 0, width: 6, height: 3 })
  const plain = addTile(emptyBoard, { id: 'd', kind: 'text', text: '' }, undefined, { width: 6, height: 3 })
  expect(plain.tiles[0]).not.toHaveProperty('tabId')
})

test('gives a number less room than a chart, and a heading the whole width', () => {
  expect(initialSize({ kind: 'reference' }, 'number')).toEqual({ width: 3, height: 2 })
  expect(initialSize({ kind: 'reference' }, 'line')).toEqual({ width: 6, height: 4 })
  expect(initialSize({ kind: 'reference', shows: 'table' }, 'number')).toEqual({ width: 6, height: 5 })
  expect(initialSize({ kind: 'heading' })).toEqual({ width: 12, height: 1 })
})

test('duplicates a tile on its tab, without an overlap', () => {
  const copied = duplicateTile(tabbed, 'b', 'copy')
  const [b, copy] = tilesOnTab(copied, 'two')
  expect(copy).toMatchObject({ id: 'copy', text: 'b', tabId: 'two' })
  expect(overlaps(b!, copy!)).toBe(false)
  expect(duplicateTile(tabbed, 'unknown', 'copy')).toBe(tabbed)
})

test('removes a tile and closes the gap', () => {
  const content = { ...emptyBoard, tiles: [tile('a'), tile('b', { y: 2 })] }
  expect(removeTile(content, 'a').tiles).toEqual([tile('b', { y: 0 })])
  expect(removeTile(content, 'unknown')).toBe(content)
})

test('changes a single tile', () => {
  expect(changeTile(tabbed, tile('b', { text: 'new' })).tiles.map(({ text }) => text)).toEqual(['a', 'new', 'c'])
})

test('the first tab that is added keeps the existing tiles on a tab of their own', () => {
  const added = addTab({ ...emptyBoard, tiles: [tile('a')] }, ['one', 'two'])
  expect(added.tabs.map(({ title }) => title)).toEqual(['Tab 1', 'Tab 2'])
  expect(added.tiles[0]!.tabId).toBe('one')
  expect(addTab(added, ['three', 'four']).tabs.map(({ id }) => id)).toEqual(['one', 'two', 'three'])
})

test('renames and reorders tabs without moving tiles between them', () => {
  expect(renameTab(tabbed, 'two', 'Second').tabs[1]!.title).toBe('Second')
  const reordered = reorderTab(tabbed, 'two', -1)
  expect(reordered.tabs.map(({ id }) => id)).toEqual(['two', 'one'])
  expect([idsOnTab(reordered, 'one'), idsOnTab(reordered, 'two')]).toEqual([['a', 'c'], ['b']])
  expect(reorderTab(tabbed, 'one', -1)).toBe(tabbed)
})

test('moves the tiles of a removed tab to its neighbor', () => {
  const removed = removeTab(tabbed, 'one')
  expect(removed.tabs.map(({ id }) => id)).toEqual(['two'])
  expect(idsOnTab(removed, 'two')).toEqual(['b', 'a', 'c'])
  expect(removed.tiles.map(({ y }) => y)).toEqual([0, 2, 2])
  const last = removeTab(removed, 'two')
  expect(last.tabs).toEqual([])
  expect(last.tiles.every((other) => !('tabId' in other))).toBe(true)
})

test('moves a tile to another tab', () => {
  const moved = moveToTab(tabbed, 'c', 'two')
  expect([idsOnTab(moved, 'one'), idsOnTab(moved, 'two')]).toEqual([['a'], ['b', 'c']])
  expect(tilesOnTab(moved, 'two')[1]).toMatchObject({ x: 6, y: 0 })
  expect(moveToTab(tabbed, 'b', 'two')).toBe(tabbed)
})

const country = { name: 'country', displayName: 'Country', type: 'text' as const, defaultValue: '', description: '' }
const mapped: BoardContent = {
  ...emptyBoard,
  parameters: [country, { ...country, name: 'city' }],
  tiles: [
    tile('a', { parameterMapping: { land: 'country', town: 'city' } }),
    tile('b', { y: 2, filters: { column: 'country', parameter: 'country' } }),
  ],
}

test('knows which tiles a parameter affects', () => {
  expect(tilesWith(mapped.tiles, 'country').map(({ id }) => id)).toEqual(['a'])
})

test('renames a parameter everywhere', () => {
  const [a, b] = changeParameter(mapped, 'country', { ...country, name: 'market' }).tiles
  expect(a!.parameterMapping).toEqual({ land: 'market', town: 'city' })
  expect(b!.filters).toEqual({ column: 'country', parameter: 'market' })
})

test('removes a parameter with everything that refers to it', () => {
  const removed = removeParameter(mapped, 'country')
  expect(removed.parameters.map(({ name }) => name)).toEqual(['city'])
  expect(removed.tiles[0]!.parameterMapping).toEqual({ town: 'city' })
  expect(removed.tiles[1]).not.toHaveProperty('filters')
  expect(removeParameter(removed, 'city').tiles[0]).not.toHaveProperty('parameterMapping')
})

test('maps parameters of the same name, and keeps chosen mappings', () => {
  const own = [{ name: 'country' }, { name: 'limit' }]
  expect(mapByName(tile('x'), own, mapped.parameters).parameterMapping).toEqual({ country: 'country' })
  expect(mapByName(tile('x', { parameterMapping: { country: 'city' } }), own, mapped.parameters).parameterMapping).toEqual({ country: 'city' })
  expect(mapByName(tile('x'), [{ name: 'limit' }], mapped.parameters)).not.toHaveProperty('parameterMapping')
})

test('calls a tile by its own title, or by that of its query', () => {
  const reference = { kind: 'reference', referenceShortId: 'q' } as const
  const tiles = [tile('own', { ...reference, title: 'Own' }), tile('query', reference), tile('gone', { kind: 'reference' }), tile('Words')]
  const board = { tiles, references: [{ shortId: 'q', title: 'Revenue' }] }
  const titles = [...tiles.map(({ id }) => id), 'removed'].map((id) => titleOfTile(board, id))
  expect(titles).toEqual(['Own', 'Revenue', 'Deleted query', 'Words', undefined])
})
