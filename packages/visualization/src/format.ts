import { type CellFormatter, isIdentifier, isPercent } from './cell-formatter.ts'
import { type ColumnSettings, findSettings } from './column-settings.ts'
import { type Field, isNumeric, isTime, textOf } from './fields.ts'
import { defaultNumberFormatter, styledNumberFormatter } from './format-number.ts'
import { timeFormatter } from './format-time.ts'

/**
 * Values as people read them, in tables, single numbers, charts, chats, e-mails and images. Without settings, a column's type and name
 * decide: thousands separators, `%` where the name says so, dates without a time of day where none has one, months as `Mar 2025`.
 * Nothing here changes the data: copies and downloads stay exact.
 *
 * `formatters` makes one for each column. Those of times depend on all their values, so that a column is written in one way.
 */
export function formatters(
  fields: readonly Field[],
  rows: readonly (readonly unknown[])[],
  columns?: readonly ColumnSettings[],
  locale?: string,
): CellFormatter[] {
  return fields.map((field, at) => {
    const settings = findSettings(columns, field.name)
    const values = isTime(field) || settings?.format?.style === 'date' ? rows.map((row) => row[at]) : []
    return formatter(field, settings, locale, values)
  })
}

/** `values` are the column's, needed only to detect what its times stand for. */
export function formatter(
  field: Field,
  settings?: Pick<ColumnSettings, 'format'>,
  locale?: string,
  values: readonly unknown[] = [],
): CellFormatter {
  const format = settings?.format
  if (format?.style === 'plain') return (value) => textOf(field, value)
  if (format?.style === 'date' || (!format && isTime(field))) return timeFormatter(field, values, format?.granularity, locale)
  if (format) return styledNumberFormatter(field, format, locale)
  if (isNumeric(field) && !isIdentifier(field)) return defaultNumberFormatter(field, locale)
  return (value) => textOf(field, value)
}

/** One cell. The formatter of a column is faster for many. */
export function formatCell(field: Field, value: unknown, settings?: Pick<ColumnSettings, 'format'>, locale?: string): string | null {
  return formatter(field, settings, locale, [value])(value)
}

/** The values of an axis, which has little room: 1,200,000 € is `€1.2M`, with the settings' currency, unit or percent sign. */
export function axisFormatter(field: Field, settings?: Pick<ColumnSettings, 'format'>, locale?: string): CellFormatter {
  const format = settings?.format
  const isNumber = format !== undefined && format.style !== 'plain' && format.style !== 'date'
  const style = isNumber ? format : ({ style: isPercent(field) ? 'percent' : 'number' } as const)
  // Ticks are round numbers, so decimals that suit the values would only repeat zeros.
  const { decimals: _, ...rest } = style as NonNullable<typeof format>
  return styledNumberFormatter(field, { ...rest, isCompact: true }, locale)
}
