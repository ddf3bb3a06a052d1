import type { ColumnSettings } from './column-settings.ts'

/** How a reference's result is shown. `jsxConfig` is kept as written; see `parse.ts`. */
export const visualizationTypes = [
  'table', 'number', 'line', 'bar', 'area', 'scatter', 'pie', 'combo', 'pivot', 'heatmap', 'funnel', 'histogram', 'map',
] as const
export type VisualizationType = (typeof visualizationTypes)[number]

const firstElements = ['LineChart', 'BarChart', 'AreaChart', 'ScatterChart', 'PieChart', 'ComposedChart']

/** The chart elements that may draw each type. */
export const elementsOfTypes: Readonly<Record<VisualizationType, readonly string[]>> = {
  table: firstElements,
  number: [...firstElements, 'NumberChart'],
  line: firstElements,
  bar: firstElements,
  area: firstElements,
  scatter: firstElements,
  pie: firstElements,
  combo: ['ComposedChart'],
  pivot: ['PivotTable'],
  heatmap: ['HeatmapChart'],
  funnel: ['FunnelChart'],
  histogram: ['HistogramChart'],
  map: ['MapChart'],
}

export interface MarginConfig {
  top: number
  right: number
  bottom: number
  left: number
}

export interface Visualization {
  type: VisualizationType
  jsxConfig: string
  marginConfig: MarginConfig
  /** How the columns are shown, wherever their values appear. */
  columns?: ColumnSettings[]
  /** Whether tables end with a row of totals. */
  hasTotals?: boolean
}

export const marginSides = ['top', 'right', 'bottom', 'left'] as const
export const marginMax = 1000

/** Room for the labels at the ends of the axes. */
export const defaultMargin: MarginConfig = { top: 8, right: 16, bottom: 8, left: 8 }
