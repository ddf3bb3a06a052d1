import { type Field, isNumeric, isTime, numberOf, textOf } from './fields.ts'
import { isPercent } from './cell-formatter.ts'

export interface ResultRows {
  fields: readonly Field[]
  rows: readonly (readonly unknown[])[]
}

/** The first rows tell what a column is good for; reading all of a large result would be slow. */
export const maxRowsRead = 5000

/**
 * What the columns of a result are good for, as far as their types, names and values tell.
 *
 * - A *measure* is a number that says how much, unlike an id, a code or a year.
 * - The *time* is a date, a timestamp or a part of the calendar such as `month`.
 * - A *category* is a text, a boolean or another part of the calendar.
 */
export interface ColumnRoles {
  measures: Field[]
  time: Field | undefined
  categories: Field[]
}

export function columnRoles({ fields, rows }: ResultRows): ColumnRoles {
  const calendar = fields.filter(isCalendar)
  // Of a year and a month, the month is the axis: it has more values.
  const finest = calendar.toSorted((a, b) => distinctCount({ fields, rows }, b) - distinctCount({ fields, rows }, a))[0]
  const time = fields.find(isTime) ?? finest
  return {
    measures: fields.filter((field) => isNumeric(field) && !isKey(field) && !isCalendar(field) && hasNumbers({ fields, rows }, field)),
    time,
    categories: fields.filter((field) => field !== time && isCategory(field)),
  }
}

/** A column of nulls has nothing to draw. */
const hasNumbers = (result: ResultRows, column: Field) =>
  result.rows.length === 0 || valuesIn(result, column).some((value) => numberOf(value) !== null)

const isKey = ({ name }: Field) => /(^|_)(id|key|code|zip|uuid)$/i.test(name)
const isCategory = (field: Field) => field.type === 'string' || field.type === 'boolean' || isCalendar(field)

const calendarName = /^(year|quarter|month|week|day|hour|weekday|dow|hour_of_day|(week|month)_of_year|day_of_(week|month|year))$/i
const isCalendar = ({ name, type }: Field) => type === 'integer' && calendarName.test(name)

/** Parts of the calendar that come around again, whose course over a week or a day a heat map shows best. */
export const isCyclic = ({ name }: Field) => /^(hour|hour_of_day|weekday|dow|day_of_week)$/i.test(name)

/** Whether values may be added up, as far as the name tells. */
export const isAdditive = (field: Field) =>
  !isPercent(field) && !/(^|_)(avg|average|mean|median|rate|ratio|share|price|min|max)(_|$)/i.test(field.name)

/** Whether no two rows have the same values in these columns. */
export function isDistinct({ fields, rows }: ResultRows, columns: readonly Field[]): boolean {
  const places = columns.map((column) => fields.indexOf(column))
  const seen = new Set<string>()
  for (const row of rows) {
    const key = JSON.stringify(places.map((at) => textOf(fields[at]!, row[at])))
    if (seen.has(key)) return false
    seen.add(key)
  }
  return true
}

export function distinctCount({ fields, rows }: ResultRows, column: Field): number {
  const at = fields.indexOf(column)
  return new Set(rows.map((row) => textOf(column, row[at]))).size
}

/** More values, such as those of a customer or an order, are not categories of their own. */
const maxSplitValues = 50

/** The column that tells apart the rows with the same category; the one with the fewest values if several do. */
export function findSplit(result: ResultRows, category: Field): Field | undefined {
  const { categories, time } = columnRoles(result)
  return [...categories, ...(time ? [time] : [])]
    .filter((column) => column !== category && isDistinct(result, [category, column]))
    .map((column) => ({ column, count: distinctCount(result, column) }))
    .filter(({ count }) => count <= maxSplitValues)
    .toSorted((a, b) => a.count - b.count)[0]?.column
}

export function valuesIn({ fields, rows }: ResultRows, column: Field): unknown[] {
  const at = fields.indexOf(column)
  return rows.map((row) => row[at])
}

export const isPositive = (result: ResultRows, column: Field) => {
  const numbers = valuesIn(result, column).map(numberOf)
  return numbers.every((value) => value === null || value >= 0) && numbers.some((value) => value !== null && value > 0)
}
