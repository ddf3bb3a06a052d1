import { type ChartElement, element, textProp } from './chart-element.ts'
import { isNamed, isSeries, withoutParts } from './edit-parts.ts'

/** The columns that group a pivot table: one group of rows or columns inside the other, in their order. */
export type PivotGroups = 'PivotRow' | 'PivotColumn'

export function readGroups(chart: ChartElement, name: PivotGroups): string[] {
  return chart.children.filter(isNamed(name)).flatMap((part) => textProp(part, 'dataKey') ?? [])
}

/** Groups that were there before keep their settings. */
export function setGroups(chart: ChartElement, name: PivotGroups, keys: readonly string[]): ChartElement {
  const known = new Map(chart.children.filter(isNamed(name)).map((part) => [textProp(part, 'dataKey'), part]))
  const groups = keys.map((key) => known.get(key) ?? element(name, { dataKey: key }))
  const { children } = withoutParts(chart, isNamed(name))
  const lastRow = children.findLastIndex(isNamed('PivotRow'))
  const firstOther = children.findIndex((part) => isSeries(part) || part.name === 'PivotColumn')
  const place = name === 'PivotColumn' ? lastRow + 1 : firstOther === -1 ? children.length : firstOther
  return { ...chart, children: children.toSpliced(place, 0, ...groups) }
}
