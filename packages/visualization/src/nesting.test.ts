import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findColumn } from './columns.ts'
import { maxNesting, nestedTooDeeply, parseRows, withoutDeepValues } from './nesting.ts'

const lists = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test('keeps a value at the limit and replaces one beyond it', () => {
  for (const nested of [lists, objects]) {
    const rows = `[[1,${nested(maxNesting)},"x"],[2,${nested(maxNesting + 1)},"y"]]`
    const [first, second] = parseRows(rows)
    expect(first).toEqual([1, JSON.parse(nested(maxNesting)), 'x'])
    expect(second).toEqual([2, nestedTooDeeply, 'y'])
  }
})

test('replaces only the deep values of a row, wherever they are', () => {
  const deep = lists(8_000)
  expect(parseRows(`[[${deep}],[${deep},${deep}],[null,${deep},{"a":[1]}],[]]`)).toEqual([
    [nestedTooDeeply],
    [nestedTooDeeply, nestedTooDeeply],
    [null, nestedTooDeeply, { a: [1] }],
    [],
  ])
})

test('does not count brackets within strings', () => {
  const text = JSON.stringify([['['.repeat(1_000), `\\"${'{'.repeat(1_000)}`, { '[[': ']' }]])
  expect(withoutDeepValues(text)).toBe(text)
})

test('survives a million levels', () => {
  expect(parseRows(`[[${lists(1_000_000)},1]]`)).toEqual([[nestedTooDeeply, 1]])
})

test('leaves rows without deep values unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.json({ maxDepth: 5 }))), (rows) => {
      const text = `[${rows.map((row) => `[${row.join(', ')}]`).join(',')}]`
      expect(withoutDeepValues(text)).toBe(text)
    }),
  )
})

test('a path into JSON text finds nothing if the text is nested too deeply', () => {
  const column = findColumn([{ name: 'j', type: 'json' }], 'j.a')!
  expect(column.valueIn([objects(maxNesting)])).toBeDefined()
  expect(column.valueIn([objects(8_000)])).toBeUndefined()
})
