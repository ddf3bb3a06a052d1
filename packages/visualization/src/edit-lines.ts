import { type ChartElement, type ChartValue, element, textProp } from './chart-element.ts'
import { isHorizontal, isNamed, mapParts, withProp } from './edit-parts.ts'
import { titleOf } from './shape.ts'

/** A line across the chart with a text: at a value (a target), or at a category (something that happened on a day). */
export interface ChartLine {
  on: 'value' | 'category'
  at: string | number
  label: string
  /** As given in the chart; otherwise the drawing code chooses. */
  color: string | null
}

/** The lines that a form can edit, in their order. Lines given by their ends (`segment`) are left alone. */
export function readLines(chart: ChartElement): ChartLine[] {
  const [valueProp, categoryProp] = axisProps(chart)
  return chart.children.filter(isLine).map((part) => {
    const value = part.props[valueProp]
    const on = value === undefined ? 'category' : 'value'
    const at = value ?? part.props[categoryProp]
    return {
      on,
      at: typeof at === 'number' || typeof at === 'string' ? at : '',
      label: titleOf(part) ?? '',
      color: textProp(part, 'stroke') ?? null,
    }
  })
}

const isLine = (part: ChartElement) =>
  part.name === 'ReferenceLine' && (part.props['x'] !== undefined || part.props['y'] !== undefined)

const axisProps = (chart: ChartElement) => (isHorizontal(chart) ? (['x', 'y'] as const) : (['y', 'x'] as const))

/** Lines are drawn above the series. */
export function addLine(chart: ChartElement, { on, at, label, color }: ChartLine): ChartElement {
  const [valueProp, categoryProp] = axisProps(chart)
  const props = {
    [on === 'value' ? valueProp : categoryProp]: at,
    ...(label !== '' && { label }),
    ...(color !== null && { stroke: color }),
  }
  return { ...chart, children: [...chart.children, element('ReferenceLine', props)] }
}

export type LineChange = Partial<Omit<ChartLine, 'on'>>

/** An empty text or color removes the given one. */
export function editLine(chart: ChartElement, place: number, change: LineChange): ChartElement {
  return mapParts(chart, isLine, (part, each) => [each === place ? changed(part, change, axisProps(chart)[0]) : part])
}

function changed(part: ChartElement, { at, label, color }: LineChange, valueProp: 'x' | 'y'): ChartElement {
  const otherProp = valueProp === 'x' ? 'y' : 'x'
  let result = part
  if (at !== undefined) result = withProp(result, part.props[valueProp] === undefined ? otherProp : valueProp, at)
  if (label !== undefined) result = withLabel(result, label)
  return color === undefined ? result : withProp(result, 'stroke', color === '' ? null : color)
}

/** A label with settings of its own (`label={{ value, position }}`) keeps them. */
function withLabel(part: ChartElement, label: string): ChartElement {
  const children = part.children.filter((child) => !isNamed('Label')(child))
  const old: ChartValue | undefined = part.props['label']
  const isObject = typeof old === 'object' && old !== null && !Array.isArray(old)
  const value = isObject ? { ...old, value: label } : label
  return withProp({ ...part, children }, 'label', label === '' ? null : value)
}

export function removeLine(chart: ChartElement, place: number): ChartElement {
  return mapParts(chart, isLine, (part, each) => (each === place ? [] : [part]))
}
