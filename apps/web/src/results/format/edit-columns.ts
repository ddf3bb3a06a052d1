import type { ColumnFormat, ColumnSettings, FieldType, FormatStyle } from '@querypost/visualization'
import type { Field } from '../../api/first-rows.ts'
import { isNumeric } from '../cell.ts'

/** The settings of every column of a result, hidden ones included, in the order in which they are shown. */
export function listColumns(fields: readonly Field[], columns: readonly ColumnSettings[] = []): ColumnSettings[] {
  const names = [...new Set(fields.map(({ name }) => name))]
  const known = columns.filter(({ name }) => names.includes(name))
  const others = names.filter((name) => !known.some((each) => each.name === name))
  return [...known, ...others.map((name) => ({ name }))]
}

export type ColumnChange = { [Name in keyof Omit<ColumnSettings, 'name'>]: ColumnSettings[Name] | undefined }

/** Settings that are `undefined` are removed. */
export function changeColumn(options: {
  fields: readonly Field[]
  columns: readonly ColumnSettings[]
  name: string
  change: ColumnChange
}) {
  const { fields, columns, name, change } = options
  const changed = listColumns(fields, columns).map((each) => (each.name === name ? without({ ...each, ...change }) : each))
  return tidied(fields, columns, changed)
}

/** Moves a column by so many places; to the start or the end at most. */
export function moveColumn(options: { fields: readonly Field[]; columns: readonly ColumnSettings[]; name: string; by: number }) {
  const { fields, columns, name, by } = options
  const list = listColumns(fields, columns)
  const from = list.findIndex((each) => each.name === name)
  const [moved] = list.splice(from, 1)
  list.splice(Math.max(0, Math.min(list.length, from + by)), 0, moved!)
  return tidied(fields, columns, list)
}

/**
 * Without entries that say nothing, so that new columns of the query appear where the query has them. Settings of columns that the
 * result does not have now are kept: the query may return them again.
 */
function tidied(fields: readonly Field[], before: readonly ColumnSettings[], list: ColumnSettings[]): ColumnSettings[] {
  const names = [...new Set(fields.map(({ name }) => name))]
  const missing = before.filter(({ name }) => !names.includes(name))
  const isInOrder = list.every(({ name }, at) => name === names[at])
  let kept = list
  if (isInOrder) {
    // Only a start of the list can be left out at its end without changing the order.
    const last = list.findLastIndex((each) => Object.keys(each).length > 1)
    kept = list.slice(0, last + 1)
  }
  return [...kept, ...missing]
}

function without(settings: { name: string } & ColumnChange): ColumnSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as unknown as ColumnSettings
}

/** The styles that suit a type, the plain one last. */
export function stylesFor(type: FieldType): FormatStyle[] {
  if (isNumeric(type)) return ['number', 'currency', 'percent', 'unit', 'plain']
  if (type === 'date' || type === 'timestamp') return ['date', 'plain']
  return type === 'string' ? ['date', 'number', 'currency', 'percent', 'unit', 'plain'] : []
}

/** A format of another style, with the settings that both have. */
export function withStyle(format: ColumnFormat | undefined, style: FormatStyle): ColumnFormat {
  const { decimals, isGrouped, isCompact, currency = 'EUR', unit = 'units' } = format ?? {}
  if (style === 'plain' || style === 'date') return { style }
  return {
    style,
    ...(style === 'currency' && { currency }),
    ...(style === 'unit' && { unit }),
    ...(decimals !== undefined && { decimals }),
    ...(isGrouped !== undefined && { isGrouped }),
    ...(isCompact !== undefined && { isCompact }),
  }
}
