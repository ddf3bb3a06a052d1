// Uses the service's own parser, so that the form and the run agree on which braces are placeholders and which are text in a
// comment. The parser is a pure function without server dependencies.
import { findPlaceholders, findRangeNames } from '@querypost/server/placeholders'
import type { Database } from '../api/databases.ts'
import type { ParameterDefinition } from '../api/references.ts'

export interface NamedPlaceholder {
  name: string
  /** Whether the SQL uses the days of a range: `{{name.start}}` or `{{name.end}}`. */
  isRange: boolean
}

/** The placeholders, once each, in the order of their first occurrence. */
export function placeholdersIn(sql: string, dialect: Database['engine']): NamedPlaceholder[] {
  const ranges = findRangeNames(sql, dialect)
  return findPlaceholders(sql, dialect).map((name) => ({ name, isRange: ranges.has(name) }))
}

/** One definition for each placeholder: the known one, or a guess. Callers keep the definitions of removed placeholders. */
export function definitionsFor(placeholders: NamedPlaceholder[], known: ParameterDefinition[]): ParameterDefinition[] {
  return placeholders.map((placeholder) => known.find(({ name }) => name === placeholder.name) ?? guessDefinition(placeholder))
}

/** Replaces definitions of the same name and keeps the others. */
export function mergeDefinitions(known: ParameterDefinition[], changed: ParameterDefinition[]): ParameterDefinition[] {
  const names = new Set(changed.map(({ name }) => name))
  return [...known.filter(({ name }) => !names.has(name)), ...changed]
}

function guessDefinition({ name, isRange }: NamedPlaceholder): ParameterDefinition {
  const words = name.replaceAll('_', ' ').trim()
  const displayName = words === '' ? name : words[0]!.toUpperCase() + words.slice(1)
  return { name, displayName, type: isRange ? 'dateRange' : guessType(name), defaultValue: '', description: '' }
}

const guesses: [RegExp, ParameterDefinition['type']][] = [
  [/(^|_)(date|day|month|since|until)$/, 'date'],
  [/(_at|_time|^time|timestamp)$/, 'timestamp'],
  [/(^|_)(limit|count|rows|number|amount|min|max|minimum|maximum|year|days|n)$/, 'number'],
  [/^(is|has|only|with)_/, 'boolean'],
]

/** Guesses from common naming conventions; users can change the type in the parameter's settings. */
function guessType(name: string): ParameterDefinition['type'] {
  return guesses.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? 'text'
}
