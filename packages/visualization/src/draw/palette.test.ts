import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrastOf } from '../hex-color.ts'
import { colorDistance, visions } from '../palette.ts'
import { defaultPalette } from './palette.ts'
import { darkTheme, givenColor, lightTheme, withPalette } from './theme.ts'

const themes = [['light', defaultPalette.light, lightTheme], ['dark', defaultPalette.dark, darkTheme]] as const

test.each(themes)('every two colors of the %s palette look different with every kind of vision', (_, palette) => {
  const distances = palette.flatMap((one, at) =>
    palette.slice(at + 1).flatMap((other) => visions.map((vision) => ({ pair: `${one} ${other} ${vision}`, distance: colorDistance(one, other, vision) }))),
  )
  expect(distances.filter(({ distance }) => distance < 0.07)).toEqual([])
})

test.each(themes)('every color of the %s palette stands out from the page', (_, palette, { surface }) => {
  expect(palette.filter((color) => contrastOf(color, surface) < 2.5)).toEqual([])
})

test('the style sheet of the pages has the same colors', () => {
  const css = readFileSync(new URL('../../../../apps/web/src/styles/theme.css', import.meta.url), 'utf8')
  const { light, dark } = defaultPalette
  for (const [at, color] of light.entries()) expect(css).toContain(`--series-${at + 1}: light-dark(${color}, ${dark[at]});`)
  const shared = [['--ink', 'ink'], ['--ink-soft', 'soft'], ['--line', 'line'], ['--line-strong', 'lineStrong'], ['--surface', 'surface']] as const
  for (const [name, key] of shared) expect(css).toContain(`${name}: light-dark(${lightTheme[key]}, ${darkTheme[key]});`)
})

test('an organization’s own palette replaces the default one, lightened for dark pages', () => {
  expect(withPalette(lightTheme, ['#000000', '#336699']).palette).toEqual(['#000000', '#336699'])
  expect(withPalette(darkTheme, ['#000000', '#336699']).palette).toEqual(['#474747', '#6c91b6'])
  expect(withPalette(lightTheme, ['url(x)']).palette).toEqual(lightTheme.palette)
  expect(withPalette(lightTheme, null)).toBe(lightTheme)
})

test.each([
  ['#abc', '#aabbcc'], ['red', 'red'], ['rgb(1, 2, 3)', 'rgb(1, 2, 3)'], ['hsl(120deg 50% 50%)', 'hsl(120deg 50% 50%)'],
  ['currentColor', null], ['none', null], ['var(--ink)', null], ['red" onload="x', null], ['', null], [null, null],
])('reads the color %j as %j', (color, expected) => {
  expect(givenColor(lightTheme, color)).toBe(expected)
})
