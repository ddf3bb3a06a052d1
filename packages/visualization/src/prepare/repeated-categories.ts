import type { Column } from '../columns.ts'
import { isNumeric, isTime } from '../fields.ts'
import type { ChartShape } from '../shape.ts'
import { keyOf } from './category.ts'
import type { ChartInput } from './prepared-chart.ts'

/** Whether several rows stand at the same category. */
export function repeatedCategories({ rows }: ChartInput, column: Column): boolean {
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
