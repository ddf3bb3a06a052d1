import type { ParameterDefinition } from '../api/references.ts'
import { labelOf } from './label-of.ts'
import { defaultOf, type Values } from './values.ts'

/**
 * A message for every parameter that needs a value before the query can run. Text may be empty, so it is never missing. A list may be
 * empty only if it has a default.
 */
export function missingValues(parameters: ParameterDefinition[], values: Values): Record<string, string> {
  const missing = parameters.filter((parameter) => {
    const value = values[parameter.name] ?? defaultOf(parameter)
    if (parameter.isList) return value.length === 0 && parameter.defaultValue === ''
    return parameter.type !== 'text' && String(value).trim() === ''
  })
  return Object.fromEntries(
    missing.map((parameter) => [
      parameter.name,
      parameter.isList || parameter.type === 'dateRange'
        ? `Choose a value for “${labelOf(parameter)}”.`
        : `Enter a value for “${labelOf(parameter)}”.`,
    ]),
  )
}
