import { type ChartElement, type ChartProps, element } from './chart-element.ts'
import { readShape, type SeriesKind } from './shape.ts'

export interface SeriesChoice {
  key: string
  name?: string | undefined
  color?: string | undefined
}

export interface ChartChoice {
  kind: SeriesKind
  categoryKey: string | null
  series: SeriesChoice[]
  isHorizontal?: boolean
  hasLegend?: boolean
}

export const partNames = {
  line: 'Line', bar: 'Bar', area: 'Area', scatter: 'Scatter', pie: 'Pie',
  heatmap: 'Heatmap', funnel: 'Funnel', histogram: 'Histogram', map: 'Map',
} as const

/** A chart with the usual parts. */
export function makeChart(choice: ChartChoice): ChartElement {
  const { kind } = choice
  if (kind === 'pie') return makePie(choice)
  if (kind === 'scatter') return makeScatter(choice)
  return kind === 'line' || kind === 'bar' || kind === 'area' ? makeCartesian(kind, choice) : makeSingle(kind, choice)
}

const singleNames = { heatmap: 'HeatmapChart', funnel: 'FunnelChart', histogram: 'HistogramChart', map: 'MapChart' } as const

function makeSingle(kind: keyof typeof singleNames, { categoryKey, series }: ChartChoice): ChartElement {
  const hasNames = kind === 'funnel' || kind === 'map'
  const axes = kind === 'heatmap' ? [element('XAxis', named(categoryKey, 'dataKey')), element('YAxis')] : []
  const parts = series.slice(0, 1).map(({ key }) => element(partNames[kind], { dataKey: key, ...(hasNames && named(categoryKey, 'nameKey')) }))
  return element(singleNames[kind], {}, [...axes, element('Tooltip'), ...parts])
}

/** The same columns, drawn as another type. */
export function changeKind(chart: ChartElement, kind: SeriesKind): ChartElement {
  const shape = readShape(chart)
  const { categoryKey, hasLegend } = shape
  const series = shape.series.flatMap(({ key, name, color }) =>
    key === null ? [] : [{ key, ...(name !== key && { name }), ...(color !== null && { color }) }],
  )
  // Types with a single series always, or never, have a legend.
  const wasSingle = shape.kind === 'pie' || shape.kind === 'scatter'
  return makeChart({ kind, categoryKey, series, ...(!wasSingle && { hasLegend }) })
}

export function seriesProps(kind: SeriesKind, { key, name, color }: SeriesChoice): ChartProps {
  return {
    ...(kind !== 'scatter' && { dataKey: key }),
    ...(name !== undefined && name !== '' && { name }),
    ...((kind === 'line' || kind === 'area') && { type: 'monotone' }),
    ...colorProps(kind, color),
  }
}

export function colorProps(kind: SeriesKind, color: string | undefined): ChartProps {
  if (color === undefined) return {}
  return { ...(kind !== 'bar' && kind !== 'scatter' && { stroke: color }), ...(kind !== 'line' && { fill: color }) }
}

const legendOf = ({ series, hasLegend = series.length > 1 }: ChartChoice) => (hasLegend ? [element('Legend')] : [])
const named = (key: string | null, prop: string): ChartProps => (key === null ? {} : { [prop]: key })

function makePie({ categoryKey, series }: ChartChoice): ChartElement {
  const rings = series.slice(0, 1).map(({ key }) => element('Pie', { dataKey: key, ...named(categoryKey, 'nameKey') }))
  return element('PieChart', {}, [element('Tooltip'), element('Legend'), ...rings])
}

function makeScatter(choice: ChartChoice): ChartElement {
  const [first] = choice.series
  return element('ScatterChart', {}, [
    element('CartesianGrid'),
    element('XAxis', { type: 'number', ...named(choice.categoryKey, 'dataKey') }),
    element('YAxis', { type: 'number', ...named(first?.key ?? null, 'dataKey') }),
    element('Tooltip'),
    ...legendOf(choice),
    element('Scatter', seriesProps('scatter', { key: '', ...first })),
  ])
}

const cartesianNames = { line: 'LineChart', bar: 'BarChart', area: 'AreaChart' } as const

function makeCartesian(kind: keyof typeof cartesianNames, choice: ChartChoice): ChartElement {
  const category = named(choice.categoryKey, 'dataKey')
  const isHorizontal = kind === 'bar' && choice.isHorizontal === true
  const axes = isHorizontal
    ? [element('XAxis', { type: 'number' }), element('YAxis', { type: 'category', ...category })]
    : [element('XAxis', category), element('YAxis')]
  return element(cartesianNames[kind], isHorizontal ? { layout: 'vertical' } : {}, [
    element('CartesianGrid', isHorizontal ? { horizontal: false } : { vertical: false }),
    ...axes,
    element('Tooltip'),
    ...legendOf(choice),
    ...choice.series.map((each) => element(partNames[kind], seriesProps(kind, each))),
  ])
}
