import { type ChartElement, textProp } from './chart-element.ts'
import { type ChartChoice, type ChartKind, isCartesian, kindOf, readChoice } from './chart-choice.ts'
import { findSplit, isDistinct, maxRowsRead, type ResultRows } from './column-roles.ts'
import { findColumn } from './columns.ts'
import { isCountryColumn } from './country-column.ts'
import { defaultChoice } from './default-choice.ts'
import { setCategory, setSize, setSplit, setTitle } from './edit.ts'
import { isSeries } from './edit-parts.ts'
import { readGroups, setGroups } from './edit-pivot.ts'
import { addSeries, editSeries, removeSeries } from './edit-series.ts'
import { type Field, isNumeric, isTime } from './fields.ts'

/**
 * Adapts a chart to a result: columns that the result does not have are replaced, and columns that the type needs are added. Every
 * other setting is kept. Null if the result has nothing to draw in a chart of this type.
 */
export function fitChart(chart: ChartElement, { fields, rows }: ResultRows): ChartElement | null {
  const result = { fields, rows: rows.slice(0, maxRowsRead) }
  const offered = defaultChoice(kindOf(chart), result)
  const withValues = fitSeries(withoutMissingParts(chart, result), { result, offered })
  const withCategory = withValues && fitCategory(withValues, { result, offered })
  return withCategory && fitSize(fitSplit(fitGroups(withCategory, result), { result, offered }), result)
}

interface Fitting {
  result: ResultRows
  offered: ChartChoice
}

const has = ({ fields }: ResultRows, key: string | null | undefined): boolean =>
  typeof key === 'string' && findColumn(fields, key) !== undefined

/** Labels and error bars inside a series name columns, too. */
function withoutMissingParts(chart: ChartElement, result: ResultRows): ChartElement {
  const children = chart.children.map((part) => ({
    ...part,
    children: part.children.filter((inner) => {
      const key = textProp(inner, 'dataKey')
      return key === undefined || has(result, key)
    }),
  }))
  return { ...chart, children }
}

/** Vanished series go. Others are suggested only if none is left. */
function fitSeries(chart: ChartElement, { result, offered }: Fitting): ChartElement | null {
  const { series } = readChoice(chart)
  const parts = chart.children.filter(isSeries)
  const keys = kindOf(chart) === 'scatter' ? parts.map(() => series[0]?.key) : parts.map((part) => textProp(part, 'dataKey'))
  const gone = keys.flatMap((key, at) => (has(result, key) ? [] : [at]))
  if (parts.length > 0 && gone.length === 0) return chart
  const kept = gone.toReversed().reduce(removeSeries, chart)
  if (gone.length < parts.length) return kept
  const { categoryKey } = readChoice(chart)
  const added = offered.series.filter(({ key }) => key !== categoryKey)
  if (added.length === 0) return null
  // A single series keeps its settings, except the name of the old column.
  const replaced = parts.length === 1 ? editSeries(chart, 0, { key: added[0]!.key, name: '' }) : added.reduce(addSeries, kept)
  return setTitle(replaced, 'value', '')
}

function fitCategory(chart: ChartElement, { result, offered }: Fitting): ChartElement | null {
  const kind = kindOf(chart)
  const { categoryKey, series } = readChoice(chart)
  if (kind === 'histogram' || (has(result, categoryKey) && isCategoryOf(kind, result, categoryKey!))) return chart
  const candidates = [offered.categoryKey, ...(kind === 'scatter' ? offered.series.map(({ key }) => key) : [])]
  const category = candidates.find((key) => key !== series[0]?.key) ?? offered.categoryKey
  if (category === null && kind !== 'number') return null
  return setTitle(setCategory(chart, category), 'category', '')
}

function isCategoryOf(kind: ChartKind, result: ResultRows, key: string): boolean {
  const { field } = findColumn(result.fields, key)!
  if (kind === 'number') return isTime(field)
  if (kind === 'map') return isCountryColumn(result, field) || !result.fields.some((other) => isCountryColumn(result, other))
  return kind === 'scatter' ? isNumeric(field) || isTime(field) : true
}

function fitSplit(chart: ChartElement, { result, offered }: Fitting): ChartElement {
  const { kind, categoryKey, splitKey = null } = readChoice(chart)
  if (has(result, splitKey)) return splitKey === categoryKey ? setSplit(chart, otherColumn(chart, { result, offered })) : chart
  const isNeeded = kind === 'heatmap' || (isCartesian(kind) && kind !== 'combo' && hasRepeatedCategories(result, categoryKey))
  if (isNeeded) return setSplit(chart, otherColumn(chart, { result, offered }))
  return splitKey === null ? chart : setSplit(chart, null)
}

function otherColumn(chart: ChartElement, { result, offered }: Fitting): string | null {
  const { categoryKey } = readChoice(chart)
  const category = result.fields.find(({ name }) => name === categoryKey)
  const split = category && findSplit(result, category)?.name
  const candidates = [split, offered.splitKey, kindOf(chart) === 'heatmap' ? offered.categoryKey : null]
  return candidates.find((key) => typeof key === 'string' && key !== categoryKey) ?? null
}

function hasRepeatedCategories(result: ResultRows, categoryKey: string | null): boolean {
  const category: Field | undefined = result.fields.find(({ name }) => name === categoryKey)
  return category !== undefined && !isDistinct(result, [category])
}

/** Of the groups of a pivot table, those without a column go. The first row has been fitted. */
function fitGroups(chart: ChartElement, result: ResultRows): ChartElement {
  if (kindOf(chart) !== 'pivot') return chart
  const rows = readGroups(chart, 'PivotRow').filter((key) => has(result, key))
  const columns = readGroups(chart, 'PivotColumn').filter((key) => has(result, key) && !rows.includes(key))
  return setGroups(setGroups(chart, 'PivotRow', [...new Set(rows)]), 'PivotColumn', columns)
}

function fitSize(chart: ChartElement, result: ResultRows): ChartElement {
  const { sizeKey = null } = readChoice(chart)
  return sizeKey === null || has(result, sizeKey) ? chart : setSize(chart, null)
}
