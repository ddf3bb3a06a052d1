import {
  type ChartElement,
  ChartFault,
  type Field,
  parseJsxConfig,
  pointCount,
  prepareRows,
  readNumber,
  readPivotConfig,
  type Visualization,
} from '@querypost/visualization'
import { drawChart } from './draw/chart-svg.ts'
import { type Box, frame, message } from './draw/frame.ts'
import { drawNumber, drawPivot, drawTable } from './draw/plain.ts'
import { colors, tag } from './draw/svg.ts'

/** The rows to draw. `isWhole` is false if the result has more rows. */
export interface ImageRows {
  fields: readonly Field[]
  rows: readonly (readonly unknown[])[]
  isWhole: boolean
  asOf: Date
}

const maxRowsDrawn = 400
const locale = 'en'

/** `result` is what to draw, or why there is nothing to draw. */
export interface ImageInput {
  title: string
  visualization: Visualization | null
  result: ImageRows | string
  /** The organization's own colors. */
  palette?: readonly string[] | null
}

/** Draws the preview image of a reference as SVG. If the chart cannot be drawn, the image says so. */
export function drawImage(input: ImageInput): string {
  const { title, result } = input
  if (typeof result === 'string') {
    return frame({ title, footer: 'Querypost', note: undefined, draw: (box) => message(result, box) })
  }
  const { draw, notes } = drawerFor(input, result)
  const some = result.isWhole ? [] : [`The first ${new Intl.NumberFormat(locale).format(result.rows.length)} rows.`]
  return frame({ title, footer: asOf(result.asOf), note: [...some, ...notes][0], draw })
}

const plainSize = { width: 1072, height: 480 }
const plainEdge = 16

/** Draws the image without its title and footer, for a place that has a title of its own. */
export function drawUntitled(input: Omit<ImageInput, 'title'>): string {
  const { width, height } = plainSize
  const box = { left: plainEdge, top: plainEdge, right: width - plainEdge, bottom: height - plainEdge }
  return tag(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height, 'font-family': 'DejaVu Sans' },
    tag('rect', { width, height, fill: colors.paper }),
    drawContent(input, box),
  )
}

/** Draws what the image shows, without its frame, into a box of another drawing. */
export function drawContent(input: Omit<ImageInput, 'title'>, box: Box): string {
  const { result } = input
  return typeof result === 'string' ? message(result, box) : drawerFor(input, result).draw(box)
}

interface Drawer {
  draw(box: Box): string
  notes: string[]
}

function drawerFor({ visualization, palette }: Omit<ImageInput, 'title'>, result: ImageRows): Drawer {
  const chart = visualization && visualization.jsxConfig.trim() !== '' ? read(visualization.jsxConfig) : null
  if (typeof chart === 'string') return { draw: (box) => message(chart, box), notes: [] }
  if (!visualization || visualization.type === 'table' || (!chart && visualization.type !== 'number')) {
    return { draw: (box) => drawTable({ ...result, columns: visualization?.columns }, box), notes: [] }
  }
  const { columns } = visualization
  const { fields, rows } = result
  if (visualization.type === 'number') {
    return { draw: (box) => drawNumber({ fields, rows, columns }, readNumber(chart), box), notes: [] }
  }
  if (visualization.type === 'pivot') {
    const noPivot = 'The pivot table cannot be shown'
    return { draw: (box) => drawPivot({ fields, rows, columns }, readPivotConfig(chart!), box) ?? message(noPivot, box), notes: [] }
  }
  const prepared = prepareRows({ fields, rows, element: chart!, columns, maxRows: maxRowsDrawn, locale })
  const { problems, notes } = prepared
  if (problems.length > 0) return { draw: (box) => message(problems[0]!.split('. ')[0]!, box), notes: [] }
  if (pointCount(prepared) === 0) return { draw: (box) => message('The query returned no rows', box), notes: [] }
  return { draw: (box) => drawChart(prepared, box, { columns, palette, locale }), notes }
}

function read(jsxConfig: string): ChartElement | string {
  try {
    return parseJsxConfig(jsxConfig)
  } catch (error) {
    if (error instanceof ChartFault) return 'The chart is not valid'
    throw error
  }
}

const asOf = (at: Date) => `Querypost · ${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
