import type { Reference } from '@querypost/client'
import { CommandError } from '../command.ts'
import { findNearest } from '../find-nearest.ts'

export type GivenValues = Record<string, string[]>
export type ParameterValues = Record<string, string | string[]>

/** The values of `--param name=value`. Only the first `=` separates, so a value may contain more of them, or be empty. */
export function readParameterValues(given: string[]): GivenValues {
  const values = new Map<string, string[]>()
  for (const text of given) {
    const end = text.indexOf('=')
    if (end < 1) throw new CommandError(2, `--param ${text} is not of the form name=value. Example: --param month=2026-01`)
    const name = text.slice(0, end).trim()
    values.set(name, [...(values.get(name) ?? []), text.slice(end + 1)])
  }
  return Object.fromEntries(values)
}

/** The values for the query's parameters. Rejects names that it does not have, and two values where it takes one, before anything runs. */
export function valuesFor(
  given: GivenValues,
  reference: Pick<Reference, 'title'> & { parameters: { name: string; isList?: boolean }[] },
): ParameterValues {
  checkNames(given, reference)
  return Object.fromEntries(
    Object.entries(given).map(([name, values]) => {
      const isList = reference.parameters.some((parameter) => parameter.name === name && parameter.isList)
      if (!isList && values.length > 1) throw new CommandError(2, `--param ${name} is given twice. It takes one value.`)
      if (!isList) return [name, values[0]!]
      // `--param countries=` alone is the empty list.
      return [name, values.length === 1 && values[0] === '' ? [] : values]
    }),
  )
}

function checkNames(
  values: GivenValues,
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
