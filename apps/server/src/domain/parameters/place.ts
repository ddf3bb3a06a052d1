import type { Dialect } from '../../model/database.ts'
import { syntaxOf } from '../../engines/registry/definitions.ts'
import { Refusal } from '../refusal.ts'
import type { Position } from '../../engines/sql/lexical-rules.ts'
import { bareLiteral, escapeQuoted, type LiteralType, valueText } from './literal.ts'
import type { Neighbors } from './neighbors.ts'
import type { SingleValue } from '../../model/parameter.ts'

/** What a placeholder is replaced with: the value of its parameter, or a day of its date range. */
export interface PlacedValue {
  name: string
  type: LiteralType
  /** An array for a list. */
  value: SingleValue | SingleValue[]
}

export function refuse(name: string, reason: string): never {
  throw new Refusal('parameter_invalid', `The parameter "${name}" cannot be used in the SQL: ${reason}`)
}

/**
 * The text for a placeholder in bare SQL: a literal of the parameter's type. A list is its literals with commas between them; an empty
 * one is NULL, since SQL has no empty list: `x in (NULL)` is true for no row.
 */
export function placeBare(options: { parameter: PlacedValue; dialect: Dialect; neighbors: Neighbors }): string {
  const { parameter, dialect, neighbors } = options
  const { name, type, value } = parameter
  if (neighbors.touches !== undefined) {
    refuse(
      name,
      `its placeholder touches ${neighbors.touches.length > 2 ? neighbors.touches : `"${neighbors.touches}"`}. ` +
        'Put a space between them, or quotes around the whole string or name.',
    )
  }
  const literalOf = (single: SingleValue) =>
    bareLiteral({ type, value: single, dialect }) ??
    refuse(name, `${dialect} cannot represent this ${type}; use one in the years 1900 to 2299.`)
  if (Array.isArray(value)) {
    if (!neighbors.isInList) {
      refuse(name, `its value is a list. Put it directly inside parentheses or brackets, such as in ({{${name}}}).`)
    }
    return value.length === 0 ? 'NULL' : value.map(literalOf).join(', ')
  }
  const literal = literalOf(value)
  return neighbors.needsParentheses && !literal.startsWith('(') ? `(${literal})` : literal
}

/** The text for a placeholder inside a quoted part. `before` is the query's text between the start of that part and the placeholder. */
export function placeInside(options: {
  parameter: PlacedValue
  dialect: Dialect
  position: Position
  before: string
}): string {
  const { parameter, dialect, position, before } = options
  const { value } = parameter
  if (Array.isArray(value)) {
    refuse(parameter.name, `its value is a list, which cannot be inside quotes. Remove them: in ({{${parameter.name}}}).`)
  }
  const text = valueText({ ...parameter, value, dialect })
  switch (position.kind) {
    case 'string':
    case 'identifier':
      if (position.backslash && endsInsideEscape(before, dialect)) {
        refuse(parameter.name, 'a backslash before its placeholder would take part of the value. Double the backslash.')
      }
      return escapeQuoted({ text, quote: position.quote, backslash: position.backslash, dialect })
    case 'digits':
      if (!(position.base === 'hexadecimal' ? /^[0-9A-Fa-f]*$/ : /^[01]*$/).test(text)) {
        refuse(parameter.name, `it is inside a ${position.base} literal; use only ${position.base} digits.`)
      }
      return text
    case 'dollar':
      // Whether the value and the text around it form the tag together is checked when the result is read again.
      if (text.includes(position.tag)) {
        refuse(parameter.name, `it is inside a string quoted with ${position.tag}, and the value contains ${position.tag} too.`)
      }
      return text
    case 'unicode':
      return refuse(parameter.name, "it is inside a U& literal. Use an ordinary string or identifier, '…' or \"…\".")
    case 'unclear':
      return refuse(
        parameter.name,
        `it comes after ${position.reason}, from which point the SQL is ambiguous. Rewrite that part.`,
      )
    default:
      throw new Error(`unexpected ${position.kind} segment`)
  }
}

function endsInsideEscape(before: string, dialect: Dialect): boolean {
  if (endsWithOddBackslashes(before, before.length)) return true
  // Try every tail: in `\1x` the last letters alone look like an open escape, but no backslash precedes them.
  for (let length = 1; length <= 8 && length < before.length; length++) {
    const start = before.length - length
    if (before[start - 1] !== '\\') continue
    const tail = syntaxOf(dialect).openEscape.exec(before.slice(start))
    return tail?.index === 0 && endsWithOddBackslashes(before, start)
  }
  return false
}

function endsWithOddBackslashes(text: string, end: number): boolean {
  let count = 0
  while (text[end - 1 - count] === '\\') count++
  return count % 2 === 1
}
