import type { ChartShape } from '../shape.ts'
import type { PreparedChart } from '../prepare/prepared-chart.ts'
import { cartesianOption } from './cartesian-option.ts'
import { clean } from './axes.ts'
import { type DrawContext, type DrawOptions, objectOf, type Option, seriesColors, textStyle } from './draw-context.ts'
import { funnelOption, heatmapOption, mapOption, partColors, pieOption, scatterOption } from './other-options.ts'

/** The ECharts option of a chart, the same for the page and for images, and what its legend says. */
export interface CompiledChart {
  option: Option
  legend: LegendEntry[]
  /** The color of a mark. */
  colorOf(series: number, point: number): string
}

export interface LegendEntry {
  name: string
  color: string
}

const compilers: Readonly<Record<Exclude<ChartShape['kind'], 'number' | 'pivot'>, (context: DrawContext) => Option>> = {
  line: cartesianOption,
  bar: cartesianOption,
  area: cartesianOption,
  composed: cartesianOption,
  histogram: cartesianOption,
  scatter: scatterOption,
  pie: pieOption,
  funnel: funnelOption,
  heatmap: heatmapOption,
  map: mapOption,
}

/** The chart must have points; one with problems has none. */
export function compileChart(prepared: PreparedChart, options: DrawOptions): CompiledChart {
  const { kind } = prepared.shape
  if (kind === 'number' || kind === 'pivot') throw new Error(`A ${kind} is not drawn as a chart.`)
  const { theme } = options
  const marginConfig = { ...options.marginConfig, ...marginOf(prepared) }
  const context: DrawContext = { ...options, marginConfig, prepared, colors: seriesColors(prepared.series, theme) }
  const legend = legendOf(context)
  const legendHeight = options.hasDrawnLegend && legend.length > 0 ? theme.fontSize * 2.2 : 0
  const hasBrush = prepared.element.children.some(({ name }) => name === 'Brush')
  const hasColorScale = kind === 'heatmap' || kind === 'map'
  const below = (hasBrush ? 40 * theme.zoom : 0) + (hasColorScale ? theme.fontSize * 2.5 : 0)
  const drawn = compilers[kind]({ ...context, marginConfig: { ...marginConfig, top: marginConfig.top + legendHeight } })
  const hasAxes = 'xAxis' in drawn
  const option: Option = {
    animation: false,
    useUTC: true,
    textStyle: textStyle(theme),
    color: [...theme.palette],
    ...(hasAxes && {
      grid: {
        top: marginConfig.top + legendHeight + theme.fontSize,
        right: marginConfig.right,
        bottom: marginConfig.bottom + below,
        left: marginConfig.left,
        outerBoundsMode: 'same',
        outerBoundsContain: 'all',
      },
      dataZoom: zoomOf(context, hasBrush),
    }),
    // A page's own legend hides series through the hidden one.
    ...(legend.length > 0 && { legend: legendHeight > 0 ? drawnLegend(context, legend) : { show: false, data: legend.map(({ name }) => name) } }),
    ...drawn,
  }
  const parts = kind === 'pie' || kind === 'funnel' ? partColors(context) : null
  return { option, legend, colorOf: (series, point) => parts?.[point] ?? context.colors[series] ?? theme.soft }
}

function marginOf({ element }: PreparedChart): Partial<DrawOptions['marginConfig']> {
  const margin = objectOf(element.props['margin'])
  return Object.fromEntries(['top', 'right', 'bottom', 'left'].flatMap((side) => (typeof margin[side] === 'number' ? [[side, margin[side]]] : [])))
}

function legendOf(context: DrawContext): LegendEntry[] {
  const { prepared, colors } = context
  const { kind, hasLegend } = prepared.shape
  if (kind === 'heatmap' || kind === 'map' || kind === 'histogram') return []
  if (kind === 'pie' || kind === 'funnel') {
    return hasLegend ? partColors(context).map((color, at) => ({ name: clean(prepared.category!.labelAt(at)), color })) : []
  }
  const isSplit = prepared.shape.series.some(({ splitKey }) => splitKey !== null)
  if (!hasLegend && !isSplit && prepared.series.length < 2) return []
  return prepared.series.map(({ name }, at) => ({ name: clean(name), color: colors[at]! }))
}

function drawnLegend({ theme, marginConfig }: DrawContext, legend: LegendEntry[]): Option {
  return {
    type: 'plain',
    top: marginConfig.top,
    left: 'left',
    height: theme.fontSize * 2,
    icon: 'roundRect',
    itemWidth: theme.fontSize,
    itemHeight: theme.fontSize,
    itemGap: theme.fontSize * 1.2,
    textStyle: textStyle(theme),
    selectedMode: false,
    data: legend.slice(0, 12).map(({ name }) => name),
    formatter: (name: string) => (name.length > 24 ? `${name.slice(0, 23)}…` : name),
  }
}

/** The page zooms by dragging; a `Brush` also shows a slider. */
function zoomOf({ prepared, theme }: DrawContext, hasBrush: boolean): Option[] {
  const axis = prepared.shape.isHorizontal ? { yAxisIndex: 0 } : { xAxisIndex: 0 }
  const inside = { type: 'inside', ...axis, zoomOnMouseWheel: false, moveOnMouseMove: false, moveOnMouseWheel: false, filterMode: 'none' }
  if (!hasBrush || prepared.shape.isHorizontal) return [inside]
  return [inside, { type: 'slider', ...axis, height: 20 * theme.zoom, bottom: 4 * theme.zoom, borderColor: theme.line, filterMode: 'none', showDetail: false }]
}
