import { axisIdOf, type ChartElement } from '../chart-element.ts'
import { findColumn } from '../columns.ts'
import { isTime, numberOf } from '../fields.ts'
import type { ChartShape } from '../shape.ts'
import { axisUse, distinctValues, keyOf, makeCategory, numberedCategory } from './category.ts'
import { linearTrend, movingAverage } from './derived-lines.ts'
import { cellColors, countText, drawnColumn, exactValue, seriesBase, valueText } from './drawn-columns.ts'
import { withMissingPeriods } from './missing-periods.ts'
import type { Category, ChartInput, DrawnSeries, PreparedChart } from './prepared-chart.ts'
import { offersFor, repeatedCategories } from './repeated-categories.ts'
import { otherColor, type RowGroup, splitRows } from './split-rows.ts'
import { keepExtremes } from './thin-out.ts'

export const maxPoints = 2000
/** Bars need some width to be distinguishable. */
export const maxBarRows = 500

type Plotted = Pick<PreparedChart, 'category' | 'series' | 'notes' | 'problems' | 'splitOffers'>

/** Lines, bars and areas over categories or time. */
export function prepareCartesian(input: ChartInput, shape: ChartShape): Plotted {
  const axis = input.element.children.find(({ name }) => name === (shape.isHorizontal ? 'YAxis' : 'XAxis'))
  const column = shape.categoryKey === null ? undefined : findColumn(input.fields, shape.categoryKey)
  const isSplit = shape.series.some(({ splitKey }) => splitKey !== null)
  const isRepeated = !isSplit && column !== undefined && repeatedCategories(input, column)
  const splitOffers = isRepeated ? offersFor(input, { column, shape }) : []
  if (isRepeated && shape.series.some(({ kind }) => kind !== 'bar')) {
    const remedy = splitOffers.length > 0 ? 'Split the chart by a column that tells them apart' : 'Group the rows in the SQL'
    const problem = `Several rows have the same “${column.field.name}”, so a line would jump between them. ${remedy}.`
    return { category: null, series: [], notes: [], problems: [problem], splitOffers }
  }
  const gathered = isSplit && column ? gatherSplit(input, shape, column) : gatherRows(input, shape, column)
  const category = column
    ? makeCategory(input, column, gathered.values, axisUse(axis, column))
    : numberedCategory(gathered.values.length)
  const logarithmic = withoutNonPositive(gathered.series, input.element)
  const series = asShares(logarithmic.series, input).flatMap((each) => [each].concat(derivedLines(each, category, input.locale)))
  const kept = keepPoints(input, { category, series })
  const repeatedNotes = isRepeated ? [`Several rows have the same “${column.field.name}”. Each is drawn as its own bar.`] : []
  return {
    category: kept.places ? pickCategory(category, kept.places) : category,
    series: kept.places ? series.map((each) => pickPoints(each, kept.places!)) : series,
    notes: [...kept.notes, ...repeatedNotes, ...gathered.notes, ...logarithmic.notes],
    problems: [],
    splitOffers,
  }
}

interface Gathered {
  /** The value of each category. */
  values: unknown[]
  series: DrawnSeries[]
  notes: string[]
}

const notFilled = 'Missing periods are not filled in, because the times are on no common step or too far apart.'

/** Each row is one category. */
function gatherRows(input: ChartInput, shape: ChartShape, column: ReturnType<typeof findColumn>): Gathered {
  const { rows, element } = input
  const missing = missingOf(element)
  const ownValues = rows.map((row, at) => (column ? column.valueIn(row) : at))
  const filled = missing && column && isTime(column.field) ? withMissingPeriods(column.field, ownValues) : undefined
  const rowOf = new Map(filled ? ownValues.map((value, row) => [keyOf(value), row]) : [])
  const values = filled ?? ownValues
  const rowAt = (point: number) => (filled ? rowOf.get(keyOf(filled[point])) : point)
  const series = shape.series.flatMap((each): DrawnSeries[] => {
    const drawn = each.key === null ? undefined : drawnColumn(input, each.key)
    if (!drawn) return []
    const color = cellColors(each.part)
    const valueAt = (point: number) => {
      const row = rowAt(point)
      return row === undefined ? (missing === 'zero' ? 0 : null) : drawn.valueIn(rows[row]!)
    }
    return [
      {
        ...seriesBase(drawn, each),
        values: values.map((_, point) => numberOf(valueAt(point))),
        textAt: (point) => valueText(drawn, each.part, valueAt(point)),
        rowsAt: (point) => [rowAt(point)].filter((row) => row !== undefined),
        colorAt: (point) => color(rowAt(point)),
      },
    ]
  })
  return { values, series, notes: filled === null ? [notFilled] : [] }
}

/** One series per value of a column; rows of one category and series are added up. */
function gatherSplit(input: ChartInput, shape: ChartShape, column: NonNullable<ReturnType<typeof findColumn>>): Gathered {
  const missing = missingOf(input.element)
  const distinct = distinctValues(column, input.rows.map((row) => column.valueIn(row)))
  const filled = missing && isTime(column.field) ? withMissingPeriods(column.field, distinct) : undefined
  const values = filled ?? distinct
  const notes = filled === null ? [notFilled] : []
  const places = new Map(values.map((value, at) => [keyOf(value), at]))
  const placeOf = (row: readonly unknown[]) => places.get(keyOf(column.valueIn(row)))!
  const measures = shape.series.filter(({ key }) => key !== null)
  const series = measures.flatMap((each) => {
    const drawn = drawnColumn(input, each.key!)!
    const split = splitRows(input, { series: each, column: drawn, placeOf })
    notes.push(...split.notes)
    const drawGroup = ({ name, isOther, rowsAt }: RowGroup): DrawnSeries => {
      const valueAt = (point: number) => {
        const rows = rowsAt(point)
        return rows.length === 0 ? (missing === 'zero' ? 0 : null) : exactValue(input, drawn, rows)
      }
      const base = seriesBase(drawn, each)
      return {
        ...base,
        name: name === null ? base.name : measures.length > 1 ? `${base.name}: ${name}` : name,
        // One given color cannot tell several series apart.
        color: name === null ? base.color : isOther ? otherColor : null,
        values: values.map((_, point) => numberOf(valueAt(point))),
        textAt: (point) => valueText(drawn, each.part, valueAt(point)),
        rowsAt,
      }
    }
    return split.groups.map(drawGroup)
  })
  return { values, series, notes: [...new Set(notes)] }
}

function missingOf({ props }: ChartElement): 'gap' | 'zero' | 'connect' | null {
  const { missing } = props
  return missing === 'gap' || missing === 'zero' || missing === 'connect' ? missing : null
}

/** A logarithmic axis has no place for zero and negative values. */
function withoutNonPositive(series: DrawnSeries[], { children }: ChartElement): { series: DrawnSeries[]; notes: string[] } {
  const ids = new Set(
    children.filter(({ props }) => props['scale'] === 'log').map(({ props }) => axisIdOf(props['yAxisId'] ?? props['xAxisId'])),
  )
  let isLess = false
  const drawn = series.map((each) => {
    if (!ids.has(each.axisId)) return each
    const values = each.values.map((value) => (value !== null && value <= 0 ? null : value))
    isLess ||= each.values.some((value) => value !== null && value <= 0)
    return { ...each, values }
  })
  return { series: drawn, notes: isLess ? ['Values of zero or less are not shown, because the axis is logarithmic.'] : [] }
}

/** With `stackOffset="expand"`, the values of a stack become shares of their sum. */
function asShares(series: DrawnSeries[], { element, locale }: ChartInput): DrawnSeries[] {
  if (element.props['stackOffset'] !== 'expand') return series
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const sums = new Map<string, number[]>()
  for (const { stackId, values } of series) {
    if (stackId === null) continue
    const sum = sums.get(stackId) ?? values.map(() => 0)
    for (const [at, value] of values.entries()) sum[at] = sum[at]! + Math.abs(value ?? 0)
    sums.set(stackId, sum)
  }
  return series.map((each) => {
    const sum = each.stackId === null ? undefined : sums.get(each.stackId)
    if (!sum) return each
    const values = each.values.map((value, at) => (value === null || sum[at] === 0 ? null : value / sum[at]!))
    const textAt = (point: number) => {
      const share = values[point] ?? null
      return share === null ? each.textAt(point) : `${each.textAt(point)} (${percent.format(share)})`
    }
    return { ...each, isShare: true, values, textAt }
  })
}

function derivedLines(series: DrawnSeries, { positions }: Category, locale: string | undefined): DrawnSeries[] {
  const { trend, movingAverage: count } = series.part.props
  const lines: DrawnSeries[] = []
  const derive = (kind: 'trend' | 'movingAverage', name: string, values: (number | null)[] | null) => {
    if (!values) return
    const number = new Intl.NumberFormat(locale, { maximumSignificantDigits: 6 })
    lines.push({
      ...series,
      kind: 'line',
      name,
      stackId: null,
      derivedFrom: kind,
      values,
      textAt: (point) => (values[point] === null ? '–' : number.format(values[point]!)),
      rowsAt: () => [],
      colorAt: () => null,
    })
  }
  if (trend === 'linear') derive('trend', `${series.name}: trend`, linearTrend(series.values, positions))
  if (typeof count === 'number' && Number.isInteger(count) && count > 1) {
    derive('movingAverage', `${series.name}: average of ${count}`, movingAverage(series.values, count))
  }
  return lines
}

function keepPoints(input: ChartInput, { category, series }: { category: Category; series: DrawnSeries[] }): { places: number[] | null; notes: string[] } {
  const isBars = series.some(({ kind }) => kind === 'bar')
  const maxRows = Math.min(input.maxRows ?? maxPoints, isBars ? maxBarRows : maxPoints)
  const rowCount = category.count
  const count = new Intl.NumberFormat(input.locale)
  if (input.rowCount !== undefined && input.rowCount > input.rows.length) {
    return { places: null, notes: [`Showing ${count.format(rowCount)} of ${countText(input.rowCount, 'row', count)}: ${extremesAndEnds}.`] }
  }
  if (rowCount <= maxRows) return { places: null, notes: [] }
  const noun = rowCount === input.rows.length ? 'row' : 'point'
  const all = countText(rowCount, noun, count)
  if (isBars && category.field?.type === 'string') {
    const note = `Showing the first ${count.format(maxRows)} of ${all}. Group or limit the rows in the SQL to see all of them.`
    return { places: Array.from({ length: maxRows }, (_, at) => at), notes: [note] }
  }
  const places = keepExtremes({ rowCount, maxRows, series: series.map(({ values }) => (at: number) => values[at]!) })
  return { places, notes: [`Showing ${count.format(places.length)} of ${all}: ${extremesAndEnds}.`] }
}

const extremesAndEnds = 'the highest and lowest values of each section, and both ends'

function pickCategory(category: Category, places: number[]): Category {
  const newPlaces = new Map(places.map((place, at) => [place, at]))
  return {
    ...category,
    count: places.length,
    labelAt: (index) => category.labelAt(places[index]!),
    positions: category.positions && places.map((place) => category.positions![place]!),
    placeOf(value) {
      const place = category.placeOf(value)
      return category.positions || place === null ? place : (newPlaces.get(place) ?? null)
    },
  }
}

function pickPoints(series: DrawnSeries, places: number[]): DrawnSeries {
  return {
    ...series,
    values: places.map((place) => series.values[place]!),
    textAt: (point) => series.textAt(places[point]!),
    rowsAt: (point) => series.rowsAt(places[point]!),
    colorAt: (point) => series.colorAt(places[point]!),
  }
}

