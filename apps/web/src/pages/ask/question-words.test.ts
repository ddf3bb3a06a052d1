import { expect, test } from 'vitest'
import { rankByWords, wordsToSearch } from './question-words.ts'

test('searches for the words that say what a question is about', () => {
  expect(wordsToSearch('How is our Revenue doing by week?')).toEqual(['revenue', 'doing'])
  expect(wordsToSearch('Top products, and top customers; products!')).toEqual(['products', 'customers'])
  expect(wordsToSearch('Côte d’Ivoire 2025')).toEqual(['côte', 'ivoire', '2025'])
  expect(wordsToSearch('a b c alpha bravo charlie delta echo foxtrot golf')).toHaveLength(6)
})

test('searches for a question of common words as it is', () => {
  expect(wordsToSearch('What is new?')).toEqual(['what', 'is', 'new'])
  expect(wordsToSearch(' ?! ')).toEqual([])
})

test('ranks by the number of words found, then by the rank of each', () => {
  const [a, b, c] = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  expect(rankByWords([[a, b], [c, b]])).toEqual([b, a, c])
  expect(rankByWords([[a], []])).toEqual([a])
})
