import { expect, test } from 'vitest'
import { describeVersion } from './describe-version.ts'

test('a version says what changed', () => {
  expect(describeVersion({ number: 1, title: 'Orders', changedParts: [] })).toEqual(['Created the query'])
  expect(describeVersion({ number: 2, title: 'Sales', changedParts: ['title', 'sql'] })).toEqual(['Renamed to “Sales”', 'Changed the SQL'])
})
