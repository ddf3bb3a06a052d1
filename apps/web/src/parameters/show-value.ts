import type { ParameterDefinition } from '../api/references.ts'
import type { ParameterValues } from '../api/runs.ts'
import { describeRange } from './describe-range.ts'
import type { Value } from './values.ts'

/** A value of a run as text. */
export function showValue(value: ParameterValues[string]): string {
  return Array.isArray(value) ? value.map(String).join(', ') : String(value)
}

const shownElements = 3

/** An entered value as short text, with the labels of its options: “Germany, France, Italy + 2”. */
export function summarizeValue({ type, options }: Pick<ParameterDefinition, 'type' | 'options'>, value: Value): string {
  if (type === 'dateRange') return describeRange(String(value))
  const labels = [value].flat().map((element) => options?.values?.find((option) => option.value === element)?.label ?? element)
  const more = labels.length - shownElements
  return labels.slice(0, shownElements).join(', ') + (more > 0 ? ` + ${more}` : '')
}
