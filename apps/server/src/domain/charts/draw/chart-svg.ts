import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { MarginConfig, PreparedChart, Visualization } from '@querypost/visualization'
import { type ChartTheme, compileChart, echarts, lightTheme, withPalette } from '@querypost/visualization/draw'
import { worldMapName, worldShapes } from '@querypost/visualization/world'
import { SVGRenderer } from 'echarts/renderers'
import type { Box } from './frame.ts'
import { colors, widthOf } from './svg.ts'

echarts.use([SVGRenderer])
// Without a browser there is nothing to measure text with.
echarts.setPlatformAPI({
  measureText: (text, font = '12px sans-serif') => {
    const size = Number(/([\d.]+)px/.exec(font)?.[1] ?? 12)
    // The height of a line is measured by the width of a Chinese character.
    return { width: text === '国' ? size : widthOf(text, { size }) }
  },
})

const imageTheme: ChartTheme = { ...lightTheme, ...colors, fontFamily: 'DejaVu Sans', fontSize: 18, zoom: 1.8 }
const noMargin: MarginConfig = { top: 0, right: 12, bottom: 0, left: 0 }

export interface ChartDrawing {
  columns: Visualization['columns']
  /** The organization's own colors. */
  palette?: readonly string[] | null | undefined
  locale: string
}

/** Draws a chart as SVG, from the same option that the page draws on its canvas. */
export function drawChart(prepared: PreparedChart, box: Box, drawing: ChartDrawing): string {
  // Labels at the edge may be a little larger than was measured.
  return withChart(prepared, box, drawing, (chart) =>
    chart.renderToSVGString().replace('<svg ', `<svg x="${box.left}" y="${box.top}" overflow="visible" `),
  )
}

/** Lays out a chart, and disposes of it after use. */
export function withChart<Result>(
  prepared: PreparedChart,
  box: Box,
  { columns, palette, locale }: ChartDrawing,
  use: (chart: ReturnType<typeof echarts.init>) => Result,
): Result {
  if (prepared.shape.kind === 'map') registerWorld()
  const [width, height] = [box.right - box.left, box.bottom - box.top]
  const theme = withPalette(imageTheme, palette)
  const { option } = compileChart(prepared, { theme, marginConfig: noMargin, columns, locale, hasDrawnLegend: true })
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption(option)
    return use(chart)
  } finally {
    chart.dispose()
  }
}

let hasWorld = false

/** The shapes of countries are read with the first map. */
function registerWorld(): void {
  if (hasWorld) return
  const file = fileURLToPath(import.meta.resolve('world-atlas/countries-110m.json'))
  const shapes = worldShapes(JSON.parse(readFileSync(file, 'utf8')))
  echarts.registerMap(worldMapName, shapes as Parameters<typeof echarts.registerMap>[1])
  hasWorld = true
}
