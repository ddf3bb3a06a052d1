import { useQuery } from '@tanstack/react-query'
import { optionsOfReference, type OptionsSource } from '../api/options.ts'
import type { ParameterDefinition } from '../api/references.ts'
import { messageOf } from '../api/request.ts'
import { useDebounced } from '../ui/use-debounced.ts'
import { isBlank, type Values } from './values.ts'

export interface Option {
  value: string
  label: string
}

export interface Options {
  options: Option[]
  /** Whether these are all that match the search. */
  isComplete: boolean
  isLoading: boolean
  /** Why there are no options. */
  problem: string | undefined
  /** When the result with the options was made; undefined if they are part of the definition. */
  completedAt: string | undefined
}

const none: Options = { options: [], isComplete: true, isLoading: false, problem: undefined, completedAt: undefined }
const searchAfterMs = 250

/** The options of a parameter that match a search: those of its definition, or those in the result of a reference. */
export function useOptions(definition: Pick<ParameterDefinition, 'options'>, values: Values, search: string): Options {
  const source = sourceOf(definition, values, useDebounced(search, searchAfterMs))
  // A disabled query still needs a key.
  const query = useQuery({ ...optionsOfReference(source ?? noSource), enabled: source !== undefined })
  const fixed = definition.options?.values
  if (fixed) return { ...none, options: matching(fixed.map(({ value, label = value }) => ({ value, label: label || value })), search) }
  if (!source) return none
  if (query.error) return { ...none, problem: messageOf(query.error) }
  const { data } = query
  if (!data || data.status === 'running' || data.status === 'missing') return { ...none, isLoading: true }
  if (data.status === 'failed') return { ...none, problem: data.failureReason ?? 'The query of the options failed.' }
  return { ...none, options: data.options, isComplete: data.isComplete, completedAt: data.completedAt ?? undefined }
}

const noSource: OptionsSource = { referenceShortId: '', valueColumn: '', search: '', values: {} }

function sourceOf({ options }: Pick<ParameterDefinition, 'options'>, values: Values, search: string): OptionsSource | undefined {
  if (!options?.referenceShortId || !options.valueColumn) return undefined
  const { referenceShortId, valueColumn, labelColumn, dependsOn = [] } = options
  // A parameter without a value does not narrow the options.
  const given = dependsOn.flatMap((name) => (isBlank(values[name] ?? '') ? [] : [[name, values[name]!] as const]))
  return { referenceShortId, valueColumn, labelColumn, search, values: Object.fromEntries(given) }
}

/** The options whose label or value contains the text, in any case. */
export function matching(options: Option[], search: string): Option[] {
  const wanted = search.trim().toLowerCase()
  return wanted === '' ? options : options.filter(({ value, label }) => [value, label].some((text) => text.toLowerCase().includes(wanted)))
}
