import type { ChartElement, ChartProps, ChartValue, MarginConfig, PreparedChart } from '@querypost/visualization'
import { createElement, type ReactElement } from 'react'
import { ChartTooltip } from './chart-tooltip.tsx'
import { componentOf } from './components.ts'
import { defaultsFor, type ElementContext } from './defaults.tsx'

export interface Drawable {
  prepared: PreparedChart
  rows: unknown[][]
  marginConfig: MarginConfig
}

const seriesNames = new Set(['Line', 'Bar', 'Area', 'Scatter', 'Pie'])
/** Recharts draws these from their own `data` prop, not from the chart's. */
const withOwnData = new Set(['Scatter', 'Pie'])

/** Turns a parsed chart into React elements. Props of the chart override the defaults. */
export function toRecharts({ prepared, rows, marginConfig }: Drawable): ReactElement {
  const { element, points, keys, shape } = prepared
  let seriesCount = 0

  function draw(part: ChartElement, at: number): ReactElement {
    const isSeries = seriesNames.has(part.name)
    const context: ElementContext = { index: isSeries ? seriesCount++ : at, pointCount: points.length, keys, isHorizontal: shape.isHorizontal }
    const children = part.name === 'Pie' ? sliceCells(part, points.length) : part.children
    return createElement(
      componentOf(part.name),
      {
        key: at,
        ...defaultsFor(part, context),
        ...themed(part.props),
        // Labels beside the slices need a readable color.
        ...(part.name === 'Pie' && part.props['label'] === true && { label: { fill: 'var(--ink)' } }),
        ...(withOwnData.has(part.name) && { data: points }),
        ...(part.name === 'Tooltip' && {
          content: <ChartTooltip keys={keys} rows={rows} style={objectOf(part.props['contentStyle'])} />,
        }),
      },
      ...children.map(draw),
    )
  }

  const { width: _width, height: _height, margin, ...props } = element.props
  return createElement(
    componentOf(element.name),
    { ...props, data: points, margin: { ...marginConfig, ...objectOf(margin) } },
    ...element.children.map(draw),
  )
}

const hexColor = /^#[\da-f]{3,8}$/i

/** Colors in a chart are chosen for light mode; in dark mode they are lightened to stay visible. */
function themed(props: ChartProps): ChartProps {
  return Object.fromEntries(
    Object.entries(props).map(([name, value]) => {
      const isColor = (name === 'stroke' || name === 'fill') && typeof value === 'string' && hexColor.test(value)
      return [name, isColor ? `light-dark(${value}, color-mix(in oklab, ${value} 72%, white))` : value]
    }),
  )
}

const objectOf = (value: ChartValue | undefined) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

/** Slices without a color of their own get the default series colors. */
function sliceCells(pie: ChartElement, count: number): ChartElement[] {
  if ('fill' in pie.props) return pie.children
  const given = pie.children.filter(({ name }) => name === 'Cell')
  const others = pie.children.filter(({ name }) => name !== 'Cell')
  const cells = Array.from({ length: count }, (_, at) => given[at] ?? { name: 'Cell', props: {}, children: [] })
  return [...others, ...cells]
}
