import { type ChartElement, element, everyElement, textProp } from './chart-element.ts'

/**
 * A visualization of type `number` shows one value of the first row. With an empty jsxConfig it is that of the first
 * column; otherwise that of the first part that names a column, with its `name` as the caption and its `unit`.
 */
export interface ShownNumber {
  key: string | null
  caption: string | null
  unit: string | null
}

export function readNumber(chart: ChartElement | null): ShownNumber {
  const part = chart && everyElement(chart).find((each) => textProp(each, 'dataKey') !== undefined)
  const text = (name: string) => (part ? (textProp(part, name) ?? null) : null)
  return { key: text('dataKey'), caption: text('name'), unit: text('unit') }
}

/** Null if there is nothing to configure. */
export function makeNumber({ key, caption, unit }: ShownNumber): ChartElement | null {
  if (key === null) return null
  const props = { dataKey: key, ...(caption && { name: caption }), ...(unit && { unit }) }
  return element('BarChart', {}, [element('Bar', props)])
}
