import { type ChartElement, textProp } from './chart-element.ts'

/**
 * The meaning of a chart's elements, in terms of drawing.
 *
 * - The *category* is what values are shown against: months, countries. In a scatter chart it is the other number.
 * - A *series* is one line, set of bars, area, cloud of points or ring.
 * - A chart is horizontal when its categories run down the side (`layout="vertical"`, in the terms of Recharts).
 */
export interface ChartShape {
  kind: SeriesKind | 'composed' | 'number' | 'pivot'
  isHorizontal: boolean
  categoryKey: string | null
  categoryTitle: string | null
  valueTitle: string | null
  series: Series[]
  hasLegend: boolean
  hasGrid: boolean
}

export type SeriesKind = 'line' | 'bar' | 'area' | 'scatter' | 'pie' | 'heatmap' | 'funnel' | 'histogram' | 'map'

export interface Series {
  kind: SeriesKind
  /** The column of its values. */
  key: string | null
  name: string
  /** As given in the chart; otherwise the drawing code chooses. */
  color: string | null
  stackId: string | null
  /** The column by whose values the series is split into one series each. */
  splitKey: string | null
  part: ChartElement
}

const chartKinds = new Map<string, ChartShape['kind']>([
  ['LineChart', 'line'], ['BarChart', 'bar'], ['AreaChart', 'area'],
  ['ScatterChart', 'scatter'], ['PieChart', 'pie'], ['ComposedChart', 'composed'],
  ['HeatmapChart', 'heatmap'], ['FunnelChart', 'funnel'], ['HistogramChart', 'histogram'], ['MapChart', 'map'],
  ['NumberChart', 'number'], ['PivotTable', 'pivot'],
])
const seriesKinds = new Map<string, SeriesKind>([
  ['Line', 'line'], ['Bar', 'bar'], ['Area', 'area'], ['Scatter', 'scatter'], ['Pie', 'pie'],
  ['Heatmap', 'heatmap'], ['Funnel', 'funnel'], ['Histogram', 'histogram'], ['Map', 'map'],
])

export const seriesKindOf = ({ name }: ChartElement): SeriesKind | undefined => seriesKinds.get(name)

export function readShape(chart: ChartElement): ChartShape {
  const isHorizontal = chart.props['layout'] === 'vertical'
  const part = (name: string) => chart.children.find((child) => child.name === name)
  const [xAxis, yAxis] = [part('XAxis'), part('YAxis')]
  const [categoryAxis, valueAxis] = isHorizontal ? [yAxis, xAxis] : [xAxis, yAxis]
  const pie = part('Pie')
  const kind = chartKinds.get(chart.name)!
  return {
    kind,
    isHorizontal,
    categoryKey: (pie ? textProp(pie, 'nameKey') : categoryAxis && textProp(categoryAxis, 'dataKey')) ?? null,
    categoryTitle: titleOf(categoryAxis),
    valueTitle: titleOf(valueAxis),
    series: chart.children.flatMap((child) => readSeries(child, valueAxis)),
    hasLegend: part('Legend') !== undefined,
    hasGrid: part('CartesianGrid') !== undefined,
  }
}

function readSeries(part: ChartElement, valueAxis: ChartElement | undefined): Series[] {
  const kind = seriesKindOf(part)
  if (!kind) return []
  // The points of a scatter chart take both numbers from the axes.
  const axisKey = kind === 'scatter' && valueAxis ? textProp(valueAxis, 'dataKey') : undefined
  const key = textProp(part, 'dataKey') ?? axisKey ?? null
  const { stackId } = part.props
  return [
    {
      kind,
      key,
      name: textProp(part, 'name') ?? key ?? '',
      color: (kind === 'line' ? undefined : textProp(part, 'fill')) ?? textProp(part, 'stroke') ?? null,
      splitKey: textProp(part, 'seriesKey') ?? null,
      stackId: typeof stackId === 'string' || typeof stackId === 'number' ? String(stackId) : null,
      part,
    },
  ]
}

/** An axis is titled by its `label`, either a text or an object with a `value`, or by a `Label` inside it. */
export function titleOf(axis: ChartElement | undefined): string | null {
  if (!axis) return null
  const { label } = axis.props
  if (typeof label === 'string') return label
  if (typeof label === 'object' && label !== null && !Array.isArray(label)) {
    return typeof label['value'] === 'string' ? label['value'] : null
  }
  const inner = axis.children.find(({ name }) => name === 'Label')
  return inner ? (textProp(inner, 'value') ?? null) : null
}
