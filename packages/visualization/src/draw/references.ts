import { axisIdOf, type ChartElement, textProp } from '../chart-element.ts'
import { clean, valueAxes } from './axes.ts'
import { dashOf, type DrawContext, numberProp, objectOf, type Option, softText } from './draw-context.ts'
import { givenColor } from './theme.ts'

/** Lines, areas and points that mark something: a target, a date, a range. They belong to a series without data of its own. */
export function referenceSeries(context: DrawContext): Option[] {
  const { children } = context.prepared.element
  return children.flatMap((part) => markOf(context, part)).map(seriesOf)
}

const seriesOf = (mark: Option): Option => ({ type: 'line', name: '', data: [], silent: true, z: 5, animation: false, ...mark })

function markOf(context: DrawContext, part: ChartElement): Option[] {
  const { theme, prepared } = context
  const { isHorizontal } = prepared.shape
  const color = givenColor(theme, textProp(part, 'stroke')) ?? theme.soft
  const label = { ...softText(theme), show: labelOf(part) !== '', formatter: clean(labelOf(part)) }
  const axis = axisOf(context, part)
  const at = (axisName: 'x' | 'y', prop: string): Option | null => {
    const value = part.props[prop]
    if (value === undefined || value === null) return null
    const isCategory = (axisName === 'x') !== isHorizontal
    const place = isCategory ? prepared.category?.placeOf(value) : typeof value === 'number' ? value : null
    return place === null || place === undefined ? null : { [`${axisName}Axis`]: place }
  }
  if (part.name === 'ReferenceLine') {
    const place = at('y', 'y') ?? at('x', 'x')
    if (!place) return []
    const lineStyle = { color, type: dashOf(part) ?? [4, 4], width: (numberProp(part, 'strokeWidth') ?? 1.5) * theme.zoom }
    const position = 'yAxis' in place ? 'insideEndTop' : 'end'
    return [{ ...axis, markLine: { symbol: 'none', silent: true, animation: false, lineStyle, label: { ...label, position, rotate: 0 }, data: [place] } }]
  }
  if (part.name === 'ReferenceArea') {
    const corner = (suffix: '1' | '2') => ({ ...at('x', `x${suffix}`), ...at('y', `y${suffix}`) })
    const [from, to] = [corner('1'), corner('2')]
    if (Object.keys(from).length === 0 && Object.keys(to).length === 0) return []
    const itemStyle = { color: givenColor(theme, textProp(part, 'fill')) ?? theme.soft, opacity: numberProp(part, 'fillOpacity') ?? 0.12 }
    return [{ ...axis, markArea: { silent: true, animation: false, itemStyle, label: { ...label, position: 'insideTop' }, data: [[from, to]] } }]
  }
  if (part.name !== 'ReferenceDot') return []
  const [x, y] = [at('x', 'x'), at('y', 'y')]
  if (!x || !y) return []
  const fill = givenColor(theme, textProp(part, 'fill')) ?? theme.soft
  const size = (numberProp(part, 'r') ?? 4) * 2 * theme.zoom
  const data = [{ coord: [x['xAxis'], y['yAxis']] }]
  return [{ ...axis, markPoint: { silent: true, animation: false, symbol: 'circle', symbolSize: size, itemStyle: { color: fill }, label: { ...label, position: 'top' }, data } }]
}

function axisOf({ prepared }: DrawContext, part: ChartElement): Option {
  const { isHorizontal } = prepared.shape
  const id = axisIdOf(part.props[isHorizontal ? 'xAxisId' : 'yAxisId'])
  const place = valueAxes(prepared.element, isHorizontal).findIndex((axis) => axis.id === id)
  return { [isHorizontal ? 'xAxisIndex' : 'yAxisIndex']: Math.max(0, place) }
}

function labelOf(part: ChartElement): string {
  const { label } = part.props
  if (typeof label === 'string' || typeof label === 'number') return String(label)
  const { value } = objectOf(label)
  if (typeof value === 'string') return value
  const inner = part.children.find(({ name }) => name === 'Label')
  return inner ? (textProp(inner, 'value') ?? '') : ''
}
