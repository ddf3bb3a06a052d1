import { describe, expect, test } from 'vitest'
import { boardLimits, type BoardContent, type Tile } from '../../model/board.ts'
import { faultsOfBoard } from './check-board.ts'

const known = { referenceShortIds: new Set(['revenue']), imageIds: new Set(['image_1']), boardShortIds: new Set(['details']) }
const country = { name: 'country', displayName: 'Country', type: 'text', defaultValue: '', description: '' } as const

const tile = (given: Partial<Tile> = {}): Tile => ({ id: 'a', kind: 'text', text: 'x', x: 0, y: 0, width: 4, height: 2, ...given })
const chart = (given: Partial<Tile> = {}): Tile => {
  const { text: _, ...rest } = tile({ kind: 'reference', referenceShortId: 'revenue' })
  return { ...rest, ...given }
}
const board = (tiles: Tile[], given: Partial<BoardContent> = {}): BoardContent => ({
  title: 'Revenue',
  description: null,
  parameters: [],
  tabs: [],
  tiles,
  ...given,
})
const faults = (content: BoardContent) => faultsOfBoard(content, known)
const paths = (content: BoardContent) => faults(content).map(({ path }) => path)

test('accepts tiles of every kind side by side', () => {
  const tiles = [
    chart({ id: 'a', parameterMapping: { land: 'country' }, filters: { column: 'land', parameter: 'country' }, shows: 'table' }),
    chart({ id: 'b', x: 4, opens: { boardShortId: 'details', parameter: 'country', column: 'land' }, title: 'Other' }),
    tile({ id: 'c', x: 8 }),
    tile({ id: 'd', kind: 'heading', y: 2, width: 12 }),
    tile({ id: 'e', kind: 'image', imageId: 'image_1', y: 4, width: 12 }),
  ]
  expect(faults(board(tiles, { parameters: [country] }))).toEqual([])
})

describe('places', () => {
  test('tiles must not overlap', () => {
    const overlapping = [tile(), tile({ id: 'b', x: 3, y: 1 }), tile({ id: 'c', x: 4, y: 5 })]
    expect(faults(board(overlapping))).toEqual([{ path: '/tiles/1', message: 'overlaps tile 0' }])
  })

  test('tiles on different tabs do not overlap, and the first tab is the default', () => {
    const tabs = [
      { id: 'one', title: 'One' },
      { id: 'two', title: 'Two' },
    ]
    expect(paths(board([tile(), tile({ id: 'b', tabId: 'two' })], { tabs }))).toEqual([])
    expect(paths(board([tile(), tile({ id: 'b', tabId: 'one' })], { tabs }))).toEqual(['/tiles/1'])
    expect(paths(board([tile({ tabId: 'three' })], { tabs }))).toEqual(['/tiles/0/tabId'])
  })

  test('tiles end at the last column', () => {
    expect(paths(board([tile({ x: 8, width: 4 })]))).toEqual([])
    expect(faults(board([tile({ x: 9, width: 4 })]))).toEqual([
      { path: '/tiles/0/width', message: 'must be at most 3 at x = 9: a board has 12 columns' },
    ])
  })
})

test.each([
  ['a query that does not exist', chart({ referenceShortId: 'ghost' }), '/tiles/0/referenceShortId'],
  ['a chart without a query', tile({ kind: 'reference', referenceShortId: undefined as never }), '/tiles/0/referenceShortId'],
  ['an image without its file', tile({ kind: 'image' }), '/tiles/0/imageId'],
  ['an unknown image', tile({ kind: 'image', imageId: 'image_2' }), '/tiles/0/imageId'],
  ['a query in a text', tile({ referenceShortId: 'revenue' }), '/tiles/0/referenceShortId'],
  ['parameters of a text', tile({ parameterMapping: {} }), '/tiles/0/parameterMapping'],
  ['a mapping to no parameter of the board', chart({ parameterMapping: { land: 'land' } }), '/tiles/0/parameterMapping/land'],
  ['a mapping from a bad name', chart({ parameterMapping: { 'a b': 'country' } }), '/tiles/0/parameterMapping'],
  ['a click that sets no parameter', chart({ filters: { column: 'land', parameter: 'land' } }), '/tiles/0/filters/parameter'],
  ['a click to an unknown board', chart({ opens: { boardShortId: 'x', parameter: 'a', column: 'b' } }), '/tiles/0/opens/boardShortId'],
  ['a long text', tile({ text: 'x'.repeat(boardLimits.textCharacters + 1) }), '/tiles/0/text'],
])('rejects %s', (_, wrong, path) => {
  expect(paths(board([wrong], { parameters: [country] }))).toContain(path)
})

test('reports all faults at once', () => {
  const content = board([tile(), tile({ x: 10, y: 3 })], {
    tabs: [
      { id: 'one', title: ' ' },
      { id: 'one', title: 'Two' },
    ],
    parameters: [country, country],
  })
  expect(paths(content)).toEqual(['/parameters/1/name', '/tabs/0/title', '/tabs/1/id', '/tiles/1/id', '/tiles/1/width'])
})

test('has limits', () => {
  const many = Array.from({ length: boardLimits.tiles + 1 }, (_, at) => tile({ id: `t${at}`, y: at * 2 }))
  expect(paths(board(many.slice(1)))).toEqual([])
  expect(paths(board(many))).toEqual(['/tiles'])
  expect(paths(board([], { title: ' ' }))).toEqual(['/title'])
  expect(paths(board([], { title: 'x'.repeat(201), description: 'x'.repeat(5001) }))).toEqual(['/title', '/description'])
  const large = Array.from({ length: 14 }, (_, at) => tile({ id: `t${at}`, y: at * 2, text: 'x'.repeat(20_000) }))
  expect(paths(board(large))).toEqual(['/tiles'])
})
