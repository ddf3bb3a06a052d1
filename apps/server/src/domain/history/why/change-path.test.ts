import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findPath, type PathResult } from './change-path.ts'

let count = 0
const result = (minute: number, sql: string, parameters = 'p', resultHash = `hash ${count}`): PathResult => ({
  runId: `run_${String(count++).padStart(3, '0')}`,
  at: new Date(minute * 60_000),
  resultHash,
  sql,
  parameters,
})
const shape = (from: PathResult, to: PathResult, others: PathResult[]) =>
  findPath(from, to, others).map(({ causes, ...step }) => [causes.join('+'), step.from.at.getTime() / 60_000, step.to.at.getTime() / 60_000])

test('takes everything as data between results of the same SQL and parameters', () => {
  const [from, to] = [result(0, 'a'), result(10, 'a')]
  expect(shape(from, to, [result(5, 'b'), result(6, 'a')])).toEqual([['data', 0, 10]])
})

test('cannot separate SQL from data without results in between', () => {
  expect(shape(result(0, 'a'), result(10, 'b'), [])).toEqual([['sql+data', 0, 10]])
  expect(shape(result(0, 'a', 'p'), result(10, 'a', 'q'), [])).toEqual([['parameters+data', 0, 10]])
  expect(shape(result(0, 'a', 'p'), result(10, 'b', 'q'), [])).toEqual([['sql+parameters+data', 0, 10]])
})

test('limits what cannot be separated to the shortest time', () => {
  const others = [result(4, 'a'), result(5, 'b'), result(8, 'b'), result(2, 'a')]
  expect(shape(result(0, 'a'), result(10, 'b'), others)).toEqual([['data', 0, 4], ['sql+data', 4, 5], ['data', 5, 10]])
})

test('separates SQL from data if an equal result proves that the data did not change', () => {
  const others = [result(4, 'a', 'p', 'same'), result(5, 'b'), result(7, 'a', 'p', 'same')]
  expect(shape(result(0, 'a'), result(10, 'b'), others)).toEqual([['data', 0, 4], ['sql', 4, 5], ['data', 5, 10]])
  // Equal, but not on both sides of the change.
  const onOneSide = [result(3, 'a', 'p', 'same'), result(4, 'a', 'p', 'same'), result(6, 'b')]
  expect(shape(result(0, 'a'), result(10, 'b'), onOneSide)).toEqual([['data', 0, 4], ['sql+data', 4, 6], ['data', 6, 10]])
})

test('separates SQL from parameters through a result with one of them changed', () => {
  const others = [result(3, 'a', 'q'), result(5, 'a', 'q')]
  expect(shape(result(0, 'a', 'p'), result(10, 'b', 'q'), others)).toEqual([
    ['parameters+data', 0, 3],
    ['data', 3, 5],
    ['sql+data', 5, 10],
  ])
})

test('explains a comparison against the order of time', () => {
  expect(shape(result(10, 'b'), result(0, 'a'), [result(4, 'a'), result(5, 'b')])).toEqual([['data', 10, 5], ['sql+data', 5, 4], ['data', 4, 0]])
})

test('leads from the first result to the last without gaps, and names every cause that changed', () => {
  const some = fc.record({
    minute: fc.integer({ min: 0, max: 30 }),
    sql: fc.constantFrom('a', 'b', 'c'),
    parameters: fc.constantFrom('p', 'q'),
    hash: fc.constantFrom('x', 'y', 'z'),
  })
  fc.assert(
    fc.property(some, some, fc.array(some, { maxLength: 12 }), (one, other, rest) => {
      const [from, to, ...others] = [one, other, ...rest].map(({ minute, sql, parameters, hash }) => result(minute, sql, parameters, hash))
      const steps = findPath(from!, to!, others)
      expect(steps[0]!.from).toBe(from)
      expect(steps.at(-1)!.to).toBe(to)
      for (const [index, step] of steps.entries()) {
        expect(step.from).toBe(index === 0 ? from : steps[index - 1]!.to)
        expect(step.causes.includes('sql')).toBe(step.from.sql !== step.to.sql)
        expect(step.causes.includes('parameters')).toBe(step.from.parameters !== step.to.parameters)
        expect(step.causes).not.toHaveLength(0)
      }
      expect(findPath(from!, to!, others.toReversed())).toEqual(steps)
    }),
  )
})
