import { expect, test } from 'vitest'
import { layOutPages } from './lay-out-pages.ts'

const tile = (y: number, height: number) => ({ y, height })
const pagesOf = (...tiles: { y: number; height: number }[]) => layOutPages(tiles, 10).map(({ top, things }) => [top, things.map(({ y }) => y)])

test('fills a page before it begins another', () => expect(pagesOf(tile(0, 4), tile(4, 6), tile(10, 2))).toEqual([[0, [0, 4]], [10, [10]]]))

test('moves a tile that would be cut to the next page, with everything beside and below it', () => {
  expect(pagesOf(tile(8, 1), tile(0, 4), tile(6, 6), tile(6, 2))).toEqual([[0, [0]], [6, [6, 6, 8]]])
})

test('gives a tile that is higher than a page the place that it needs', () => {
  expect(pagesOf(tile(0, 2), tile(2, 30), tile(32, 1))).toEqual([[0, [0]], [2, [2]], [32, [32]]])
})

test('has no pages without tiles', () => expect(pagesOf()).toEqual([]))
