import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Locator } from 'playwright-core'
import { drawPicture, readGallery } from '@querypost/server/testing/gallery'
import { openBrowser, visit } from './browser.ts'
import { startChartsPage } from './charts-page.ts'
import { galleryPage, showInGallery } from './gallery-page.ts'

/** `npm run gallery`: draws every type of chart from the sample shop into the documentation, by the server and by the page. */
const docs = fileURLToPath(new URL('../../docs/', import.meta.url))

await mkdir(`${docs}images/charts`, { recursive: true })
const [charts, browser] = await Promise.all([startChartsPage(), openBrowser()])
const { page, leave } = await visit(browser, { baseURL: charts.baseUrl, ...galleryPage })
await page.goto('/')
await page.waitForFunction(() => 'harness' in globalThis)
const sections: string[] = []
for (const chart of await readGallery()) {
  const { name, title, description, visualization } = chart
  await writeFile(`${docs}images/charts/${name}.png`, await drawPicture(title, chart))
  const shown = await showInGallery(page, chart)
  await writeFile(`${docs}images/charts/${name}-page.png`, await finalPicture(shown))
  const pictures = `| In a page | As an image |\n|---|---|\n| ![${title}, in a page](images/charts/${name}-page.png) | ![${title}, as an image](images/charts/${name}.png) |`
  sections.push(`## ${title}\n\n${description}\n\n${pictures}\n\n\`\`\`jsx\n${visualization.jsxConfig}\n\`\`\`\n`)
}
const head = `# Chart gallery

Every type of [chart](charts.md), drawn from the sample shop: in a page, by the browser, and as an image for links and boards, by the
server. Both come from the same definition, and a test compares them: each pair of pictures is cropped to its plot and reduced to 60 × 30
colors, of which at most 0.6% may differ visibly. A chart that is defined a little differently doesn’t pass. Numbers and pivot tables are
compared by their text.

\`npm run gallery\` writes this page and its images.
`
await writeFile(`${docs}chart-gallery.md`, [head, ...sections].join('\n'))
await leave()
await browser.close()
await charts.stop()

/** Charts with many marks are drawn in several steps. */
async function finalPicture(shown: Locator): Promise<Buffer> {
  let before = await shown.screenshot()
  for (;;) {
    const now = await shown.screenshot()
    if (now.equals(before)) return now
    before = now
  }
}
