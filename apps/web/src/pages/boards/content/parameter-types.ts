import type { ParameterDefinition } from '../../../api/references.ts'

/** Whether a parameter of a board can give its value to a parameter of a query. Text takes any single value. */
export function canGive(given: ParameterDefinition, own: ParameterDefinition): boolean {
  return given.type === own.type || own.type === 'text'
}
