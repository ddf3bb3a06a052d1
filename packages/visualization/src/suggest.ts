import type { ChartChoice, ChartKind } from './chart-choice.ts'
import {
  columnRoles, distinctCount, findSplit, isAdditive, isCyclic, isDistinct, isPositive, maxRowsRead, type ResultRows, valuesIn,
} from './column-roles.ts'
import { isCountryColumn } from './country-column.ts'
import { defaultChoice } from './default-choice.ts'
import { type Field, isTime, numberOf } from './fields.ts'
import { makeChart } from './make-chart.ts'
import { defaultMargin, type Visualization } from './visualization.ts'
import { writeJsxConfig } from './write.ts'

/** A chart that fits a result, and its columns in words. */
export interface ChartSuggestion {
  visualization: Visualization
  title: string
}

const maxSuggestions = 5
/** More colors in a stack are hard to tell apart. */
const maxStacked = 8
const maxSlices = 8
/** Fewer values have no distribution worth drawing. */
const fewestValues = 10

/** A chart to start with, based on the columns; null if a table shows more. */
export function suggestChart(fields: readonly Field[], rows: readonly (readonly unknown[])[]): Visualization | null {
  // A pivot table adds rows up. Whether that makes sense, only a person can tell.
  return suggestCharts(fields, rows).find(({ visualization }) => visualization.type !== 'pivot')?.visualization ?? null
}

/** The charts that fit a result, the most telling first. */
export function suggestCharts(fields: readonly Field[], rows: readonly (readonly unknown[])[]): ChartSuggestion[] {
  const result = { fields, rows: rows.slice(0, maxRowsRead) }
  const [first] = fields
  return rankedChoices(result)
    .slice(0, maxSuggestions)
    .map((choice) => ({ visualization: drawn(choice, first), title: titleOf(choice) }))
}

function drawn(choice: ChartChoice, firstField: Field | undefined): Visualization {
  const { kind, categoryKey, series } = choice
  // Without any JSX, the value of the first column is shown.
  const isPlain = kind === 'number' && categoryKey === null && series[0]?.key === firstField?.name
  return { type: kind, jsxConfig: isPlain ? '' : writeJsxConfig(makeChart(choice)), marginConfig: defaultMargin }
}

function titleOf({ kind, categoryKey, series, splitKey = null }: ChartChoice): string {
  const names = series.map(({ name, key }) => name ?? key).join(', ')
  if (kind === 'histogram') return `Distribution of ${names}`
  if (kind === 'scatter') return `${names} against ${categoryKey}${splitKey === null ? '' : `, colored by ${splitKey}`}`
  if (kind === 'number') return categoryKey === null ? names : `Latest ${names}, compared with the period before`
  const by = categoryKey === null ? names : `${names} by ${categoryKey}`
  if (splitKey === null) return by
  return kind === 'heatmap' || kind === 'pivot' ? `${by} and ${splitKey}` : `${by}, split by ${splitKey}`
}

function rankedChoices(result: ResultRows): ChartChoice[] {
  const { measures, time, categories } = columnRoles(result)
  const [measure] = measures
  if (!measure || result.rows.length === 0) return []
  const choose = (kind: ChartKind, change: Partial<ChartChoice> = {}) => ({ ...defaultChoice(kind, result), ...change })
  if (result.rows.length === 1) return [choose('number')]
  if (time && isDistinct(result, [time])) return overTime({ time, measures, choose })
  const unique = time ? undefined : categories.find((column) => isDistinct(result, [column]))
  if (unique) return overNames(result, { unique, categories, measures, choose })
  const axis = time ?? mostDistinct(result, categories)
  const split = axis && findSplit(result, axis)
  const pivot = categories.length > 0 ? [choose('pivot', pivotColumns(categories, time))] : []
  if (axis && split) {
    const columns = { categoryKey: axis.name, splitKey: split.name, series: [{ key: measure.name }] }
    return [...bySplit(result, { axis, split, measure, isOverTime: axis === time }, (kind, change) => choose(kind, { ...columns, ...change })), ...pivot]
  }
  return [...singleRows(result, { measures, categories, choose }), ...pivot]
}

type Choose = (kind: ChartKind, change?: Partial<ChartChoice>) => ChartChoice

/** One row per period. */
function overTime({ time, measures, choose }: { time: Field; measures: Field[]; choose: Choose }): ChartChoice[] {
  const areComparable = measures.every(({ type }) => type === measures[0]!.type)
  return [
    choose('line'),
    ...(measures.length > 1 && !areComparable ? [choose('combo')] : []),
    choose('bar', { isHorizontal: false }),
    ...(isTime(time) ? [choose('number')] : []),
    choose('area', { series: [{ key: measures[0]!.name }] }),
  ]
}

/** One row per name. */
function overNames(
  result: ResultRows,
  { unique, categories, measures, choose }: { unique: Field; categories: Field[]; measures: Field[]; choose: Choose },
): ChartChoice[] {
  const [measure] = measures as [Field]
  const column = { categoryKey: unique.name }
  const countries = categories.find((category) => isCountryColumn(result, category) && isDistinct(result, [category]))
  const isShare = isAdditive(measure) && isPositive(result, measure) && result.rows.length <= maxSlices
  return [
    choose('bar', column),
    ...(countries ? [choose('map', { categoryKey: countries.name })] : []),
    ...(isShare && isDescending(result, measure) && result.rows.length > 2 ? [choose('funnel', column)] : []),
    ...(isShare ? [choose('pie', column)] : []),
    ...(measures.length > 1 ? [choose('combo', column), choose('scatter')] : []),
  ]
}

/** One row per value of two columns. */
function bySplit(
  result: ResultRows,
  { axis, split, measure, isOverTime }: { axis: Field; split: Field; measure: Field; isOverTime: boolean },
  choose: Choose,
): ChartChoice[] {
  const canStack = isAdditive(measure) && isPositive(result, measure)
  const bars = choose('bar', { arrangement: canStack ? 'stacked' : 'grouped' })
  const heatmap = choose('heatmap')
  if (isOverTime && !isCyclic(axis)) {
    return [choose('line'), ...(canStack ? [choose('area', { arrangement: 'stacked' })] : []), bars, heatmap]
  }
  const isCourse = isOverTime && isCyclic(split)
  if (isCourse || distinctCount(result, split) > maxStacked) return [heatmap, bars]
  return isOverTime ? [heatmap, choose('line'), bars] : [bars, heatmap]
}

/** Rows that are not grouped: each is one order, one visit, one person. */
function singleRows(
  result: ResultRows,
  { measures, categories, choose }: { measures: Field[]; categories: Field[]; choose: Choose },
): ChartChoice[] {
  const histogram = result.rows.length >= fewestValues ? [choose('histogram')] : []
  const [x, y, size] = measures
  if (!x || !y) return histogram
  const color = categories.find((category) => distinctCount(result, category) <= maxStacked)
  return [
    choose('scatter', {
      categoryKey: x.name,
      series: [{ key: y.name }],
      ...(color && { splitKey: color.name }),
      ...(size && isPositive(result, size) && { sizeKey: size.name }),
    }),
    ...histogram,
  ]
}

const pivotColumns = ([row, column]: Field[], time: Field | undefined): Partial<ChartChoice> => ({
  categoryKey: row!.name,
  splitKey: time?.name ?? column?.name ?? null,
})

const mostDistinct = (result: ResultRows, columns: Field[]): Field | undefined =>
  columns.toSorted((a, b) => distinctCount(result, b) - distinctCount(result, a))[0]

function isDescending(result: ResultRows, column: Field): boolean {
  const numbers = valuesIn(result, column).map(numberOf)
  return numbers.every((value, at) => value !== null && (at === 0 || value <= numbers[at - 1]!))
}
