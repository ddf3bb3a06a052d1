import { expect, test } from 'vitest'
import { makeRank } from './rank-reference.ts'

const references = [
  { title: 'Revenue by week', description: 'What the shop earned, and lost to refunds.' },
  { title: 'Monthly refunds', description: null },
  { title: 'Refund rate of a warehouse', description: null },
  { title: 'Biggest orders', description: 'The largest orders of a period.' },
  { title: 'REFUND', description: null },
]

test.each([
  ['refund', [3, 2, 1, 4, 0]],
  ['Réfund', [3, 2, 1, 4, 0]],
  ['rate refund', [4, 4, 2, 4, 4]],
  ['refund rate', [4, 4, 1, 4, 4]],
  ['big orders', [4, 4, 4, 2, 4]],
])('ranks %j', (text, ranks) => {
  expect(references.map(makeRank(text))).toEqual(ranks)
})
