import type { ParameterDefinition } from '../../../api/references.ts'
import { labelOf } from '../../../parameters/label-of.ts'
import { summarizeValue } from '../../../parameters/show-value.ts'
import { defaultOf, isBlank, type Value, type Values } from '../../../parameters/values.ts'
import type { Tile } from './board-content.ts'
import { areEqual } from './describe-changes.ts'

/** A chosen mark of a chart: the columns of the result, and a row behind the mark. */
export interface MarkedRow {
  fields: readonly { name: string }[]
  row: readonly unknown[]
}

/** The value of a column as the value of a parameter. Undefined if there is no such column, or it has no value. */
export function valueAt({ fields, row }: MarkedRow, column: string): string | undefined {
  const value = row[fields.findIndex(({ name }) => name === column)]
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** The values after a click on a mark. A second click on the same category removes the filter again. */
export function withFilter(options: {
  parameters: readonly ParameterDefinition[]
  values: Values
  filters: NonNullable<Tile['filters']>
  mark: MarkedRow
}): Values | undefined {
  const { parameters, values, filters, mark } = options
  const parameter = parameters.find(({ name }) => name === filters.parameter)
  const text = valueAt(mark, filters.column)
  if (!parameter || text === undefined) return undefined
  const value: Value = parameter.isList ? [text] : text
  const isSet = areEqual(values[parameter.name], value)
  return { ...values, [parameter.name]: isSet ? defaultOf(parameter) : value }
}

export interface ActiveFilter {
  parameter: string
  /** Such as “Country: Germany”. */
  text: string
}

/** The filters that clicks have set: parameters that a tile sets and that don't have their default value. */
export function activeFilters(tiles: readonly Tile[], parameters: readonly ParameterDefinition[], values: Values): ActiveFilter[] {
  const settable = new Set(tiles.flatMap(({ filters }) => filters?.parameter ?? []))
  return parameters.flatMap((parameter) => {
    const value = values[parameter.name] ?? defaultOf(parameter)
    if (!settable.has(parameter.name) || areEqual(value, defaultOf(parameter))) return []
    const text = isBlank(value) ? '–' : summarizeValue(parameter, value)
    return [{ parameter: parameter.name, text: `${labelOf(parameter)}: ${text}` }]
  })
}

export function withoutFilter(parameters: readonly ParameterDefinition[], values: Values, name: string): Values {
  const parameter = parameters.find((other) => other.name === name)
  return parameter ? { ...values, [name]: defaultOf(parameter) } : values
}
