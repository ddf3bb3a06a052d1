import { canonicalDateRange } from '@querypost/server/date-ranges'
import type { ParameterDefinition } from '../api/references.ts'
import type { ParameterValues } from '../api/runs.ts'

/**
 * Parameter values as text, one for each definition; those of a list as an array. They live in the URL's query string, so that a link
 * opens exactly what its sender saw; default values are omitted there. A list is repeated there, and an empty one is `name=`.
 */
export type Value = string | string[]
export type Values = Record<string, Value>

export function defaultOf({ isList, defaultValue }: Pick<ParameterDefinition, 'isList' | 'defaultValue'>): Value {
  return isList ? listOf(defaultValue) : defaultValue
}

/** The elements of a list's default, which is a JSON array. */
function listOf(defaultValue: string): string[] {
  try {
    const elements: unknown = JSON.parse(defaultValue)
    return Array.isArray(elements) ? elements.map(String) : []
  } catch {
    return []
  }
}

export function readValues(parameters: ParameterDefinition[], search: string): Values {
  const given = new URLSearchParams(search)
  return Object.fromEntries(
    parameters.map((parameter) => {
      const texts = given.getAll(parameter.name)
      if (texts.length === 0) return [parameter.name, defaultOf(parameter)]
      if (!parameter.isList) return [parameter.name, texts[0]!]
      return [parameter.name, texts.length === 1 && texts[0] === '' ? [] : texts]
    }),
  )
}

/** Returns the query string with its question mark, or the empty string. */
export function searchOf(parameters: ParameterDefinition[], values: Values): string {
  const changed = parameters.filter((parameter) => !isEqual(values[parameter.name] ?? '', defaultOf(parameter)))
  const search = new URLSearchParams(
    changed.flatMap(({ name }) => {
      const value = values[name] ?? ''
      return typeof value === 'string' ? [[name, value]] : (value.length === 0 ? [''] : value).map((element) => [name, element])
    }),
  )
  return changed.length === 0 ? '' : `?${search}`
}

/** The values to start a run with. Missing values are omitted, so that the service reports them as missing. */
export function valuesToSend(parameters: ParameterDefinition[], values: Values): ParameterValues {
  const isThere = ({ name, type, isList, defaultValue }: ParameterDefinition) =>
    (type === 'text' && !isList) || defaultValue !== '' || !isBlank(values[name] ?? '')
  return Object.fromEntries(parameters.filter(isThere).map(({ name, isList }) => [name, values[name] ?? (isList ? [] : '')]))
}

/** Whether nothing was entered or chosen. */
export const isBlank = (value: Value) => (typeof value === 'string' ? value === '' : value.length === 0)

/** Whether the value is chosen rather than typed, so that each change is a complete value. */
export const isChosen = ({ type, isList, options }: ParameterDefinition) =>
  type === 'dateRange' || type === 'boolean' || isList === true || options !== undefined

/** Whether a run used these values. A run stores only the values its SQL uses, in canonical form. The order of a list doesn't matter. */
export function isRunWith(run: { parameterValues: ParameterValues }, parameters: ParameterDefinition[], values: Values) {
  return parameters.every(({ name, type }) => {
    const ran = run.parameterValues[name]
    if (ran === undefined) return true
    const value = values[name] ?? ''
    if (!Array.isArray(ran)) return typeof value === 'string' && comparable(type, String(ran)) === comparable(type, value)
    const elements = (list: (string | number | boolean)[]) => new Set(list.map((element) => comparable(type, String(element))))
    const [before, now] = [elements(ran), elements([value].flat())]
    return before.size === now.size && [...now].every((element) => before.has(element))
  })
}

function comparable(type: ParameterDefinition['type'], text: string): string | number {
  if (type === 'text') return text
  const trimmed = text.trim()
  if (type === 'number' && trimmed !== '') return Number(trimmed)
  if (type === 'boolean') return trimmed.toLowerCase()
  if (type === 'dateRange') return canonicalDateRange(trimmed) ?? trimmed
  if (type === 'timestamp') return Date.parse(/Z$|[+-]\d\d(:?\d\d)?$/i.test(trimmed.slice(10)) ? trimmed : `${trimmed}Z`) || trimmed
  return trimmed
}

const isEqual = (one: Value, other: Value) =>
  typeof one === 'string' || typeof other === 'string'
    ? one === other
    : one.length === other.length && one.every((element, at) => element === other[at])
