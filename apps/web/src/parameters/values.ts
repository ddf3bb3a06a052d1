import type { ParameterDefinition } from '../api/references.ts'
import type { ParameterValues } from '../api/runs.ts'

/**
 * The values of a reference's parameters as its page holds them: text, one for each definition. They live in the address'
 * query string, so that a link leads to exactly what its sender saw; a value that is the default is left out there.
 */
export type Values = Record<string, string>

export function readValues(parameters: ParameterDefinition[], search: string): Values {
  const given = new URLSearchParams(search)
  return Object.fromEntries(parameters.map(({ name, defaultValue }) => [name, given.get(name) ?? defaultValue]))
}

/** Empty, or with its question mark. */
export function searchOf(parameters: ParameterDefinition[], values: Values): string {
  const changed = parameters.filter(({ name, defaultValue }) => values[name] !== defaultValue)
  const search = new URLSearchParams(changed.map(({ name }) => [name, values[name] ?? '']))
  return changed.length === 0 ? '' : `?${search}`
}

/** What a run is started with. A value that is not there is left out, so that the refusal says it is missing. */
export function valuesToSend(parameters: ParameterDefinition[], values: Values): ParameterValues {
  const isThere = ({ name, type, defaultValue }: ParameterDefinition) =>
    type === 'text' || defaultValue !== '' || values[name] !== ''
  return Object.fromEntries(parameters.filter(isThere).map(({ name }) => [name, values[name] ?? '']))
}

/** Whether a run had these values. A run holds only those that its SQL uses, each in one canonical form. */
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
