/** A chart as plain data: one element with its parts, every prop a literal. The drawing code gives it meaning. */
export interface ChartElement {
  name: string
  props: ChartProps
  children: ChartElement[]
}

export type ChartProps = { [name: string]: ChartValue }
export type ChartValue = string | number | boolean | null | ChartValue[] | { [key: string]: ChartValue }

export function element(name: string, props: ChartProps = {}, children: ChartElement[] = []): ChartElement {
  return { name, props, children }
}

export const textProp = ({ props }: ChartElement, name: string): string | undefined => {
  const value = Object.hasOwn(props, name) ? props[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** The chart and all its parts. */
export function everyElement(root: ChartElement): ChartElement[] {
  return [root, ...root.children.flatMap(everyElement)]
}

/** The id of an axis; `0` unless given. */
export const axisIdOf = (value: ChartValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '0'
