import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  columnCount,
  compact,
  type Direction,
  findRoom,
  haveSamePlaces,
  inReadingOrder,
  moveInOrder,
  moveTile,
  overlaps,
  type Placed,
  resizeTile,
  withPlaces,
} from './layout.ts'

const tile = (id: string, x: number, y: number, width: number, height: number): Placed => ({ id, x, y, width, height })
const placeOf = (tiles: Placed[], id: string) => {
  const { x, y, width, height } = tiles.find((other) => other.id === id)!
  return [x, y, width, height]
}

/** Two charts side by side, with a table below. */
const board = [tile('left', 0, 0, 6, 4), tile('right', 6, 0, 6, 4), tile('table', 0, 4, 12, 5)]

test('puts a new tile into the first room that is wide and high enough', () => {
  expect(findRoom([], { width: 6, height: 4 })).toEqual({ x: 0, y: 0, width: 6, height: 4 })
  expect(findRoom([tile('a', 0, 0, 6, 4)], { width: 6, height: 4 })).toEqual({ x: 6, y: 0, width: 6, height: 4 })
  expect(findRoom([tile('a', 0, 0, 8, 4)], { width: 6, height: 4 })).toEqual({ x: 0, y: 4, width: 6, height: 4 })
  expect(findRoom(board, { width: 20, height: 2 })).toEqual({ x: 0, y: 9, width: 12, height: 2 })
})

test('moves tiles up into free room', () => {
  expect(compact([tile('a', 0, 3, 6, 2), tile('b', 0, 9, 12, 2)]).map(({ y }) => y)).toEqual([0, 2])
})

test('moves a tile sideways and the tile in its way below it', () => {
  const moved = moveTile(board, 'left', 'right')
  expect(placeOf(moved, 'left')).toEqual([1, 0, 6, 4])
  expect(placeOf(moved, 'right')).toEqual([6, 4, 6, 4])
  expect(placeOf(moved, 'table')).toEqual([0, 8, 12, 5])
})

test('exchanges a tile with the one above or below it', () => {
  const down = moveTile(board, 'left', 'down')
  expect([placeOf(down, 'right'), placeOf(down, 'table'), placeOf(down, 'left')]).toEqual([[6, 0, 6, 4], [0, 4, 12, 5], [0, 9, 6, 4]])
  const up = moveTile(board, 'table', 'up')
  expect([placeOf(up, 'table')[1], placeOf(up, 'left')[1], placeOf(up, 'right')[1]]).toEqual([0, 5, 5])
})

test('leaves a tile at the edge where it is', () => {
  for (const [id, direction] of [['left', 'left'], ['left', 'up'], ['right', 'right'], ['table', 'down']] as const) {
    expect(haveSamePlaces(moveTile(board, id, direction), board)).toBe(true)
  }
  expect(resizeTile(board, 'right', 'right')).toEqual(board)
  expect(moveTile(board, 'unknown', 'up')).toEqual(board)
  expect(resizeTile(board, 'unknown', 'up')).toEqual(board)
})

test('resizes a tile and makes room for it', () => {
  const wider = resizeTile(board, 'left', 'right')
  expect([placeOf(wider, 'left'), placeOf(wider, 'right')]).toEqual([[0, 0, 7, 4], [6, 4, 6, 4]])
  expect(placeOf(resizeTile(board, 'left', 'down'), 'table')).toEqual([0, 5, 12, 5])
  const [small] = resizeTile([tile('a', 0, 0, 1, 1)], 'a', 'left')
  expect(small).toEqual(tile('a', 0, 0, 1, 1))
})

test('exchanges neighbors in the order of one column', () => {
  expect(inReadingOrder(moveInOrder(board, 'right', 'up')).map(({ id }) => id)).toEqual(['right', 'left', 'table'])
  expect(inReadingOrder(moveInOrder(board, 'right', 'down')).map(({ id }) => id)).toEqual(['left', 'table', 'right'])
  expect(moveInOrder(board, 'left', 'up')).toEqual(board)
})

test('takes over places from a drag', () => {
  const dragged = withPlaces(board, [tile('table', 0, 0, 12, 5), tile('left', 0, 5, 6, 4), tile('right', 6, 5, 6, 4)])
  expect(dragged.map(({ id, y }) => [id, y])).toEqual([['left', 5], ['right', 5], ['table', 0]])
})

const anyTiles = fc
  .array(fc.record({ width: fc.integer({ min: 1, max: 12 }), height: fc.integer({ min: 1, max: 6 }) }), { maxLength: 12 })
  .map((sizes) => sizes.reduce<Placed[]>((tiles, size, at) => [...tiles, { id: `tile-${at}`, ...findRoom(tiles, size) }], []))
const anyStep = fc.record({
  at: fc.nat(11),
  act: fc.constantFrom('move', 'resize', 'reorder'),
  direction: fc.constantFrom<Direction>('left', 'right', 'up', 'down'),
})

function apply(tiles: Placed[], { at, act, direction }: typeof anyStep extends fc.Arbitrary<infer Step> ? Step : never): Placed[] {
  const id = `tile-${at}`
  if (act === 'move') return moveTile(tiles, id, direction)
  if (act === 'resize') return resizeTile(tiles, id, direction)
  return moveInOrder(tiles, id, direction === 'up' ? 'up' : 'down')
}

test('never overlaps tiles, leaves the columns or loses a tile', () => {
  fc.assert(
    fc.property(anyTiles, fc.array(anyStep, { maxLength: 20 }), (tiles, steps) => {
      const ids = tiles.map(({ id }) => id)
      const end = steps.reduce(apply, compact(tiles))
      expect(end.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      for (const [at, one] of end.entries()) {
        expect(one.x >= 0 && one.x + one.width <= columnCount && one.y >= 0 && one.height > 0).toBe(true)
        for (const other of end.slice(at + 1)) expect(overlaps(one, other)).toBe(false)
      }
      expect(haveSamePlaces(compact(end), end)).toBe(true)
    }),
    { seed: 18, numRuns: 200 },
  )
})
