import { expect, test } from 'vitest'
import { findByTitle, titleOf } from './find-references.ts'

const references = ['Revenue by week', 'Revenue by country', 'Stock'].map((title, at) => ({ title, shortId: `short${at}` }))
const found = (search: string) => findByTitle(references, search).map(({ title }) => title)

test('finds references by words of their titles', () => {
  expect(found('')).toHaveLength(3)
  expect(found('revenue')).toEqual(['Revenue by week', 'Revenue by country'])
  expect(found(' WEEK  rev ')).toEqual(['Revenue by week'])
  expect(found('no such query')).toEqual([])
})

test('finds a reference by its permalink', () => {
  expect(found('https://querypost.test/q/short2?limit=3')).toEqual(['Stock'])
  expect(found('https://querypost.test/q/other')).toEqual([])
})

test('shows the shortId of an unknown reference', () => {
  expect(titleOf(references, 'short1')).toBe('Revenue by country')
  expect(titleOf(references, 'other')).toBe('other')
  expect(titleOf(undefined, 'short1')).toBe('short1')
})
