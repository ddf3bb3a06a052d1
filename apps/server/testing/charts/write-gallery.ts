import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { defaultMargin } from '@querypost/visualization'
import { drawImage } from '../../src/domain/charts/draw-image.ts'
import { renderPng } from '../../src/domain/charts/png.ts'
import { checkVisualization } from '../../src/domain/references/check-visualization.ts'
import { readGallery } from './read-gallery.ts'

/** `npm run gallery`: draws every type of chart from the sample shop into the documentation. */
const docs = fileURLToPath(new URL('../../../../docs/', import.meta.url))
const asOf = new Date('2026-01-01T00:00:00Z')

await mkdir(`${docs}images/charts`, { recursive: true })
const sections: string[] = []
for (const { name, title, description, fields, rows, visualization } of await readGallery()) {
  const checked = checkVisualization({ ...visualization, marginConfig: defaultMargin })
  const svg = drawImage({ title, visualization: checked, result: { fields, rows, isWhole: true, asOf } })
  await writeFile(`${docs}images/charts/${name}.png`, await renderPng(svg))
  sections.push(`## ${title}\n\n${description}\n\n![${title}](images/charts/${name}.png)\n\n\`\`\`jsx\n${visualization.jsxConfig}\n\`\`\`\n`)
}
const head = `# Chart gallery

Every type of [chart](charts.md), drawn from the sample shop by the service itself. Pages draw the same charts from the same definition.
\`npm run gallery\` writes this page and its images.
`
await writeFile(`${docs}chart-gallery.md`, [head, ...sections].join('\n'))
