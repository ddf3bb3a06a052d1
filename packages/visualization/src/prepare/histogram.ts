import { axisFormatter } from '../format.ts'
import { findSettings } from '../column-settings.ts'
import { numberOf } from '../fields.ts'
import type { ChartShape } from '../shape.ts'
import { drawnColumn, seriesBase } from './drawn-columns.ts'
import type { ChartInput, PreparedChart } from './prepared-chart.ts'

const maxBins = 200

/** How often the values of a column fall into each interval. An interval includes its lower bound; the last one both. */
export function prepareHistogram(input: ChartInput, shape: ChartShape): Pick<PreparedChart, 'category' | 'series' | 'notes' | 'problems'> {
  const { rows, columns, locale } = input
  const series = shape.series.find((each) => each.key !== null)
  const column = drawnColumn(input, series!.key!)!
  const numbers = rows.flatMap((row, at) => {
    const value = numberOf(column.valueIn(row))
    return value === null ? [] : [{ row: at, value }]
  })
  const { bins } = series!.part.props
  const edges = binEdges(numbers.map(({ value }) => value), typeof bins === 'number' ? bins : undefined)
  const groups: number[][] = Array.from({ length: edges.length - 1 }, () => [])
  for (const { row, value } of numbers) groups[binOf(value, edges)]!.push(row)
  const format = axisFormatter(column.field, findSettings(columns, column.field.name), locale)
  const text = (value: number) => format(Number(value.toPrecision(12))) ?? String(value)
  const count = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const placeOf = (value: unknown) => {
    const number = numberOf(value)
    return number === null || number < edges[0]! || number > edges.at(-1)! ? null : binOf(number, edges)
  }
  return {
    category: {
      field: column.field,
      title: column.title,
      count: groups.length,
      labelAt: (index) => `${text(edges[index]!)} – ${text(edges[index + 1]!)}`,
      positions: null,
      isTime: false,
      labelOf: text,
      placeOf,
    },
    series: [
      {
        ...seriesBase(column, series!),
        field: { name: 'count', type: 'integer' },
        values: groups.map((group) => group.length),
        textAt: (point) => `${count.format(groups[point]!.length)} (${percent.format(groups[point]!.length / numbers.length)})`,
        rowsAt: (point) => groups[point]!,
      },
    ],
    notes: [],
    problems: [],
  }
}

/**
 * The bounds of the intervals. With a given count, they divide the range from the lowest to the highest value equally. Otherwise
 * Sturges' rule, ⌈log₂ n⌉ + 1, says how many to aim for, and their width is rounded up to 1, 2 or 5 times a power of ten.
 */
export function binEdges(values: readonly number[], count?: number): number[] {
  const low = values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
  const high = values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  if (values.length === 0) return [0, 1]
  if (low === high) return [low, low + 1]
  if (count !== undefined && Number.isInteger(count) && count >= 1) {
    const bins = Math.min(count, maxBins)
    return Array.from({ length: bins + 1 }, (_, at) => low + ((high - low) * at) / bins)
  }
  const target = Math.ceil(Math.log2(values.length)) + 1
  const width = niceWidth((high - low) / target, values.every(Number.isInteger))
  const first = Math.floor(low / width)
  // The highest value belongs into an interval, also if it is a bound.
  const last = Math.floor(high / width) + 1
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * width)
}

function niceWidth(width: number, areIntegers: boolean): number {
  const power = 10 ** Math.floor(Math.log10(width))
  const nice = ([1, 2, 5, 10].find((step) => step * power >= width * 0.999) ?? 10) * power
  return areIntegers ? Math.max(1, nice) : nice
}

/** The range may be too large for a number, so the bounds are compared one by one. */
function binOf(value: number, edges: number[]): number {
  return Math.min(edges.length - 2, Math.max(0, edges.findLastIndex((edge) => edge <= value)))
}
