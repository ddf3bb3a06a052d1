import { axisIdOf, type ChartElement, textProp } from '../chart-element.ts'
import { findSettings } from '../column-settings.ts'
import { axisFormatter } from '../format.ts'
import type { Category } from '../prepare/prepared-chart.ts'
import { titleOf } from '../shape.ts'
import { type DrawContext, type Option, shortLabel, softText } from './draw-context.ts'

const axisName = (context: DrawContext, side: 'below' | 'beside', part: ChartElement | undefined): Option => {
  const title = titleOf(part)
  if (title === null) return {}
  const { fontSize } = context.theme
  return {
    name: title,
    nameLocation: 'middle',
    nameGap: side === 'below' ? fontSize * 2.2 : fontSize * 3.6,
    nameTextStyle: softText(context.theme),
  }
}

const lines = ({ theme, prepared }: DrawContext, { isGrid }: { isGrid: boolean }): Option => {
  const grid = prepared.element.children.find(({ name }) => name === 'CartesianGrid')
  const dash = grid && textProp(grid, 'strokeDasharray') !== undefined
  return { splitLine: { show: isGrid, lineStyle: { color: theme.line, type: dash ? 'dashed' : 'solid' } } }
}

/** Which grid lines a chart has: those across the x axis are vertical. */
function gridOf({ prepared }: DrawContext): { vertical: boolean; horizontal: boolean } {
  const grid = prepared.element.children.find(({ name }) => name === 'CartesianGrid')
  return { vertical: grid !== undefined && grid.props['vertical'] !== false, horizontal: grid !== undefined && grid.props['horizontal'] !== false }
}

export function categoryAxis(context: DrawContext, category: Category, options: { name: 'XAxis' | 'YAxis'; hasGap: boolean; hasPointer?: boolean }): Option {
  const { theme, prepared } = context
  const part = prepared.element.children.find(({ name }) => name === options.name)
  const isVertical = options.name === 'YAxis'
  const grid = gridOf(context)
  const isReversed = part?.props['reversed'] === true
  const base: Option = {
    show: part?.props['hide'] !== true,
    // Names down a side are read from the top.
    inverse: isVertical ? !isReversed : isReversed,
    axisLine: { show: true, lineStyle: { color: theme.lineStrong } },
    axisTick: { show: false },
    ...lines(context, { isGrid: isVertical ? grid.horizontal : grid.vertical }),
    ...axisName(context, isVertical ? 'beside' : 'below', part),
    ...(options.hasPointer && {
      axisPointer: {
        show: true,
        type: options.hasGap ? 'shadow' : 'line',
        triggerTooltip: false,
        label: { show: false },
        lineStyle: { color: theme.lineStrong },
        shadowStyle: { color: theme.soft, opacity: 0.12 },
      },
    }),
  }
  if (category.positions) {
    return {
      ...base,
      inverse: isReversed,
      type: category.isTime ? 'time' : 'value',
      ...(category.isTime && { min: 'dataMin', max: 'dataMax' }),
      ...limitsOf(part),
      axisLabel: { ...softText(theme), hideOverlap: true, formatter: (value: number) => category.labelOf(value) },
    }
  }
  return {
    ...base,
    type: 'category',
    // Labels are made for the places that show one.
    data: Array.from({ length: category.count }, (_, index) => index),
    boundaryGap: options.hasGap || category.count === 1,
    axisLabel: {
      ...softText(theme),
      hideOverlap: true,
      ...(isVertical && { interval: category.count > 60 ? 'auto' : 0 }),
      formatter: (_: unknown, index: number) => shortLabel(clean(category.labelAt(index))),
    },
  }
}

/** The axis of values, formatted as the columns that are drawn on it. */
export function valueAxis(context: DrawContext, part: ChartElement | undefined, options: { id: string; isHorizontal: boolean }): Option {
  const { theme, prepared, columns, locale } = context
  const own = prepared.series.filter(({ axisId }) => axisId === options.id)
  const grid = gridOf(context)
  const isFirst = options.id === firstAxisId(prepared.element, options.isHorizontal)
  const isShare = own.some((each) => each.isShare)
  const first = own[0]
  const format = first && axisFormatter(first.field, findSettings(columns, first.field.name), locale)
  const unit = part ? (textProp(part, 'unit') ?? '') : ''
  const percent = new Intl.NumberFormat(locale, { style: 'percent' })
  return {
    type: part?.props['scale'] === 'log' ? 'log' : 'value',
    show: part?.props['hide'] !== true,
    inverse: part?.props['reversed'] === true,
    ...(part?.props['orientation'] === 'right' && { position: 'right' }),
    ...(part?.props['orientation'] === 'top' && { position: 'top' }),
    ...(isShare && { max: 1 }),
    ...limitsOf(part),
    axisLine: { show: false },
    axisTick: { show: false },
    ...lines(context, { isGrid: isFirst && (options.isHorizontal ? grid.vertical : grid.horizontal) }),
    ...axisName(context, options.isHorizontal ? 'below' : 'beside', part),
    axisLabel: {
      ...softText(theme),
      hideOverlap: true,
      formatter: (value: number) => (isShare ? percent.format(value) : `${format?.(value) ?? value}${unit}`),
    },
  }
}

/** The ids of the value axes, in their order. Without an axis in the chart there is one. */
export function valueAxes({ children }: ChartElement, isHorizontal: boolean): { id: string; part: ChartElement | undefined }[] {
  const [name, idProp] = isHorizontal ? (['XAxis', 'xAxisId'] as const) : (['YAxis', 'yAxisId'] as const)
  const parts = children.filter((part) => part.name === name)
  return parts.length === 0 ? [{ id: '0', part: undefined }] : parts.map((part) => ({ id: axisIdOf(part.props[idProp]), part }))
}

const firstAxisId = (element: ChartElement, isHorizontal: boolean) => valueAxes(element, isHorizontal)[0]!.id

/** `domain={[0, 100]}`. `auto` leaves the choice to the drawing; between two of them the axis need not include zero. */
function limitsOf(part: ChartElement | undefined): Option {
  const domain = part?.props['domain']
  if (!Array.isArray(domain) || domain.length !== 2) return {}
  const [min, max] = domain.map(limitOf)
  return {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(domain[0] === 'auto' && { scale: true }),
  }
}

const limitOf = (value: unknown) => (typeof value === 'number' || value === 'dataMin' || value === 'dataMax' ? value : undefined)

/** Characters that images cannot contain. */
export const clean = (text: string) => text.replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' ')
