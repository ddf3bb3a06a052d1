import type { ChartElement } from './chart-element.ts'
import { canSplit, isCartesian, readChoice } from './chart-choice.ts'
import { findSplit, isDistinct, maxRowsRead, type ResultRows } from './column-roles.ts'

/**
 * The column to split a chart by if several of its rows share a category, so that a line would zigzag between them. Null if rows do
 * not share categories, if the chart is split already, or if no column tells the rows apart.
 */
export function offerSplit(chart: ChartElement, { fields, rows }: ResultRows): string | null {
  const { kind, categoryKey, splitKey = null } = readChoice(chart)
  const category = fields.find(({ name }) => name === categoryKey)
  if (!isCartesian(kind) || !canSplit(chart) || splitKey !== null || !category) return null
  const result = { fields, rows: rows.slice(0, maxRowsRead) }
  return isDistinct(result, [category]) ? null : (findSplit(result, category)?.name ?? null)
}
