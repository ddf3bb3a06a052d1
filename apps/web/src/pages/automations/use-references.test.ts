import { expect, test } from 'vitest'
import type { Reference } from '../../api/references.ts'
import { findReferences, titleOf } from './use-references.ts'

const references = ['Revenue by week', 'Revenue by country', 'Stock'].map((title, at) => ({ title, shortId: `short${at}` }) as Reference)
const found = (search: string) => findReferences(references, search).map(({ title }) => title)

test('references are found by the words of their titles', () => {
  expect(found('')).toHaveLength(3)
  expect(found('revenue')).toEqual(['Revenue by week', 'Revenue by country'])
  expect(found(' WEEK  rev ')).toEqual(['Revenue by week'])
  expect(found('nothing such')).toEqual([])
})

test('a permalink finds its reference', () => {
  expect(found('https://querypost.test/q/short2?limit=3')).toEqual(['Stock'])
  expect(found('https://querypost.test/q/other')).toEqual([])
})

test('a reference that is not known goes by its shortId', () => {
  expect(titleOf({ status: 'ready', value: references }, 'short1')).toBe('Revenue by country')
  expect(titleOf({ status: 'ready', value: references }, 'other')).toBe('other')
  expect(titleOf({ status: 'loading' }, 'short1')).toBe('short1')
})
