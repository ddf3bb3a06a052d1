import { expect, test } from 'vitest'
import { makeSlugs } from './slugs.ts'

test.each([
  ['Types in results', 'types-in-results'],
  ['route_retired', 'route_retired'],
  ['The pages’ own routes', 'the-pages-own-routes'],
  ['1. Rooms, and one way down', '1-rooms-and-one-way-down'],
  ['CSV, and what spreadsheets do with it', 'csv-and-what-spreadsheets-do-with-it'],
  ['If SECRET_KEY is lost', 'if-secret_key-is-lost'],
  ['A – B', 'a--b'],
  ['Größe', 'größe'],
])('%s is at #%s', (heading, slug) => {
  expect(makeSlugs()(heading)).toBe(slug)
})

test('a repeated id gets a number', () => {
  const slugOf = makeSlugs()
  expect(['Errors', 'Errors', 'Errors 1', 'Errors'].map(slugOf)).toEqual(['errors', 'errors-1', 'errors-1-1', 'errors-2'])
})
