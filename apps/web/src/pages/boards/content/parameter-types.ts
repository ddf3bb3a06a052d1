import type { ParameterDefinition } from '../../../api/references.ts'

/**
 * Whether a parameter of a board can give its value to a parameter of a query. Text takes any single value, and a list takes a single
 * value as its only element.
 */
export function canGive(given: ParameterDefinition, own: ParameterDefinition): boolean {
  if (given.isList && !own.isList) return false
  return given.type === own.type || (own.type === 'text' && given.type !== 'dateRange')
}
