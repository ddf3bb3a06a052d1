import type { Locator, Page } from 'playwright-core'
import { completeVisualization, contentSize, type Drawable } from '@querypost/server/testing/gallery'

/** Text has 12 pixels on a page and 18 in an image: the same picture is this much larger in an image. */
const scale = 1.5
const size = { width: contentSize.width / scale, height: contentSize.height / scale }

/** A page whose charts have as many pixels as those in images. */
export const galleryPage = { viewport: { width: 800, height: 600 }, deviceScaleFactor: scale, colorScheme: 'light' } as const

/** Draws a chart on the page that `startChartsPage` serves, and waits until it is there. */
export async function showInGallery(page: Page, drawable: Drawable): Promise<Locator> {
  const input = { visualization: completeVisualization(drawable), fields: drawable.fields, rows: drawable.rows }
  const number = await page.evaluate(([within, given]) => globalThis.harness.viewIn(within, given), [size, input] as const)
  const shown = page.locator(`[data-shown="${number}"]`)
  await shown.locator('[data-drawn]:not([data-drawn="0"]), svg, table').first().waitFor()
  return shown
}
