import { expect, test } from 'vitest'
import { faultOfPlace } from './folder-tree.ts'

/** a > b > c, and d at the top. */
const folders = [
  { id: 'a', parentId: null },
  { id: 'b', parentId: 'a' },
  { id: 'c', parentId: 'b' },
  { id: 'd', parentId: null },
]

test.each([
  [{ parentId: null }, undefined],
  [{ parentId: 'c' }, undefined],
  [{ parentId: 'x' }, 'is not a folder of your organization'],
  [{ id: 'a', parentId: 'd' }, undefined],
  [{ id: 'a', parentId: 'a' }, 'must not be the folder itself or one inside it'],
  [{ id: 'a', parentId: 'c' }, 'must not be the folder itself or one inside it'],
  [{ id: 'c', parentId: null }, undefined],
])('a folder is put into another one: %j', (move, fault) => {
  expect(faultOfPlace(folders, move)).toBe(fault)
})

test('folders are nested at most 10 deep, with those inside them', () => {
  const chain = Array.from({ length: 9 }, (_, at) => ({ id: `f${at}`, parentId: at === 0 ? null : `f${at - 1}` }))
  expect(faultOfPlace(chain, { parentId: 'f8' })).toBeUndefined()
  const deep = [...chain, { id: 'f9', parentId: 'f8' }]
  expect(faultOfPlace(deep, { parentId: 'f9' })).toBe('would nest folders more than 10 deep')
  const pair = [...chain, { id: 'outer', parentId: null }, { id: 'inner', parentId: 'outer' }]
  expect(faultOfPlace(pair, { id: 'outer', parentId: 'f7' })).toBeUndefined()
  expect(faultOfPlace(pair, { id: 'outer', parentId: 'f8' })).toBe('would nest folders more than 10 deep')
})
