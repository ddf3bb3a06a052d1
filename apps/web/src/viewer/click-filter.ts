import type { SharedParameter, SharedTile } from '../api/generated/schemas.ts'
import { describeRange } from '../parameters/describe-range.ts'
import { type ActiveFilter, type MarkedRow, valueAt } from '../pages/boards/content/cross-filter.ts'
import type { ViewerValues } from './viewer-client.ts'

/**
 * The values after a click on a mark. A second click on the same category removes the filter again. Undefined if the mark has no value,
 * or one that viewers may not choose.
 */
export function withClick(options: {
  parameters: readonly SharedParameter[]
  values: ViewerValues
  filters: NonNullable<SharedTile['filters']>
  mark: MarkedRow
}): ViewerValues | undefined {
  const { parameters, values, filters, mark } = options
  const parameter = parameters.find(({ name }) => name === filters.parameter)
  const text = valueAt(mark, filters.column)
  if (!parameter || text === undefined) return undefined
  const { name, choices, isList } = parameter
  const value = choices ? choices.find((choice) => String(choice.value) === text)?.value : text
  if (value === undefined) return undefined
  const { [name]: current, ...others } = values
  const isSet = current !== undefined && String([current].flat()) === text
  return isSet ? others : { ...others, [name]: isList ? [value] : value }
}

/** Parameters that a click can set and that no longer have their initial value. */
export function clickedFilters(
  tiles: readonly Pick<SharedTile, 'filters'>[],
  parameters: readonly SharedParameter[],
  values: ViewerValues,
): ActiveFilter[] {
  const settable = new Set(tiles.flatMap(({ filters }) => filters?.parameter ?? []))
  return parameters.flatMap(({ name, displayName, type, value: initial, choices }) => {
    const value = values[name]
    if (!settable.has(name) || value === undefined || String(value) === String(initial)) return []
    const labels = [value].flat().map((each) => choices?.find((choice) => choice.value === each)?.label ?? String(each))
    const text = labels.map((label) => (type === 'dateRange' ? describeRange(label) : label)).join(', ')
    return [{ parameter: name, text: `${displayName || name}: ${text}` }]
  })
}

/** The values without those that the viewer may no longer change. The same object if there are none. */
export function stillChangeable(values: ViewerValues, parameters: readonly SharedParameter[]): ViewerValues {
  const names = new Set(parameters.map(({ name }) => name))
  const entries = Object.entries(values)
  const kept = entries.filter(([name]) => names.has(name))
  return kept.length === entries.length ? values : Object.fromEntries(kept)
}
