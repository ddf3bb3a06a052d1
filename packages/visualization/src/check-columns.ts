import {
  type ColorRule,
  colorConditions,
  type ColumnFormat,
  columnLimits,
  type ColumnSettings,
  formatStyles,
  granularities,
  totalKinds,
} from './column-settings.ts'
import { isHexColor } from './hex-color.ts'

/** `path` leads from the list of columns to the faulty value: `/2/format/decimals`. */
export class ColumnFault extends Error {
  readonly path: string
  readonly problem: string

  constructor(path: string, problem: string) {
    super(`${path} ${problem}`)
    this.path = path
    this.problem = problem
  }
}

/** Returns the settings with only known, checked fields. Throws a `ColumnFault` that says what is wrong. */
export function checkColumns(input: unknown): ColumnSettings[] {
  if (!Array.isArray(input)) refuse('', 'must be a list of columns')
  if (input.length > columnLimits.columns) refuse('', `must not have more than ${columnLimits.columns} columns`)
  const columns = input.map((each, at) => checkColumn(each, `/${at}`))
  const names = new Set<string>()
  for (const [at, { name }] of columns.entries()) {
    if (names.has(name)) refuse(`/${at}/name`, `repeats the column "${name}"; list each column once`)
    names.add(name)
  }
  return columns
}

const settingNames = ['name', 'title', 'isHidden', 'format', 'colors', 'total'] as const

function checkColumn(input: unknown, path: string): ColumnSettings {
  const given = fieldsOf(input, settingNames, path)
  const name = text(given['name'], `${path}/name`, columnLimits.nameLength)
  return {
    name: name ?? refuse(`${path}/name`, 'is missing; give the name of a column'),
    ...defined({
      title: text(given['title'], `${path}/title`, columnLimits.titleLength),
      isHidden: flag(given['isHidden'], `${path}/isHidden`),
      format: given['format'] === undefined ? undefined : checkFormat(given['format'], `${path}/format`),
      colors: given['colors'] === undefined ? undefined : checkColors(given['colors'], `${path}/colors`),
      total: oneOf(given['total'], totalKinds, `${path}/total`),
    }),
  }
}

const formatNames = ['style', 'currency', 'unit', 'decimals', 'isGrouped', 'isFraction', 'isCompact', 'granularity'] as const

function checkFormat(input: unknown, path: string): ColumnFormat {
  const given = fieldsOf(input, formatNames, path)
  const style = oneOf(given['style'], formatStyles, `${path}/style`) ?? refuse(`${path}/style`, `must be one of ${formatStyles.join(', ')}`)
  const currency = text(given['currency'], `${path}/currency`, 3)
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency)) refuse(`${path}/currency`, 'must be a currency code such as EUR')
  if (style === 'currency' && currency === undefined) refuse(`${path}/currency`, 'is missing; give a currency code such as EUR')
  const unit = text(given['unit'], `${path}/unit`, columnLimits.unitLength)
  if (style === 'unit' && unit === undefined) refuse(`${path}/unit`, 'is missing; give the text to show after the number')
  return {
    style,
    ...defined({
      currency,
      unit,
      decimals: decimals(given['decimals'], `${path}/decimals`),
      isGrouped: flag(given['isGrouped'], `${path}/isGrouped`),
      isFraction: flag(given['isFraction'], `${path}/isFraction`),
      isCompact: flag(given['isCompact'], `${path}/isCompact`),
      granularity: oneOf(given['granularity'], granularities, `${path}/granularity`),
    }),
  }
}

function checkColors(input: unknown, path: string): ColorRule[] {
  if (!Array.isArray(input)) refuse(path, 'must be a list of rules')
  if (input.length > columnLimits.rules) refuse(path, `must not have more than ${columnLimits.rules} rules`)
  return input.map((each, at) => checkRule(each, `${path}/${at}`))
}

const conditions = [...colorConditions, 'scale'] as const

function checkRule(input: unknown, path: string): ColorRule {
  const { when } = fieldsOf(input, ['when', 'value', 'from', 'to', 'color'], path)
  const kind = oneOf(when, conditions, `${path}/when`) ?? refuse(`${path}/when`, `must be one of ${conditions.join(', ')}`)
  if (kind === 'scale') {
    const { from, to } = fieldsOf(input, ['when', 'from', 'to'], path)
    return { when: kind, from: hexColor(from, `${path}/from`), to: hexColor(to, `${path}/to`) }
  }
  const given = fieldsOf(input, ['when', 'value', 'to', 'color'], path)
  const color = hexColor(given['color'], `${path}/color`)
  const value = number(given['value']) ?? text(given['value'], `${path}/value`, columnLimits.textLength)
  if (value === undefined) refuse(`${path}/value`, 'is missing; give a number or a text')
  const to = given['to'] === undefined ? undefined : (number(given['to']) ?? refuse(`${path}/to`, 'must be a number'))
  if (kind === 'between' && to === undefined) refuse(`${path}/to`, 'is missing; give the upper end of the range')
  if (kind !== 'between' && to !== undefined) refuse(`${path}/to`, 'is only for rules with between')
  return { when: kind, value, ...defined({ to }), color }
}

const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : undefined)
const hexColor = (value: unknown, path: string) => (isHexColor(value) ? value : refuse(path, 'must be a color such as #1d4a51'))

function decimals(value: unknown, path: string): number | undefined {
  if (value === undefined) return undefined
  const isAllowed = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= columnLimits.decimals
  return isAllowed ? value : refuse(path, `must be a whole number from 0 to ${columnLimits.decimals}`)
}

function flag(value: unknown, path: string): boolean | undefined {
  return value === undefined || typeof value === 'boolean' ? value : refuse(path, 'must be true or false')
}

function text(value: unknown, path: string, maxLength: number): string | undefined {
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '') return refuse(path, 'must be text')
  return value.length <= maxLength ? value : refuse(path, `must not be longer than ${maxLength} characters`)
}

function oneOf<Value extends string>(value: unknown, allowed: readonly Value[], path: string): Value | undefined {
  if (value === undefined) return undefined
  return allowed.find((each) => each === value) ?? refuse(path, `must be one of ${allowed.join(', ')}`)
}

function fieldsOf(input: unknown, names: readonly string[], path: string): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return refuse(path, `must be an object with ${names.join(', ')}`)
  const unknownName = Object.keys(input).find((name) => !names.includes(name))
  if (unknownName !== undefined) refuse(`${path}/${unknownName}`, `is not known; the fields are ${names.join(', ')}`)
  return { ...input }
}

/** Without the fields that are not set. */
function defined<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

function refuse(path: string, problem: string): never {
  throw new ColumnFault(path, problem)
}
