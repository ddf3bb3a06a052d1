import { Refusal } from '../refusal.ts'
import {
  listMaxLength,
  type ParameterDefinition,
  type ParameterType,
  type ParameterValue,
  type SingleValue,
} from '../../model/parameter.ts'
import { canonicalDate, canonicalTimestamp } from './calendar.ts'
import { canonicalDateRange } from './date-range.ts'

/**
 * The *canonical* form of a value, as stored with the run and rendered:
 *
 * - `text`: the text. It has no NUL and no unpaired surrogate, which databases cannot store.
 * - `number`: a JavaScript number if that is exact, else decimal text (`12345678901234567890.123`).
 * - `date`: `YYYY-MM-DD`. `timestamp`: `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`. `boolean`: a boolean.
 * - `dateRange`: the text of the range, as in `date-range.ts`. A relative range stays relative, so that a refresh moves it along.
 * - A list: its elements in canonical form, without duplicates. A single value is a list of one.
 */
export function checkValue(parameter: Pick<ParameterDefinition, 'name' | 'type' | 'isList'>, value: unknown): ParameterValue {
  if (parameter.isList) return checkList(parameter, Array.isArray(value) ? value : [value])
  const canonical = canonicalValue(parameter.type, value)
  if (canonical !== undefined) return canonical
  throw new Refusal(
    'parameter_invalid',
    `The value of the parameter "${parameter.name}" does not fit its type ${parameter.type}: ${whatFits[parameter.type]}`,
  )
}

function checkList({ name, type }: Pick<ParameterDefinition, 'name' | 'type'>, elements: unknown[]): SingleValue[] {
  const canonical = elements.map((element, index) => {
    const value = canonicalValue(type, element)
    if (value !== undefined) return value
    throw new Refusal(
      'parameter_invalid',
      `Element ${index + 1} of the list parameter "${name}" does not fit its type ${type}: ${whatFits[type]}`,
    )
  })
  const distinct = [...new Set(canonical)]
  if (distinct.length <= listMaxLength) return distinct
  throw new Refusal('parameter_invalid', `The list parameter "${name}" has more than ${listMaxLength} elements. Give fewer.`)
}

export const whatFits: Record<ParameterType, string> = {
  text: 'give text without NUL characters and without unpaired surrogates.',
  number:
    'give a finite decimal number such as 42, -0.5 or 1e6; whole numbers beyond ±9007199254740991 as text, so that they stay exact.',
  date: 'give a calendar date as YYYY-MM-DD, from 0001-01-01 to 9999-12-31.',
  timestamp:
    'give an ISO 8601 time such as 2026-01-31T09:30:00Z, with at most microseconds, in the years 0001 to 9999; without a zone it is UTC.',
  boolean: 'give true or false.',
  dateRange:
    'give two dates such as 2026-01-01..2026-03-31, or a relative range such as today, last 30 days, this quarter, previous month, this year to date or since 2026-01-01.',
}

/** Undefined if the value does not fit. */
export function canonicalValue(type: ParameterType, value: unknown): SingleValue | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  switch (type) {
    case 'text':
      return canonicalText(String(value))
    case 'number':
      return canonicalNumber(value)
    case 'date':
      return typeof value === 'string' ? canonicalDate(value.trim()) : undefined
    case 'timestamp':
      return typeof value === 'string' ? canonicalTimestamp(value.trim()) : undefined
    case 'dateRange':
      return typeof value === 'string' ? canonicalDateRange(value) : undefined
    default:
      return canonicalBoolean(value)
  }
}

function canonicalBoolean(value: string | number | boolean): boolean | undefined {
  const text = String(value).trim().toLowerCase()
  return text === 'true' || text === 'false' ? text === 'true' : undefined
}

function canonicalText(text: string): string | undefined {
  return text.includes('\0') || !text.isWellFormed() ? undefined : text
}

/** Long enough for every digit of a double, and for any exact decimal of a database. */
const numberMaxLength = 1100
const decimal = /^([+-]?)0*(?:([0-9]+)(?:\.([0-9]*))?|\.([0-9]+))(?:[eE]([+-]?[0-9]{1,4}))?$/

function canonicalNumber(value: string | number | boolean): SingleValue | undefined {
  if (typeof value === 'boolean') return undefined
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return undefined
  const text = String(value).trim()
  if (text.length > numberMaxLength) return undefined
  const match = decimal.exec(text)
  if (match === null || !Number.isFinite(Number(text))) return undefined
  const [, sign, whole = '0', fraction = match[4] ?? '', , exponent] = match
  const exact =
    (sign === '-' ? '-' : '') +
    whole +
    (fraction === '' ? '' : `.${fraction}`) +
    (exponent === undefined ? '' : `e${Number(exponent)}`)
  return String(Number(exact)) === exact ? Number(exact) : exact
}
