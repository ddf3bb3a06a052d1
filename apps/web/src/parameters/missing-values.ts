import type { ParameterDefinition } from '../api/references.ts'
import { labelOf } from './label-of.ts'
import type { Values } from './values.ts'

/** A message for every parameter that needs a value before the query can run. Text may be empty, so it is never missing. */
export function missingValues(parameters: ParameterDefinition[], values: Values): Record<string, string> {
  const missing = parameters.filter(
    ({ name, type, defaultValue }) => type !== 'text' && (values[name] ?? defaultValue).trim() === '',
  )
  return Object.fromEntries(missing.map((parameter) => [parameter.name, `Enter a value for “${labelOf(parameter)}”.`]))
}
