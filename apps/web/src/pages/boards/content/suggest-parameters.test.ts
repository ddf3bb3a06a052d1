import { expect, test } from 'vitest'
import { type BoardContent, emptyBoard, type Tile } from './board-content.ts'
import { addParameter, parameterNameFor, suggestParameters } from './suggest-parameters.ts'

const parameter = (name: string, type: 'text' | 'number' = 'text') => ({ name, displayName: name, type, defaultValue: '', description: '' })
const reference = (shortId: string, parameters: ReturnType<typeof parameter>[]) => ({
  shortId,
  title: shortId,
  description: null,
  parameters,
  queryId: `query-of-${shortId}`,
  analyticalDatabaseConfigId: null,
})
const references = [reference('orders', [parameter('country'), parameter('rows', 'number'), parameter('tab')]), reference('refunds', [parameter('country')])]
const tile = (id: string, referenceShortId: string): Tile => ({ id, kind: 'reference', referenceShortId, x: 0, y: 0, width: 6, height: 4 })
const content: BoardContent = { ...emptyBoard, tiles: [tile('a', 'orders'), tile('b', 'refunds'), tile('c', 'deleted')] }

test('suggests parameters of queries, those of most tiles first, but no name that the page uses', () => {
  expect(suggestParameters(content, references).map(({ definition, tileCount }) => [definition.name, tileCount])).toEqual([['country', 2], ['rows', 1]])
})

test('maps an added parameter to the tiles that have it, and suggests it no longer', () => {
  const added = addParameter(content, parameter('country'), references)
  expect(added.tiles.map(({ parameterMapping }) => parameterMapping)).toEqual([{ country: 'country' }, { country: 'country' }, undefined])
  expect(suggestParameters(added, references).map(({ definition }) => definition.name)).toEqual(['rows'])
})

test('maps no parameter of another type, and keeps chosen mappings', () => {
  expect(addParameter(content, parameter('rows', 'text'), references).tiles[0]).not.toHaveProperty('parameterMapping')
  const chosen = { ...content, tiles: [{ ...tile('a', 'orders'), parameterMapping: { country: 'market' } }] }
  expect(addParameter(chosen, parameter('country'), references).tiles[0]!.parameterMapping).toEqual({ country: 'market' })
})

test('derives a name from a label', () => {
  expect(parameterNameFor('Order country', [])).toBe('order_country')
  expect(parameterNameFor('  Año 2! ', [])).toBe('ano_2')
  expect(parameterNameFor('2nd', [])).toBe('nd')
  for (const label of ['', '???', 'Country', 'Display']) expect(parameterNameFor(label, ['country'])).toBeUndefined()
})
