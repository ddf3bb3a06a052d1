import { expect, test } from 'vitest'
import { clickOf, withClick } from './tile-click.ts'

const tile = { id: 'a', kind: 'reference' as const, referenceShortId: 'abc', x: 0, y: 0, width: 6, height: 4 }
const filtering = { ...tile, filters: { column: 'country', parameter: 'market' } }
const opening = { ...tile, opens: { boardShortId: 'xyz', column: 'country', parameter: 'market' } }

test('reads and writes what a click does', () => {
  for (const each of [tile, filtering, opening]) expect(withClick(each, clickOf(each))).toEqual(each)
  expect([tile, filtering, opening].map((each) => clickOf(each).does)).toEqual(['rows', 'filter', 'open'])
})

test('does one thing at a time', () => {
  expect(withClick(filtering, clickOf(opening))).toEqual(opening)
  expect(withClick(opening, clickOf(tile))).toEqual(tile)
})

test('ignores unfinished choices', () => {
  const click = clickOf(filtering)
  expect(withClick(filtering, { ...click, column: '' })).toEqual(tile)
  expect(withClick(filtering, { ...click, parameter: '' })).toEqual(tile)
  expect(withClick(filtering, { ...click, does: 'open' })).toEqual(tile)
})
