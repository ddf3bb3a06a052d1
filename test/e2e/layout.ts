import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Checks that an icon is centered on the first line of a text. */
export async function expectOnLineOf(icon: Locator, text: Locator): Promise<void> {
  const middleOfIcon = await icon.locator('svg').evaluate((svg) => {
    const { top, height } = svg.getBoundingClientRect()
    return top + height / 2
  })
  const middleOfLine = await text.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const { top, height } = range.getClientRects()[0]!
    return top + height / 2
  })
  expect(Math.abs(middleOfIcon - middleOfLine), `pixels between icon and line: ${middleOfIcon}, ${middleOfLine}`).toBeLessThanOrEqual(2)
}
