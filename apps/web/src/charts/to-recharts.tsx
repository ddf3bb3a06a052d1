import type { ChartElement, ChartProps, ChartValue, MarginConfig, PreparedChart } from '@querypost/visualization'
import { createElement, type ReactElement } from 'react'
import { ChartTooltip } from './chart-tooltip.tsx'
import { componentOf } from './components.ts'
import { defaultsFor, type Look } from './defaults.tsx'

export interface Drawable {
  prepared: PreparedChart
  rows: unknown[][]
  marginConfig: MarginConfig
}

const seriesNames = new Set(['Line', 'Bar', 'Area', 'Scatter', 'Pie'])
/** These draw rows of their own, not those of the chart around them. */
const ownData = new Set(['Scatter', 'Pie'])

/** Turns the data that a chart is into elements of React. What the chart itself says goes before what is usual. */
export function toRecharts({ prepared, rows, marginConfig }: Drawable): ReactElement {
  const { element, points, keys, shape } = prepared
  let seriesCount = 0

  function draw(part: ChartElement, at: number): ReactElement {
    const isSeries = seriesNames.has(part.name)
    const look: Look = { place: isSeries ? seriesCount++ : at, pointCount: points.length, keys, isLying: shape.isLying }
    const children = part.name === 'Pie' ? sliceCells(part, points.length) : part.children
    return createElement(
      componentOf(part.name),
      {
        key: at,
        ...defaultsFor(part, look),
        ...coloured(part.props),
        // Beside the slices, in a colour that can be read.
        ...(part.name === 'Pie' && part.props['label'] === true && { label: { fill: 'var(--ink)' } }),
        ...(ownData.has(part.name) && { data: points }),
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

const hexColour = /^#[\da-f]{3,8}$/i

/** Colours that a chart gives are made for paper; in the dark they are lightened so that they can be told from it. */
function coloured(props: ChartProps): ChartProps {
  return Object.fromEntries(
    Object.entries(props).map(([name, value]) => {
      const isColour = (name === 'stroke' || name === 'fill') && typeof value === 'string' && hexColour.test(value)
      return [name, isColour ? `light-dark(${value}, color-mix(in oklab, ${value} 72%, white))` : value]
    }),
  )
}

const objectOf = (value: ChartValue | undefined) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

/** Slices are told apart by their colours; those that were given none get the usual ones. */
function sliceCells(pie: ChartElement, count: number): ChartElement[] {
  if ('fill' in pie.props) return pie.children
  const given = pie.children.filter(({ name }) => name === 'Cell')
  const others = pie.children.filter(({ name }) => name !== 'Cell')
  const cells = Array.from({ length: count }, (_, at) => given[at] ?? { name: 'Cell', props: {}, children: [] })
  return [...others, ...cells]
}
