import { expect, test } from 'vitest'
import { diffSequences } from './diff-sequences.ts'

const diff = (before: string, after: string) =>
  diffSequences([...before], [...after]).map(({ kind, elements }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${elements.join('')}`)

test.each([
  ['', '', []],
  ['abc', 'abc', [' abc']],
  ['', 'ab', ['+ab']],
  ['ab', '', ['-ab']],
  ['abc', 'axc', [' a', '-b', '+x', ' c']],
  ['abc', 'abbc', [' ab', '+b', ' c']],
  ['ab', 'xy', ['-ab', '+xy']],
  ['aXbYc', 'abc', [' a', '-X', ' b', '-Y', ' c']],
  ['abc', 'c', ['-ab', ' c']],
])('%j and %j differ by %j', (before, after, expected) => expect(diff(before, after)).toEqual(expected))

/** The length of the longest common subsequence, by the textbook's table. */
function commonLength(before: string, after: string): number {
  const table = Array.from({ length: before.length + 1 }, () => Array.from({ length: after.length + 1 }, () => 0))
  for (let x = 1; x <= before.length; x += 1) {
    for (let y = 1; y <= after.length; y += 1) {
      table[x]![y] = before[x - 1] === after[y - 1] ? table[x - 1]![y - 1]! + 1 : Math.max(table[x - 1]![y]!, table[x]![y - 1]!)
    }
  }
  return table[before.length]![after.length]!
}

test('has both sequences in order and as much in common as possible, for all short sequences', () => {
  const words = ['']
  for (const word of words) if (word.length < 4) words.push(`${word}a`, `${word}b`)
  for (const before of words) {
    for (const after of words) {
      const runs = diffSequences([...before], [...after])
      const side = (left: string) => runs.filter(({ kind }) => kind !== left).flatMap(({ elements }) => elements).join('')
      expect([side('added'), side('removed')]).toEqual([before, after])
      const common = runs.filter(({ kind }) => kind === 'same').flatMap(({ elements }) => elements)
      expect(common).toHaveLength(commonLength(before, after))
    }
  }
})

test('replaces everything if there are too many differences', () => {
  const numbers = (from: number) => Array.from({ length: 3000 }, (_, at) => from + at)
  const runs = diffSequences([0, ...numbers(10), 1], [0, ...numbers(10_000), 1])
  expect(runs.map(({ kind, elements }) => [kind, elements.length])).toEqual([['same', 1], ['removed', 3000], ['added', 3000], ['same', 1]])
})
