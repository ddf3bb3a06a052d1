// The service's own reading of the SQL, so that the form and the run never disagree about what is a placeholder and what is
// text in a comment or a string. It is a pure function without imports of its own beyond its rules.
import { findPlaceholders } from '@querypost/server/placeholders'
import type { Database } from '../api/databases.ts'
import type { ParameterDefinition } from '../api/references.ts'

/** The names in braces, in the order in which they first occur. */
export function placeholdersIn(sql: string, dialect: Database['engine']): string[] {
  return findPlaceholders(sql, dialect)
}

/** One definition for each placeholder: the known one, or a first guess. What is known of others is not lost by the caller. */
export function definitionsFor(names: string[], known: ParameterDefinition[]): ParameterDefinition[] {
  return names.map((name) => known.find((definition) => definition.name === name) ?? guessDefinition(name))
}

/** The new definitions in place of the old ones of the same name, and the others as they were. */
export function mergeDefinitions(known: ParameterDefinition[], changed: ParameterDefinition[]): ParameterDefinition[] {
  const names = new Set(changed.map(({ name }) => name))
  return [...known.filter(({ name }) => !names.has(name)), ...changed]
}

function guessDefinition(name: string): ParameterDefinition {
  const words = name.replaceAll('_', ' ').trim()
  const displayName = words === '' ? name : words[0]!.toUpperCase() + words.slice(1)
  return { name, displayName, type: guessType(name), defaultValue: '', description: '' }
}

const guesses: [RegExp, ParameterDefinition['type']][] = [
  [/(^|_)(date|day|month|since|until)$/, 'date'],
  [/(_at|_time|^time|timestamp)$/, 'timestamp'],
  [/(^|_)(limit|count|rows|number|amount|min|max|minimum|maximum|year|days|n)$/, 'number'],
  [/^(is|has|only|with)_/, 'boolean'],
]

/** From what people call things; whoever meant something else says so in the parameter's settings. */
function guessType(name: string): ParameterDefinition['type'] {
  return guesses.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? 'text'
}
