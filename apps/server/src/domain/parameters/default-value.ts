import type { ParameterDefinition, ParameterValue } from '../../model/parameter.ts'

/** The default as a value; undefined if there is none. The default of a list is a JSON array. */
export function defaultOf({ type, isList, defaultValue }: ParameterDefinition): ParameterValue | undefined {
  if (isList) return defaultValue === '' ? undefined : (JSON.parse(defaultValue) as ParameterValue)
  return type === 'text' || defaultValue !== '' ? defaultValue : undefined
}
