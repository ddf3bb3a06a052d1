import type { ChartChoice, ChartKind, SeriesChoice } from './chart-choice.ts'
import { columnRoles, type ColumnRoles, findSplit, isDistinct, type ResultRows } from './column-roles.ts'
import { isCountryColumn } from './country-column.ts'
import { type Field, isNumeric, isTime, textOf } from './fields.ts'

const maxSeries = 4
const maxVerticalBars = 12
const longLabel = 14

/** The columns to start with in a chart of this type. A role without a fitting column stays empty. */
export function defaultChoice(kind: ChartKind, result: ResultRows): ChartChoice {
  const roles = columnRoles(result)
  const numbers = roles.measures.length > 0 ? roles.measures : result.fields.filter(isNumeric)
  const category = categoryFor(kind, { ...result, ...roles, numbers })
  const others = numbers.filter((field) => field !== category)
  const split = category && splitFor(kind, result, { category, roles })
  return {
    kind,
    categoryKey: category?.name ?? null,
    series: seriesFor(kind, others.length > 0 ? others : numbers),
    ...(split && { splitKey: split.name }),
    ...(kind === 'bar' && category && { isHorizontal: areNamesLong(result, category, split) }),
  }
}

function categoryFor(kind: ChartKind, input: ResultRows & ColumnRoles & { numbers: Field[] }): Field | undefined {
  const { fields, time, categories, numbers } = input
  const unique = categories.find((column) => isDistinct(input, [column]))
  const anyName = unique ?? categories[0] ?? time ?? fields.find((field) => !isNumeric(field)) ?? fields[0]
  switch (kind) {
    case 'histogram':
      return undefined
    case 'number':
      return time && isTime(time) && input.rows.length > 1 ? time : undefined
    case 'scatter':
      return numbers[0]
    case 'map':
      return categories.find((column) => isCountryColumn(input, column)) ?? anyName
    case 'pie':
    case 'funnel':
    case 'pivot':
      return anyName
    default:
      return time ?? anyName
  }
}

function splitFor(
  kind: ChartKind,
  result: ResultRows,
  { category, roles }: { category: Field; roles: ColumnRoles },
): Field | undefined {
  const { time, categories } = roles
  const other = [...(time ? [time] : []), ...categories].find((column) => column !== category)
  if (kind === 'heatmap' || kind === 'pivot') return findSplit(result, category) ?? other
  if (kind !== 'line' && kind !== 'bar' && kind !== 'area') return undefined
  return isDistinct(result, [category]) ? undefined : findSplit(result, category)
}

function seriesFor(kind: ChartKind, numbers: readonly Field[]): SeriesChoice[] {
  const series = numbers.slice(0, maxSeries).map(({ name }) => ({ key: name }))
  if (kind === 'combo') return comboSeries(numbers)
  if (kind === 'line' || kind === 'area' || kind === 'pivot') return series
  const areComparable = numbers.every(({ type }) => type === numbers[0]!.type)
  // Next to money, counts are too low to be visible as bars: the first measure alone says more.
  return kind === 'bar' && areComparable ? series : series.slice(0, 1)
}

/** Two measures of different kinds each get an axis. */
function comboSeries(numbers: readonly Field[]): SeriesChoice[] {
  return numbers.slice(0, 2).map((field, at) => ({
    key: field.name,
    isOnRight: at === 1 && field.type !== numbers[0]!.type,
  }))
}

/** Many or long names need a line each. */
function areNamesLong({ fields, rows }: ResultRows, category: Field, split: Field | undefined): boolean {
  if (category.type !== 'string') return false
  const at = fields.indexOf(category)
  const labels = new Set(rows.map((row) => textOf(category, row[at]) ?? ''))
  return (split === undefined && labels.size > maxVerticalBars) || [...labels].some((label) => label.length > longLabel)
}
