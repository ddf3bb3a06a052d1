import type { Reference } from '@querypost/client'
import { CommandError } from '../command.ts'
import { findNearest } from '../find-nearest.ts'

export type ParameterValues = Record<string, string>

/** The values of `--param name=value`. Only the first `=` separates, so a value may contain more of them, or be empty. */
export function readParameterValues(given: string[]): ParameterValues {
  const values = new Map<string, string>()
  for (const text of given) {
    const end = text.indexOf('=')
    if (end < 1) throw new CommandError(2, `--param ${text} is not of the form name=value. Example: --param month=2026-01`)
    const name = text.slice(0, end).trim()
    if (values.has(name)) throw new CommandError(2, `--param ${name} is given twice. Give each parameter once.`)
    values.set(name, text.slice(end + 1))
  }
  return Object.fromEntries(values)
}

/** Rejects names that the query does not have, before anything runs. */
export function checkParameterNames(
  values: ParameterValues,
  { title, parameters }: Pick<Reference, 'title'> & { parameters: { name: string }[] },
): void {
  const names = parameters.map(({ name }) => name)
  const unknown = Object.keys(values).find((name) => !names.includes(name))
  if (unknown === undefined) return
  const meant = findNearest(unknown, names)
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`
  const known = names.length === 0 ? 'It has no parameters.' : `Its parameters: ${names.join(', ')}.`
  throw new CommandError(2, `"${title}" has no parameter "${unknown}".${hint} ${known}`)
}
