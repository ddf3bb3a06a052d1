import type { ParameterValues } from '../../../model/parameter.ts'

export interface ChangedParameter {
  name: string
  /** Null if there was none. */
  before: ParameterValues[string] | null
  after: ParameterValues[string] | null
}

/** Equal for equal values, whatever their order. */
export const parametersText = (values: ParameterValues): string =>
  JSON.stringify(Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1)))

export function changedParameters(before: ParameterValues, after: ParameterValues): ChangedParameter[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  return names.flatMap((name) => {
    const [one, other] = [before[name] ?? null, after[name] ?? null]
    return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ name, before: one, after: other }]
  })
}
