import { type ChartElement, textProp } from './chart-element.ts'
import type { VisualizationType } from './visualization.ts'

/**
 * What a person chooses for a chart: its type, and a column for each role. The roles are the same for all types, so that a chart
 * keeps its columns when it becomes another type.
 *
 * - The *category* is what values are shown against: an axis, the names of slices, the steps of a funnel, the countries of a map,
 *   the rows of a pivot table, the periods of a number. A histogram has none.
 * - The *series* are the columns whose values are drawn.
 * - The *split* draws one series per value of a column. It is also the other axis of a heat map, the columns of a pivot table and
 *   the color of a scatter chart.
 */
export interface ChartChoice {
  kind: ChartKind
  categoryKey: string | null
  series: SeriesChoice[]
  splitKey?: string | null
  arrangement?: Arrangement
  /** The column for the size of a scatter chart's points. */
  sizeKey?: string | null
  isHorizontal?: boolean
  hasLegend?: boolean
}

export interface SeriesChoice {
  key: string
  name?: string | undefined
  color?: string | undefined
  /** How a combo chart draws the series. */
  drawnAs?: ComboPart | undefined
  /** Whether the series of a combo chart uses the axis on the right. */
  isOnRight?: boolean | undefined
}

/** The types that are written as JSX. */
export type ChartKind = Exclude<VisualizationType, 'table'>
export type Arrangement = 'grouped' | 'stacked' | 'expanded'
export type ComboPart = (typeof comboParts)[number]
export const comboParts = ['bar', 'line', 'area'] as const

export const chartNames: Readonly<Record<ChartKind, string>> = {
  number: 'NumberChart',
  line: 'LineChart',
  bar: 'BarChart',
  area: 'AreaChart',
  scatter: 'ScatterChart',
  pie: 'PieChart',
  combo: 'ComposedChart',
  pivot: 'PivotTable',
  heatmap: 'HeatmapChart',
  funnel: 'FunnelChart',
  histogram: 'HistogramChart',
  map: 'MapChart',
}

/** The part that draws a series. A combo chart has those of bars, lines and areas. */
export const seriesParts: Readonly<Record<Exclude<ChartKind, 'combo'>, string>> = {
  number: 'Number',
  line: 'Line',
  bar: 'Bar',
  area: 'Area',
  scatter: 'Scatter',
  pie: 'Pie',
  pivot: 'PivotValue',
  heatmap: 'Heatmap',
  funnel: 'Funnel',
  histogram: 'Histogram',
  map: 'Map',
}

const kindsByName = new Map(Object.entries(chartNames).map(([kind, name]) => [name, kind as ChartKind]))
const kindsByPart = new Map(Object.entries(seriesParts).map(([kind, name]) => [name, kind as keyof typeof seriesParts]))

export const kindOf = (chart: ChartElement): ChartKind => kindsByName.get(chart.name)!
export const seriesKind = (part: ChartElement) => kindsByPart.get(part.name)

/** Types with an axis of categories and an axis of values. */
export const isCartesian = (kind: ChartKind): kind is 'line' | 'bar' | 'area' | 'combo' =>
  kind === 'line' || kind === 'bar' || kind === 'area' || kind === 'combo'

/** Whether a chart can draw one series per value of a column. */
export const canSplit = (chart: ChartElement): boolean => ['line', 'bar', 'area', 'scatter'].includes(kindOf(chart))

/** Types that draw several columns. */
export const hasManySeries = (kind: ChartKind) => isCartesian(kind) || kind === 'pivot'

/** Types whose single series names its categories in `nameKey`. */
export const hasNameKey = (kind: ChartKind) => kind === 'pie' || kind === 'funnel' || kind === 'map'

export function readChoice(chart: ChartElement): ChartChoice {
  const kind = kindOf(chart)
  const isHorizontal = chart.props['layout'] === 'vertical'
  const parts = chart.children.filter((part) => seriesKind(part))
  return {
    kind,
    categoryKey: categoryOf(chart, { kind, isHorizontal }),
    series: parts.flatMap((part) => readSeriesChoice(chart, part)),
    splitKey: splitOf(chart, kind),
    arrangement: arrangementOf(chart),
    sizeKey: keyOfPart(chart, 'ZAxis'),
    isHorizontal,
    hasLegend: chart.children.some(({ name }) => name === 'Legend'),
  }
}

export function arrangementOf(chart: ChartElement): Arrangement {
  const stacks = chart.children.filter((part) => seriesKind(part)).map(({ props }) => props['stackId'])
  if (stacks.length === 0 || stacks.some((stack) => stack === undefined || stack !== stacks[0])) return 'grouped'
  return chart.props['stackOffset'] === 'expand' ? 'expanded' : 'stacked'
}

function categoryOf(chart: ChartElement, { kind, isHorizontal }: { kind: ChartKind; isHorizontal: boolean }): string | null {
  if (hasNameKey(kind)) return seriesProp(chart, 'nameKey')
  if (kind === 'number') return seriesProp(chart, 'timeKey')
  if (kind === 'pivot') return keyOfPart(chart, 'PivotRow')
  return kind === 'histogram' ? null : keyOfPart(chart, isHorizontal ? 'YAxis' : 'XAxis')
}

function splitOf(chart: ChartElement, kind: ChartKind): string | null {
  if (kind === 'heatmap') return keyOfPart(chart, 'YAxis')
  return kind === 'pivot' ? keyOfPart(chart, 'PivotColumn') : seriesProp(chart, 'seriesKey')
}

function readSeriesChoice(chart: ChartElement, part: ChartElement): SeriesChoice[] {
  const kind = seriesKind(part)!
  // The points of a scatter chart take both numbers from the axes.
  const key = textProp(part, 'dataKey') ?? (kind === 'scatter' ? keyOfPart(chart, 'YAxis') : null)
  if (key === null) return []
  const name = textProp(part, 'name')
  const color = (kind === 'line' ? undefined : textProp(part, 'fill')) ?? textProp(part, 'stroke')
  const isCombo = kindOf(chart) === 'combo'
  return [
    {
      key,
      ...(name !== undefined && { name }),
      ...(color !== undefined && { color }),
      ...(isCombo && { drawnAs: kind as ComboPart, isOnRight: part.props['yAxisId'] === rightAxis }),
    },
  ]
}

/** The id of the axis on the right. */
export const rightAxis = 'right'

const seriesProp = (chart: ChartElement, name: string) => {
  const part = chart.children.find((each) => seriesKind(each))
  return part ? (textProp(part, name) ?? null) : null
}

const keyOfPart = (chart: ChartElement, partName: string) => {
  const part = chart.children.find(({ name }) => name === partName)
  return part ? (textProp(part, 'dataKey') ?? null) : null
}
