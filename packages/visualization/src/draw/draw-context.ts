import type { ChartElement, ChartValue } from '../chart-element.ts'
import type { ColumnSettings } from '../column-settings.ts'
import type { DrawnSeries, PreparedChart } from '../prepare/prepared-chart.ts'
import type { MarginConfig } from '../visualization.ts'
import { type ChartTheme, givenColor } from './theme.ts'

/** What a drawing needs besides the prepared chart. */
export interface DrawOptions {
  theme: ChartTheme
  marginConfig: MarginConfig
  columns?: readonly ColumnSettings[] | undefined
  locale?: string
  /** Whether the legend is part of the drawing; a page shows its own, which can be used by keyboard. */
  hasDrawnLegend: boolean
}

export interface DrawContext extends DrawOptions {
  prepared: PreparedChart
  /** The color of each series. */
  colors: string[]
}

/** Part of an ECharts option: plain data and our own functions. Nothing in it comes unchecked from a chart's text. */
export type Option = Record<string, unknown>

export function seriesColors(series: readonly DrawnSeries[], theme: ChartTheme): string[] {
  let place = -1
  let latest = theme.palette[0]!
  return series.map(({ color, derivedFrom }) => {
    if (derivedFrom !== null) return latest
    place++
    latest = givenColor(theme, color) ?? theme.palette[place % theme.palette.length]!
    return latest
  })
}

export const numberProp = ({ props }: ChartElement, name: string): number | undefined => {
  const value = props[name]
  if (typeof value === 'string' && /^\d{1,4}$/.test(value)) return Number(value)
  return typeof value === 'number' ? value : undefined
}

export const objectOf = (value: ChartValue | undefined): { [key: string]: ChartValue } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

/** The dashes of a line: `strokeDasharray="4 4"`. */
export function dashOf({ props }: ChartElement): number[] | undefined {
  const given = props['strokeDasharray']
  const lengths = typeof given === 'string' ? given.split(/[\s,]+/).map(Number) : typeof given === 'number' ? [given] : []
  return lengths.length > 0 && lengths.every((length) => Number.isFinite(length) && length >= 0) ? lengths.slice(0, 10) : undefined
}

export const textStyle = ({ ink, fontFamily, fontSize }: ChartTheme) => ({ color: ink, fontFamily, fontSize })
export const softText = ({ soft, fontFamily, fontSize }: ChartTheme) => ({ color: soft, fontFamily, fontSize })

/** Long names would leave no room for the chart. */
const maxLabelLength = 28
export const shortLabel = (label: string) => (label.length <= maxLabelLength ? label : `${label.slice(0, maxLabelLength - 1)}…`)
