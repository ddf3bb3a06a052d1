import { expect, test } from 'vitest'
import { chooseItems } from './choose-items.ts'

const board = (shortId: string) => ({ shortId, title: `Board ${shortId}` })

test('shows favorites, then recently viewed items, then new ones, each once', () => {
  const chosen = chooseItems({ favorites: [board('b')], recent: [board('c'), board('b')], newest: [board('a'), board('c'), board('d')] }, 4)
  expect(chosen.map(({ shortId, isFavorite }) => [shortId, isFavorite])).toEqual([['b', true], ['c', false], ['a', false], ['d', false]])
})

test('shows no more than there is room for', () => {
  expect(chooseItems({ favorites: [board('a'), board('b')], recent: [board('c')], newest: [] }, 2)).toHaveLength(2)
  expect(chooseItems({ favorites: [], recent: [], newest: [] }, 2)).toEqual([])
})
