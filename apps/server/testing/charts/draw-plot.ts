import { defaultMargin, parseJsxConfig, prepareRows, type Visualization } from '@querypost/visualization'
import { type PlotArea, plotAreaOf } from '../../../../packages/visualization/testing/plot-area.ts'
import { drawContent, drawImage } from '../../src/domain/charts/draw-image.ts'
import { withChart } from '../../src/domain/charts/draw/chart-svg.ts'
import { renderPng } from '../../src/domain/charts/png.ts'
import { checkVisualization } from '../../src/domain/references/check-visualization.ts'
import type { GalleryChart } from './gallery.ts'

export type Drawable = Pick<GalleryChart, 'fields' | 'visualization'> & { rows: unknown[][] }

/** The size of the part of an image that shows the chart. */
export const contentSize = { width: 1088, height: 418 }

const box = { left: 0, top: 0, right: contentSize.width, bottom: contentSize.height }

export const completeVisualization = ({ visualization }: Drawable): Visualization =>
  checkVisualization({ ...visualization, marginConfig: defaultMargin })

/** The chart as SVG, as images of queries and boards show it. */
export function drawSvg(drawn: Drawable): string {
  const { fields, rows } = drawn
  const result = { fields, rows, isWhole: true, asOf: new Date(0) }
  const content = drawContent({ visualization: completeVisualization(drawn), result }, box)
  const size = `width="${contentSize.width}" height="${contentSize.height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="DejaVu Sans"><rect ${size} fill="#ffffff"/>${content}</svg>`
}

/** The image of a query with this chart, as of the day on which the sample shop ends. */
export function drawPicture(title: string, drawn: Drawable): Promise<Buffer> {
  const { fields, rows } = drawn
  const result = { fields, rows, isWhole: true, asOf: new Date('2026-01-01T00:00:00Z') }
  return renderPng(drawImage({ title, visualization: completeVisualization(drawn), result }))
}

/** The chart as an image, and where it has its marks. */
export async function drawPlot(drawn: Drawable): Promise<{ pngBase64: string; plot: PlotArea }> {
  const { fields, rows } = drawn
  const { jsxConfig, columns } = completeVisualization(drawn)
  const prepared = prepareRows({ fields, rows, element: parseJsxConfig(jsxConfig), columns, maxRows: 400, locale: 'en' })
  const plot = withChart(prepared, box, { columns, locale: 'en' }, plotAreaOf)
  return { pngBase64: (await renderPng(drawSvg(drawn))).toString('base64'), plot }
}

/** Numbers and pivot tables are text, which a page lays out in its own way. */
export const isPlain = ({ visualization }: Drawable) => visualization.type === 'number' || visualization.type === 'pivot'

/** The texts of a drawing. */
export const textsOf = (svg: string): string[] =>
  [...svg.matchAll(/<text[^>]*>([^<]+)</g)].map(([, text]) => text!.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
