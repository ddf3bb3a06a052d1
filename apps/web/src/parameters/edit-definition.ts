import type { ParameterDefinition } from '../api/references.ts'
import type { Value } from './values.ts'

type ParameterOptions = NonNullable<ParameterDefinition['options']>
export type OptionsKind = 'none' | 'values' | 'reference'

export const optionsKindOf = ({ options }: ParameterDefinition): OptionsKind =>
  options === undefined ? 'none' : options.values ? 'values' : 'reference'

/** The definition with another type. Settings that the new type does not have are removed. */
export function withType(definition: ParameterDefinition, type: ParameterDefinition['type']): ParameterDefinition {
  if (type !== 'dateRange') return { ...definition, type }
  const { isList, options: _, ...rest } = definition
  return { ...rest, type, ...(isList && { defaultValue: '' }) }
}

/** The definition as a list, or as a single value. A single default becomes the only element of the list. */
export function withList(definition: ParameterDefinition, isList: boolean): ParameterDefinition {
  const { isList: _, ...rest } = definition
  if (!isList) return { ...rest, defaultValue: '' }
  return { ...rest, isList, defaultValue: rest.defaultValue === '' ? '' : JSON.stringify([rest.defaultValue]) }
}

/** The text of a default: a JSON array for a list. An empty list has no default, so that a value must be chosen. */
export const defaultText = (value: Value) => (typeof value === 'string' ? value : value.length === 0 ? '' : JSON.stringify(value))

export function withOptionsKind(definition: ParameterDefinition, kind: OptionsKind): ParameterDefinition {
  const { options: _, ...rest } = definition
  if (kind === 'none') return rest
  return { ...rest, options: kind === 'values' ? { values: [] } : { referenceShortId: '', valueColumn: '' } }
}

/** Options as lines of text, each `value` or `value = label`. */
export const linesOf = ({ values = [] }: ParameterOptions) =>
  values.map(({ value, label }) => (label === undefined || label === '' ? value : `${value} = ${label}`)).join('\n')

export function valuesOfLines(text: string): NonNullable<ParameterOptions['values']> {
  return text.split('\n').flatMap((line) => {
    const [value = '', ...label] = line.split(' = ')
    if (line.trim() === '') return []
    return [label.length === 0 ? { value: value.trim() } : { value: value.trim(), label: label.join(' = ').trim() }]
  })
}

/** Whether a text can be a short id, so that it's worth looking up. */
export const isShortId = (text: string) => /^[A-Za-z0-9]{10}$/.test(text)

/** The short id in a permalink, or the text itself. */
export const readShortId = (text: string) => /\/q\/([^/?#]+)/.exec(text)?.[1] ?? text.trim()
