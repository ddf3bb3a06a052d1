import { readFileSync } from 'node:fs'
import { contrastOf, mixColors } from '@querypost/visualization'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tintShare } from './cell-tint.ts'

const theme = readFileSync(new URL('../styles/theme.css', import.meta.url), 'utf8')

/** The light and the dark color of a name. */
function themeColors(name: string): string[] {
  const found = new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(theme)
  if (!found) throw new Error(`The theme has no color ${name}.`)
  return found.slice(1)
}

test.each([0, 1])('text is readable on a tint of any color (%i: light, dark)', (mode) => {
  const [surface, ink] = [themeColors('surface')[mode]!, themeColors('ink')[mode]!]
  const colors = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
  fc.assert(
    fc.property(colors, (color) => {
      expect(contrastOf(ink, mixColors(surface, color, tintShare))).toBeGreaterThanOrEqual(4.5)
    }),
    { examples: [['#000000'], ['#ffffff'], ['#ffff00'], ['#0000ff']] },
  )
})
