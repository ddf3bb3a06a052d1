import { describe, expect, test } from 'vitest'
import { branchesOn, isPlaced, lastExchanges, newestFrom, type Opening, pathTo, rangesOf, treeOf } from './paths.ts'

/**
 * The question 1 was edited as 7. After 1 came 3, which was asked again as 5; after 5 came 9.
 *
 *     1 ── 3
 *     │ └─ 5 ── 9
 *     7
 */
const branched: Opening[] = [
  { number: 1, follows: null },
  { number: 3, follows: 1 },
  { number: 5, follows: 1 },
  { number: 7, follows: null },
  { number: 9, follows: 5 },
]
const tree = treeOf(branched)

describe('a path', () => {
  test('leads from the start of the chat to its leaf', () => {
    expect(pathTo(tree, 9)).toEqual([1, 5, 9])
    expect(pathTo(tree, 3)).toEqual([1, 3])
    expect(pathTo(tree, 7)).toEqual([7])
    expect(pathTo(treeOf([]), null)).toEqual([])
  })

  test('contains every exchange of a chat whose questions name none', () => {
    const linear = treeOf([{ number: 1 }, { number: 4 }, { number: 6 }])
    expect(linear.newest).toBe(6)
    expect(pathTo(linear, 6)).toEqual([1, 4, 6])
  })

  test('continues with the exchange before if a question names one that is not earlier', () => {
    const odd = treeOf([{ number: 1, follows: null }, { number: 4, follows: 4 }, { number: 6, follows: 9 }, { number: 9, follows: 2 }])
    expect(pathTo(odd, 9)).toEqual([1, 4, 6, 9])
  })
})

test('choosing a question leads to the newest exchange after it', () => {
  expect(newestFrom(tree, 1)).toBe(9)
  expect(newestFrom(tree, 5)).toBe(9)
  expect(newestFrom(tree, 3)).toBe(3)
  expect(newestFrom(tree, 7)).toBe(7)
})

test('branches are the places on the path with several questions', () => {
  const start = { follows: null, questions: [1, 7] }
  expect(branchesOn(tree, pathTo(tree, 9))).toEqual([start, { follows: 1, questions: [3, 5] }])
  expect(branchesOn(tree, pathTo(tree, 7))).toEqual([start])
  expect(branchesOn(treeOf([{ number: 1 }, { number: 3 }]), [1, 3])).toEqual([])
})

test('an exchange reaches up to the next one by number, on whichever branch that is', () => {
  expect(rangesOf(tree, [1, 5, 9])).toEqual([
    { from: 1, to: 3 },
    { from: 5, to: 7 },
    { from: 9, to: 2 ** 31 - 1 },
  ])
})

test('the last exchanges fit both limits, but are at least one', () => {
  const path = pathTo(tree, 9)
  const last = (from: number[], atMost: { exchanges: number; messages: number }, messageCount = 10) =>
    lastExchanges(tree, from, { messageCount, atMost })
  expect(last(path, { exchanges: 9, messages: 6 })).toEqual([1, 5, 9])
  expect(last(path, { exchanges: 2, messages: 6 })).toEqual([5, 9])
  expect(last(path, { exchanges: 9, messages: 5 })).toEqual([5, 9])
  expect(last(path, { exchanges: 9, messages: 6 }, 11)).toEqual([5, 9])
  expect(last([1], { exchanges: 9, messages: 1 })).toEqual([1])
  expect(last([], { exchanges: 9, messages: 9 })).toEqual([])
})

describe('a part of a chat', () => {
  const part = (count: number) => treeOf(branched.slice(-count), { isWhole: false })

  test('has paths that begin with the first exchange that it knows', () => {
    expect(part(4)).toMatchObject({ newest: 9, isWhole: false })
    expect(pathTo(part(4), 9)).toEqual([5, 9])
    expect(pathTo(part(3), 9)).toEqual([9])
    expect(pathTo(part(1), 9)).toEqual([])
  })

  test('continues with the exchange before, even if that is the oldest one of the part', () => {
    const linear = [{ number: 4 }, { number: 6 }, { number: 8, follows: 7 }]
    expect([...treeOf(linear, { isWhole: false }).follows]).toEqual([[6, 4], [8, 6]])
  })

  test('places an exchange if it has all questions that were asked instead', () => {
    expect(isPlaced(part(4), 9)).toBe(true)
    expect(isPlaced(part(4), 5)).toBe(false)
    expect(isPlaced(part(3), 9)).toBe(false)
    // Another question may have started the chat, too.
    expect(isPlaced(part(4), 7)).toBe(false)
    expect(isPlaced(tree, 7)).toBe(true)
    expect(isPlaced(tree, 8)).toBe(false)
  })
})
