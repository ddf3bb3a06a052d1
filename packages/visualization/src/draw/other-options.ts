import { textProp } from '../chart-element.ts'
import { findSettings } from '../column-settings.ts'
import { worldMapName } from '../countries/world-map-name.ts'
import { axisFormatter } from '../format.ts'
import type { DrawnSeries } from '../prepare/prepared-chart.ts'
import { categoryAxis, clean, valueAxis, valueAxes } from './axes.ts'
import { labelsOf } from './cartesian-option.ts'
import { type DrawContext, numberProp, type Option, shortLabel, softText, textStyle } from './draw-context.ts'
import { referenceSeries } from './references.ts'
import { givenColor } from './theme.ts'

const smallestPoint = 8
const largestPoint = 40

export function scatterOption(context: DrawContext): Option {
  const { prepared, theme, colors } = context
  const category = prepared.category!
  const sizes = prepared.series.flatMap(({ places }) => places?.sizes ?? []).filter((size) => size !== null)
  const largest = sizes.reduce((most, size) => Math.max(most, Math.abs(size)), 0)
  // The area of a point stands for its value.
  const sizeOf = (size: number | null | undefined) =>
    largest === 0 || size === null || size === undefined
      ? smallestPoint
      : Math.max(3, Math.sqrt(Math.abs(size) / largest) * largestPoint)
  const [axis] = valueAxes(prepared.element, false)
  const seriesOption = (each: DrawnSeries, at: number): Option => ({
    type: 'scatter',
    name: clean(each.name),
    symbolSize: smallestPoint * theme.zoom,
    itemStyle: { color: colors[at], opacity: numberProp(each.part, 'fillOpacity') ?? 0.7 },
    ...labelsOf(context, each, 'top'),
    data: each.values.map((value, point) => {
      const place = [each.places!.x[point], value ?? '-']
      return each.places!.sizes ? { value: place, symbolSize: sizeOf(each.places!.sizes[point]) * theme.zoom } : place
    }),
  })
  return {
    xAxis: categoryAxis(context, category, { name: 'XAxis', hasGap: true }),
    yAxis: { ...valueAxis(context, axis!.part, { id: axis!.id, isHorizontal: false }) },
    series: [...prepared.series.map(seriesOption), ...referenceSeries(context)],
  }
}

export function pieOption(context: DrawContext): Option {
  const { prepared, theme, marginConfig } = context
  const [series] = prepared.series
  const { part, values } = series!
  const radius = (name: string, otherwise: string) => {
    const given = part.props[name]
    return typeof given === 'number' ? given * theme.zoom : typeof given === 'string' && /^\d{1,3}%$/.test(given) ? given : otherwise
  }
  return {
    series: [
      {
        type: 'pie',
        name: clean(series!.name),
        top: marginConfig.top,
        bottom: marginConfig.bottom,
        radius: [radius('innerRadius', '0%'), radius('outerRadius', '72%')],
        itemStyle: { borderColor: theme.surface, borderWidth: theme.zoom },
        label: { ...textStyle(theme), show: part.props['label'] !== false, formatter: ({ name }: { name: string }) => shortLabel(name) },
        labelLine: { lineStyle: { color: theme.lineStrong } },
        data: values.map((value, at) => ({ value, name: clean(prepared.category!.labelAt(at)), itemStyle: { color: partColors(context)[at] } })),
      },
    ],
  }
}

export function funnelOption(context: DrawContext): Option {
  const { prepared, theme, marginConfig } = context
  const [series] = prepared.series
  const { labelAt } = prepared.category!
  return {
    series: [
      {
        type: 'funnel',
        name: clean(series!.name),
        sort: 'none',
        gap: 2 * theme.zoom,
        min: 0,
        minSize: '1%',
        top: marginConfig.top,
        bottom: marginConfig.bottom,
        left: '4%',
        width: '56%',
        itemStyle: { borderWidth: 0 },
        labelLine: { lineStyle: { color: theme.lineStrong } },
        label: {
          ...textStyle(theme),
          position: 'right',
          formatter: ({ dataIndex }: { dataIndex: number }) => `${shortLabel(clean(labelAt(dataIndex)))}  ${clean(series!.textAt(dataIndex))}`,
        },
        data: series!.values.map((value, at) => ({ value, name: clean(labelAt(at)), itemStyle: { color: partColors(context)[at] } })),
      },
    ],
  }
}

/** The colors of slices and steps: those of their cells, the part's own, or the palette's. */
export function partColors({ prepared, theme }: DrawContext): string[] {
  const series = prepared.series[0]!
  const own = series.kind === 'funnel' ? givenColor(theme, textProp(series.part, 'fill')) : givenColor(theme, series.color)
  return series.values.map((_, at) => givenColor(theme, series.colorAt(at)) ?? own ?? theme.palette[at % theme.palette.length]!)
}

export function heatmapOption(context: DrawContext): Option {
  const { prepared } = context
  const [series] = prepared.series
  return {
    xAxis: categoryAxis(context, prepared.category!, { name: 'XAxis', hasGap: true }),
    yAxis: categoryAxis(context, prepared.verticalCategory!, { name: 'YAxis', hasGap: true }),
    ...colorScale(context, series!),
    series: [
      {
        type: 'heatmap',
        name: clean(series!.name),
        ...labelsOf(context, series!, 'inside'),
        data: series!.values.map((value, at) => [series!.cells![at]!.x, series!.cells![at]!.y, value ?? '-']),
      },
    ],
  }
}

export function mapOption(context: DrawContext): Option {
  const { prepared, theme, marginConfig } = context
  const [series] = prepared.series
  return {
    ...colorScale(context, series!),
    series: [
      {
        type: 'map',
        map: worldMapName,
        name: clean(series!.name),
        roam: false,
        selectedMode: false,
        ...marginConfig,
        bottom: marginConfig.bottom + theme.fontSize * 2.5,
        itemStyle: { areaColor: theme.line, borderColor: theme.surface, borderWidth: 0.5 * theme.zoom },
        emphasis: { label: { show: false }, itemStyle: { areaColor: null, borderColor: theme.ink, borderWidth: theme.zoom } },
        label: { show: false },
        data: series!.values.map((value, at) => ({ name: series!.shapeIds![at], value })),
      },
    ],
  }
}

/** Which colors stand for which values, with a bar that says so. */
function colorScale({ theme, columns, locale }: DrawContext, series: DrawnSeries): Option {
  const values = series.values.filter((value) => value !== null)
  const [min, max] = [values.reduce((low, value) => Math.min(low, value), values[0] ?? 0), values.reduce((high, value) => Math.max(high, value), values[0] ?? 0)]
  const format = axisFormatter(series.field, findSettings(columns, series.field.name), locale)
  const text = (value: number) => format(value) ?? String(value)
  return {
    visualMap: {
      type: 'continuous',
      min,
      max: min === max ? min + 1 : max,
      calculable: false,
      hoverLink: false,
      orient: 'horizontal',
      left: 'center',
      bottom: 0,
      itemWidth: theme.fontSize * 0.8,
      itemHeight: 140 * theme.zoom,
      text: [text(max), text(min)],
      textStyle: softText(theme),
      inRange: { color: [...theme.scale] },
    },
  }
}
