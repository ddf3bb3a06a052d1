import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeToolNames } from './tool-names.ts'

test.each([
  ['CRM', 'lookup_customer', 'crm__lookup_customer'],
  ['Café, Zürich!', 'get-user', 'cafe_zurich__get-user'],
  ['顧客', 'a.b/c', 'connector__a_b_c'],
  ['__a__b__', 'x', 'a_b__x'],
  ['An extraordinarily long name of a connector', 'x', 'an_extraordinarily_long__x'],
])('%s and %s make %s', (connector, tool, name) => {
  expect(makeToolNames()(connector, tool)).toBe(name)
})

test('numbers a name that is already taken', () => {
  const nameOf = makeToolNames()
  const long = 'x'.repeat(100)
  expect([nameOf('a', 'b c'), nameOf('a', 'b_c'), nameOf('A', 'b c')]).toEqual(['a__b_c', 'a__b_c_2', 'a__b_c_3'])
  expect([nameOf('a', long), nameOf('a', long)]).toEqual([`a__${'x'.repeat(61)}`, `a__${'x'.repeat(59)}_2`])
})

test('names are always valid for models, unique, and distinct from built-in tools', () => {
  const texts = fc.array(fc.tuple(fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ maxLength: 80 })))
  fc.assert(
    fc.property(texts, (pairs) => {
      const nameOf = makeToolNames()
      const names = pairs.map(([connector, tool]) => nameOf(connector, tool))
      expect(names.filter((name) => !/^(?=.*__)[a-zA-Z0-9_-]{1,64}$/.test(name))).toEqual([])
      expect(new Set(names).size).toBe(names.length)
    }),
    { seed: 20260105, numRuns: 200 },
  )
})
