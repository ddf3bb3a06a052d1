import type { ParameterDefinition } from '../api/references.ts'
import type { ParameterValues } from '../api/runs.ts'

/**
 * Parameter values as text, one for each definition. They live in the URL's query string, so that a link opens exactly what its
 * sender saw; default values are omitted there.
 */
export type Values = Record<string, string>

export function readValues(parameters: ParameterDefinition[], search: string): Values {
  const given = new URLSearchParams(search)
  return Object.fromEntries(parameters.map(({ name, defaultValue }) => [name, given.get(name) ?? defaultValue]))
}

/** Returns the query string with its question mark, or the empty string. */
export function searchOf(parameters: ParameterDefinition[], values: Values): string {
  const changed = parameters.filter(({ name, defaultValue }) => values[name] !== defaultValue)
  const search = new URLSearchParams(changed.map(({ name }) => [name, values[name] ?? '']))
  return changed.length === 0 ? '' : `?${search}`
}

/** The values to start a run with. Missing values are omitted, so that the service reports them as missing. */
export function valuesToSend(parameters: ParameterDefinition[], values: Values): ParameterValues {
  const isThere = ({ name, type, defaultValue }: ParameterDefinition) =>
    type === 'text' || defaultValue !== '' || values[name] !== ''
  return Object.fromEntries(parameters.filter(isThere).map(({ name }) => [name, values[name] ?? '']))
}

/** Whether a run used these values. A run stores only the values its SQL uses, in canonical form. */
export function isRunWith(run: { parameterValues: ParameterValues }, parameters: ParameterDefinition[], values: Values) {
  return parameters.every(({ name, type }) => {
    const ran = run.parameterValues[name]
    return ran === undefined || comparable(type, String(ran)) === comparable(type, values[name] ?? '')
  })
}

function comparable(type: ParameterDefinition['type'], text: string): string | number {
  if (type === 'text') return text
  const trimmed = text.trim()
  if (type === 'number' && trimmed !== '') return Number(trimmed)
  if (type === 'boolean') return trimmed.toLowerCase()
  if (type === 'timestamp') return Date.parse(/Z$|[+-]\d\d(:?\d\d)?$/i.test(trimmed.slice(10)) ? trimmed : `${trimmed}Z`) || trimmed
  return trimmed
}
