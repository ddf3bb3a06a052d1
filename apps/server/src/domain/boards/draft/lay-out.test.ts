import { expect, test } from 'vitest'
import { layOut } from './lay-out.ts'
import { shareParameters } from './share-parameters.ts'

const tile = (id: string, width: number, height: number) => ({ id, kind: 'text' as const, width, height })

test('places tiles from left to right, and in a new row below the highest one', () => {
  const tiles = [tile('a', 3, 2), tile('b', 6, 4), tile('c', 4, 1), tile('d', 8, 3), tile('e', 12, 1)]
  expect(layOut(tiles).map(({ id, x, y }) => [id, x, y])).toEqual([
    ['a', 0, 0],
    ['b', 3, 0],
    ['c', 0, 4],
    ['d', 4, 4],
    ['e', 0, 7],
  ])
})

test('parameters that several tiles have by name and type become parameters of the board', () => {
  const parameter = (name: string, type: 'text' | 'number', defaultValue = '') =>
    ({ name, type, defaultValue, displayName: name, description: '' }) as const
  const references = new Map([
    ['one', { parameters: [parameter('country', 'text', 'DE'), parameter('least', 'number')] }],
    ['two', { parameters: [parameter('country', 'text', 'FR'), parameter('least', 'text')] }],
  ])
  const chart = (id: string, referenceShortId: string) => ({ ...tile(id, 6, 4), kind: 'reference' as const, referenceShortId })
  const shared = shareParameters([chart('a', 'one'), chart('b', 'two'), tile('c', 12, 1)], references)
  expect(shared.parameters).toEqual([parameter('country', 'text', 'DE')])
  expect(shared.tiles).toEqual([
    { ...chart('a', 'one'), parameterMapping: { country: 'country' } },
    { ...chart('b', 'two'), parameterMapping: { country: 'country' } },
    tile('c', 12, 1),
  ])
})
