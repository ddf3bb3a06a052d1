import {
  type ColorRule,
  colorConditions,
  columnLimits,
  type ColumnSettings,
  formatStyles,
  granularities,
  totalKinds,
} from '@querypost/visualization'
import { fieldsOf, refuse } from './refuse-visualization.ts'

/** Returns the settings of the columns with only known, checked fields. A column may be set once. */
export function checkColumns(input: unknown): ColumnSettings[] {
  const path = '/visualization/columns'
  const settings = listOf(input, { max: columnLimits.columns, path }).map((each, at) => checkColumn(each, `${path}/${at}`))
  const names = new Set<string>()
  for (const [at, { name }] of settings.entries()) {
    if (names.has(name)) refuse(`${path}/${at}/name`, 'names a column for the second time')
    names.add(name)
  }
  return settings
}

const columnFields = ['name', 'title', 'isHidden', 'format', 'colors', 'total']
const formatFields = ['style', 'currency', 'unit', 'decimals', 'isGrouped', 'isFraction', 'isCompact', 'granularity']

function checkColumn(input: unknown, path: string): ColumnSettings {
  const { name, title, isHidden, format, colors, total } = fieldsOf(input, columnFields, path)
  return {
    name: textOf(name, { path: `${path}/name`, max: columnLimits.nameLength }),
    ...(title !== undefined && { title: textOf(title, { path: `${path}/title`, max: columnLimits.titleLength }) }),
    ...(isHidden !== undefined && { isHidden: flagOf(isHidden, `${path}/isHidden`) }),
    ...(format !== undefined && { format: checkFormat(format, `${path}/format`) }),
    ...(colors !== undefined && { colors: checkColors(colors, `${path}/colors`) }),
    ...(total !== undefined && { total: oneOf(total, totalKinds, `${path}/total`) }),
  }
}

function checkFormat(input: unknown, path: string): NonNullable<ColumnSettings['format']> {
  const given = fieldsOf(input, formatFields, path)
  const { currency, unit, decimals, granularity } = given
  const style = oneOf(given['style'], formatStyles, `${path}/style`)
  if (currency !== undefined && (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency))) {
    refuse(`${path}/currency`, 'must be a code of ISO 4217, such as EUR')
  }
  if (style === 'currency' && currency === undefined) refuse(`${path}/currency`, 'must be given for the style currency')
  const isCount = typeof decimals === 'number' && Number.isInteger(decimals) && decimals >= 0 && decimals <= columnLimits.decimals
  if (decimals !== undefined && !isCount) refuse(`${path}/decimals`, `must be a whole number from 0 to ${columnLimits.decimals}`)
  const flags = (['isGrouped', 'isFraction', 'isCompact'] as const).flatMap((name) =>
    given[name] === undefined ? [] : [[name, flagOf(given[name], `${path}/${name}`)] as const],
  )
  return {
    style,
    ...(currency !== undefined && { currency }),
    ...(unit !== undefined && { unit: textOf(unit, { path: `${path}/unit`, max: columnLimits.unitLength }) }),
    ...(isCount && { decimals }),
    ...Object.fromEntries(flags),
    ...(granularity !== undefined && { granularity: oneOf(granularity, granularities, `${path}/granularity`) }),
  }
}

function checkColors(input: unknown, path: string): ColorRule[] {
  return listOf(input, { max: columnLimits.rules, path }).map((each, at) => checkRule(each, `${path}/${at}`))
}

function checkRule(input: unknown, path: string): ColorRule {
  const { when, value, from, to, color } = fieldsOf(input, ['when', 'value', 'from', 'to', 'color'], path)
  if (when === 'scale') return { when, from: colorOf(from, `${path}/from`), to: colorOf(to, `${path}/to`) }
  const condition = oneOf(when, [...colorConditions, 'scale'] as const, `${path}/when`) as (typeof colorConditions)[number]
  const isText = typeof value === 'string' && value.length <= columnLimits.textLength
  if (!isText && !isNumber(value)) refuse(`${path}/value`, `must be a number, or text of at most ${columnLimits.textLength} characters`)
  if (condition === 'between' && !isNumber(to)) refuse(`${path}/to`, 'must be a number')
  return {
    when: condition,
    value,
    ...(condition === 'between' && { to: to as number }),
    color: colorOf(color, `${path}/color`),
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

function listOf(input: unknown, { max, path }: { max: number; path: string }): unknown[] {
  if (Array.isArray(input) && input.length <= max) return input as unknown[]
  return refuse(path, `must be a list of at most ${max}`)
}

function textOf(value: unknown, { path, max }: { path: string; max: number }): string {
  if (typeof value === 'string' && value !== '' && value.length <= max) return value
  return refuse(path, `must be text of 1 to ${max} characters`)
}

const flagOf = (value: unknown, path: string): boolean =>
  typeof value === 'boolean' ? value : refuse(path, 'must be true or false')

function oneOf<Name extends string>(value: unknown, names: readonly Name[], path: string): Name {
  return (names as readonly unknown[]).includes(value) ? (value as Name) : refuse(path, `must be one of ${names.join(', ')}`)
}

/** Six digits only: the color is written into style sheets and images. */
const colorOf = (value: unknown, path: string): string =>
  typeof value === 'string' && /^#[\da-f]{6}$/i.test(value) ? value : refuse(path, 'must be a color such as #2b7a86')
