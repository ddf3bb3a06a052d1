import { expect, test } from 'vitest'
import { shapeDifferences } from './shape.ts'

test.each([
  [{ a: 1, b: 'x' }, { b: 'y', a: 2 }],
  [{ list: [{ a: 1 }] }, { list: [{ a: 2 }, { a: 3 }] }],
  [{ list: [{ a: 1 }] }, { list: [] }],
  [{ list: [{ a: 1 }, { a: null }] }, { list: [{ a: null }] }],
  [[['2026-01-05', 3]], [['2026-01-12', 4]]],
  [null, null],
])('%j has the shape of %j', (documented, real) => {
  expect(shapeDifferences(documented, real)).toEqual([])
})

test.each([
  [{ a: 1 }, {}, '/a is documented and not there'],
  [{}, { a: 1 }, '/a is there and not documented'],
  [{ a: 1 }, { a: '1' }, '/a is documented as number and is string'],
  [{ a: null }, { a: 'x' }, '/a is documented as null and is string'],
  [{ a: {} }, { a: [] }, '/a is documented as object and is list'],
  [{ a: [] }, { a: [1] }, '/a/0 is there, and the documented list is empty'],
  [[{ a: 1 }], [{ a: 1 }, { b: 1 }], '/1/a is documented and not there'],
])('%j does not have the shape of %j', (documented, real, difference) => {
  expect(shapeDifferences(documented, real)).toContain(difference)
})
