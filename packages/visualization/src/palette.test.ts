import { expect, test } from 'vitest'
import { paletteProblem, readPaletteHints } from './palette.ts'

test.each([
  [['#0072b2', '#E69F00'], null],
  [['#0072b2'], 'must be a list of 2 to 12 colors'],
  [Array.from({ length: 13 }, () => '#0072b2'), 'must be a list of 2 to 12 colors'],
  ['#0072b2', 'must be a list of 2 to 12 colors'],
  [['#0072b2', 'red'], 'must have only colors such as #1d4a51; color 2 is another text'],
  [['#0072b2', '#fff'], 'must have only colors such as #1d4a51; color 2 is another text'],
])('checks %j', (input, problem) => {
  expect(paletteProblem(input)).toBe(problem)
})

test('has no hints for colors that were chosen for color blindness', () => {
  // Okabe and Ito, 2008.
  expect(readPaletteHints(['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00'])).toEqual({ similar: [], faint: [] })
})

test('finds red and green that look alike, and colors that everyone confuses', () => {
  expect(readPaletteHints(['#c0392b', '#5d8a2b']).similar).toEqual([{ first: 0, second: 1, seenBy: 'deuteranopia' }])
  expect(readPaletteHints(['#0072b2', '#e69f00', '#0073b4']).similar).toEqual([{ first: 0, second: 2, seenBy: 'full' }])
})

test('finds colors that hardly stand out', () => {
  expect(readPaletteHints(['#ffff99', '#000000']).faint).toEqual([{ place: 0, on: 'light' }, { place: 1, on: 'dark' }])
})
