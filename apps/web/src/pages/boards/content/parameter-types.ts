import type { ParameterDefinition } from '../../../api/references.ts'

/** Whether a parameter of a board can give its value to a parameter of a query. Text takes any single value, a list several. */
export function canGive(given: ParameterDefinition, own: ParameterDefinition): boolean {
  if (given.isList && !own.isList) return false
  if (given.type === 'dateRange' || own.type === 'dateRange') return given.type === own.type
  return given.type === own.type || own.type === 'text'
}
