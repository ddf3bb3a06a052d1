import type { Column } from '../columns.ts'
import { isNumeric, isTime } from '../fields.ts'
import type { ChartShape } from '../shape.ts'
import { keyOf } from './category.ts'
import type { ChartInput } from './prepared-chart.ts'

/** Whether several rows stand at the same category. */
export function repeatedCategories({ rows }: ChartInput, column: Column): boolean {
  if (isRising(rows, column)) return false
  const seen = new Set<unknown>()
  for (const row of rows) {
    const value = column.valueIn(row)
    // Text and numbers are their own keys.
    const key = typeof value === 'object' ? keyOf(value) : value
    if (seen.has(key)) return true
    seen.add(key)
  }
  return false
}

/** Whether each value is greater than the one before it. Most results over time are, and comparing neighbors is faster than a set. */
function isRising(rows: ChartInput['rows'], column: Column): boolean {
  const first = rows[0] && column.valueIn(rows[0])
  if (typeof first !== 'string' && typeof first !== 'number') return false
  let before: string | number = first
  for (let at = 1; at < rows.length; at++) {
    const value = column.valueIn(rows[at]!)
    if (typeof value !== typeof first || !((value as typeof first) > before)) return false
    before = value as typeof first
  }
  return true
}

const maxSplitValues = 1000

/** Columns of names that no two rows of one category share, and columns that at least differ within a category; the former first. */
export function offersFor({ fields, rows }: ChartInput, { column, shape }: { column: Column; shape: ChartShape }): string[] {
  const drawn = new Set([shape.categoryKey, ...shape.series.map(({ key }) => key)])
  const candidates = fields.flatMap((field, at) => {
    if (drawn.has(field.name) || isNumeric(field) || isTime(field) || field.type === 'json') return []
    const values = new Set(rows.map((row) => keyOf(row[at])))
    if (values.size < 2 || values.size > maxSplitValues || values.size === rows.length) return []
    const pairs = new Set(rows.map((row) => `${keyOf(column.valueIn(row))}\n${keyOf(row[at])}`))
    return [{ name: field.name, isExact: pairs.size === rows.length }]
  })
  return candidates.toSorted((a, b) => Number(b.isExact) - Number(a.isExact)).map(({ name }) => name)
}
