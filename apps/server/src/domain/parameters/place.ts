import type { Dialect } from '../../model/database.ts'
import { Refusal } from '../refusal.ts'
import type { Position } from '../../engines/sql/lexical-rules.ts'
import { bareLiteral, escapeQuoted, valueText } from './literal.ts'
import type { Neighbours } from './neighbours.ts'
import type { ParameterType, ParameterValue } from '../../model/parameter.ts'

export interface EffectiveParameter {
  name: string
  type: ParameterType
  value: ParameterValue
}

function refuse(name: string, reason: string): never {
  throw new Refusal('parameter_invalid', `The parameter "${name}" cannot be put into the SQL: ${reason}`)
}

/** The text for a placeholder in bare SQL: a literal of the parameter's type. */
export function placeBare(options: {
  parameter: EffectiveParameter
  dialect: Dialect
  neighbours: Neighbours
}): string {
  const { parameter, dialect, neighbours } = options
  if (neighbours.touches !== undefined) {
    refuse(
      parameter.name,
      `its placeholder touches ${neighbours.touches.length > 2 ? neighbours.touches : `"${neighbours.touches}"`}. ` +
        'Put a space between them, or quotes around the whole string or name.',
    )
  }
  const literal = bareLiteral({ ...parameter, dialect })
  if (literal === undefined) {
    refuse(parameter.name, `${dialect} cannot hold this ${parameter.type}; give one in the years 1900 to 2299.`)
  }
  return neighbours.needsParentheses && !literal.startsWith('(') ? `(${literal})` : literal
}

/** The text for a placeholder inside something quoted. `before` is the query's own text that leads up to it there. */
export function placeInside(options: {
  parameter: EffectiveParameter
  dialect: Dialect
  position: Position
  before: string
}): string {
  const { parameter, dialect, position, before } = options
  const text = valueText({ ...parameter, dialect })
  switch (position.kind) {
    case 'string':
    case 'identifier':
      if (position.backslash && endsInsideEscape(before, dialect)) {
        refuse(parameter.name, 'a backslash before its placeholder would take part of the value. Double the backslash.')
      }
      return escapeQuoted({ text, quote: position.quote, backslash: position.backslash, dialect })
    case 'digits':
      if (!(position.base === 'hexadecimal' ? /^[0-9A-Fa-f]*$/ : /^[01]*$/).test(text)) {
        refuse(parameter.name, `it stands in a ${position.base} literal; give only ${position.base} digits.`)
      }
      return text
    case 'dollar':
      // Whether the tag comes about where the value meets the text around it is seen when the result is read again.
      if (text.includes(position.tag)) {
        refuse(parameter.name, `it stands in a string between ${position.tag}, and the value contains that too.`)
      }
      return text
    case 'unicode':
      return refuse(parameter.name, "it stands in a U& literal. Use an ordinary string or identifier, '…' or \"…\".")
    case 'unclear':
      return refuse(
        parameter.name,
        `before it stands ${position.reason}, from where on the SQL cannot be read with certainty. Rewrite that part.`,
      )
    default:
      throw new Error(`no value is put into a ${position.kind} segment this way`)
  }
}

// An escape that the value's first characters would still belong to, by what each dialect knows beyond `\` and a letter.
const openEscape: Record<Dialect, RegExp> = {
  duckdb: /(?:x[0-9A-Fa-f]?|[0-7]{1,2}|u[0-9A-Fa-f]{0,3}|U[0-9A-Fa-f]{0,7})$/,
  postgres: /(?:x[0-9A-Fa-f]?|[0-7]{1,2}|u[0-9A-Fa-f]{0,3}|U[0-9A-Fa-f]{0,7})$/,
  mysql: /(?!)/,
  clickhouse: /x[0-9A-Fa-f]?$/,
}

function endsInsideEscape(before: string, dialect: Dialect): boolean {
  if (endsWithOddBackslashes(before, before.length)) return true
  // Every tail is tried: in `\1x` the last letters alone look like an open escape, but no backslash leads them.
  for (let length = 1; length <= 8 && length < before.length; length++) {
    const start = before.length - length
    if (before[start - 1] !== '\\') continue
    const tail = openEscape[dialect].exec(before.slice(start))
    return tail?.index === 0 && endsWithOddBackslashes(before, start)
  }
  return false
}

function endsWithOddBackslashes(text: string, end: number): boolean {
  let count = 0
  while (text[end - 1 - count] === '\\') count++
  return count % 2 === 1
}
