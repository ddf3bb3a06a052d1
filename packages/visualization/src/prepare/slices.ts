import { numberOf } from '../fields.ts'
import { findColumn } from '../columns.ts'
import { textProp } from '../chart-element.ts'
import type { ChartShape } from '../shape.ts'
import { makeCategory, numberedCategory } from './category.ts'
import { cellColors, countText, drawnColumn, exactValue, seriesBase, valueText } from './drawn-columns.ts'
import type { Category, ChartInput, PreparedChart } from './prepared-chart.ts'
import { other } from './split-rows.ts'

export const maxSlices = 12
const maxSteps = 20

/** A pie or a funnel: each row is a part. A pie combines its smallest parts, so that slices stay distinguishable. */
export function prepareSlices(input: ChartInput, shape: ChartShape): Pick<PreparedChart, 'category' | 'series' | 'notes' | 'problems'> {
  const { fields, rows, locale } = input
  const series = shape.series.find(({ key }) => key !== null)
  const column = drawnColumn(input, series!.key!)!
  // Without a `nameKey`, names come from a column called `name`, if there is one.
  const names = findColumn(fields, textProp(series!.part, 'nameKey') ?? 'name')
  const count = new Intl.NumberFormat(locale)
  const numbers = rows.map((row) => numberOf(column.valueIn(row)) ?? 0)
  const notes: string[] = []
  const negative = numbers.filter((value) => value < 0).length
  const what = shape.kind === 'pie' ? 'slices' : 'steps'
  if (negative > 0) notes.push(`Skipped, because ${what} cannot be negative: ${countText(negative, 'row', count)}.`)
  const drawn = [...numbers.keys()].filter((row) => (shape.kind === 'pie' ? numbers[row]! > 0 : numbers[row]! >= 0))
  if (!drawn.some((row) => numbers[row]! > 0)) {
    return { category: null, series: [], notes, problems: [`There are no values above zero to draw as ${what}.`] }
  }
  const { parts, combined } = shape.kind === 'pie' ? largestParts(drawn, numbers) : { parts: drawn.slice(0, maxSteps), combined: [] }
  if (combined.length > 0) notes.push(`The ${count.format(combined.length)} smallest slices are combined as “${other}”.`)
  if (shape.kind !== 'pie' && parts.length < drawn.length) {
    notes.push(`Showing the first ${count.format(maxSteps)} of ${countText(drawn.length, 'step', count)}.`)
  }
  const groups = [...parts.map((row) => [row]), ...(combined.length > 0 ? [combined] : [])]
  const category = names
    ? makeCategory(input, names, parts.map((row) => names.valueIn(rows[row]!)), 'label')
    : numberedCategory(parts.length)
  const color = cellColors(series!.part)
  const total = drawn.reduce((sum, row) => sum + numbers[row]!, 0)
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const values = groups.map((group) => numberOf(exactValue(input, column, group)))
  // A funnel compares each step with the first, a pie each slice with the whole.
  const whole = shape.kind === 'pie' ? total : (values[0] ?? 0)
  return {
    category: combined.length > 0 ? withLast(category, other) : category,
    series: [
      {
        ...seriesBase(column, series!),
        values,
        textAt: (point) => {
          const text = valueText(column, series!.part, exactValue(input, column, groups[point]!))
          return whole > 0 ? `${text} (${share.format((values[point] ?? 0) / whole)})` : text
        },
        rowsAt: (point) => groups[point]!,
        colorAt: (point) => (groups[point]!.length === 1 ? color(groups[point]![0]) : null),
      },
    ],
    notes,
    problems: [],
  }
}

function largestParts(drawn: number[], numbers: number[]): { parts: number[]; combined: number[] } {
  if (drawn.length <= maxSlices) return { parts: drawn, combined: [] }
  const large = new Set(drawn.toSorted((a, b) => numbers[b]! - numbers[a]!).slice(0, maxSlices - 1))
  return { parts: drawn.filter((row) => large.has(row)), combined: drawn.filter((row) => !large.has(row)) }
}

function withLast(category: Category, label: string): Category {
  const { count, labelAt } = category
  return { ...category, count: count + 1, labelAt: (index) => (index === count ? label : labelAt(index)) }
}
