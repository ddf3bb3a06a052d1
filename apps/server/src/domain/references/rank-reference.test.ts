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
  ['efund', [4, 4, 4, 4, 4]],
  ['  revenue\t BY  week ', [0, 4, 4, 4, 4]],
])('ranks %j', (text, ranks) => {
  expect(references.map(makeRank(text))).toEqual(ranks)
})

test.each([
  ['by  week', 'By week', 0],
  ['by week', ' By week ', 0],
  ['Été  à\u00a0Paris', 'ete a paris', 0],
  ['ete a paris', '  ÉTÉ à\nParis', 0],
  ['Ｒｅｖｅｎｕｅ', 'revenue', 0],
  ['week', 'Revenue,by_week', 2],
  ['by_week', 'Revenue (by) week', 2],
])('%j matches the title %j', (text, title, rank) => {
  expect(makeRank(text)({ title, description: null })).toBe(rank)
})
