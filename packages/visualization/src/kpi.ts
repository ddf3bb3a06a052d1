import { absolute, compare, type Decimal, decimalText, percentChange, percentOf, readDecimal, signOf, subtract } from '@querypost/answers'
import { type CellFormatter, isPercent } from './cell-formatter.ts'
import { type ColumnSettings, columnTitle, findSettings } from './column-settings.ts'
import { type Column, findColumn } from './columns.ts'
import { padDecimals, writtenDecimals } from './exact-sum.ts'
import { type Field, numberOf, timeOf, timeText } from './fields.ts'
import { formatter } from './format.ts'
import type { ShownNumber } from './one-number.ts'
import { makeAggregate } from './totals.ts'

/**
 * A single number with its context, as texts ready to show. Rows of the same time count as one *period*, and their values are added up.
 * The latest period that has a value is shown; the one before it that has a value is what it is compared with, and is named.
 */
export interface Kpi {
  caption: string
  text: string
  /** The period of the value: `Mar 2025`. */
  period: string | null
  comparison: KpiComparison | null
  target: KpiTarget | null
  /** The values of all periods, oldest first; null where a period has none. */
  sparkline: (number | null)[] | null
  notes: string[]
  problems: string[]
}

export interface KpiComparison {
  /** The period compared with. */
  period: string
  direction: 'up' | 'down' | 'same'
  /** Null if nothing changed. */
  isGood: boolean | null
  /** With its sign: `+1,234`. Between percentages: `+0.2 points`. */
  difference: string
  /** With its sign: `+12.3%`. Null where a percentage is meaningless: from zero, across it, or of percentages. */
  percent: string | null
  previous: string
}

export interface KpiTarget {
  text: string
  /** How much of the target is reached, from 0. Null where that is meaningless, such as for negative values. */
  share: number | null
  shareText: string | null
  isReached: boolean
}

export interface KpiInput {
  fields: readonly Field[]
  rows: readonly (readonly unknown[])[]
  shown: ShownNumber
  columns?: readonly ColumnSettings[]
  locale?: string
}

/** More points than a small drawing can show. */
const maxSparklinePoints = 200

export function readKpi(input: KpiInput): Kpi {
  const { fields, shown, columns, locale } = input
  const column = shown.key === null ? (fields[0] && findColumn(fields, fields[0].name)) : findColumn(fields, shown.key)
  if (!column) return withProblem(`The result has no column “${shown.key ?? ''}”. Choose another.`)
  const time = shown.timeKey ? findColumn(fields, shown.timeKey) : undefined
  if (shown.timeKey && !time) return withProblem(`The result has no column “${shown.timeKey}”. Choose another.`)
  const { field } = column
  const settings = findSettings(columns, field.name)
  const format = withUnit(field, formatter(field, settings, locale), { settings, unit: shown.unit })
  const { periods, notes } = readPeriods(input, column, time)
  const latest = periods.findLastIndex(({ value }) => value !== null)
  const now = periods[latest === -1 ? 0 : latest]
  const previous = time && shown.isCompared ? periods.slice(0, Math.max(0, latest)).findLast(({ value }) => value !== null) : undefined
  return {
    caption: shown.caption ?? columnTitle(field, settings),
    text: format(now?.value) ?? '–',
    period: time ? (now?.label ?? null) : null,
    comparison: previous && now ? compareWith(previous, now, { format, locale, isLowerBetter: shown.isLowerBetter === true }) : null,
    target: shown.target === null || shown.target === undefined ? null : readTarget(shown, now?.value, { format, locale }),
    sparkline: time && shown.hasSparkline && periods.length > 1 ? sparklineOf(periods) : null,
    notes,
    problems: [],
  }
}

const withProblem = (problem: string): Kpi => ({
  caption: '', text: '–', period: null, comparison: null, target: null, sparkline: null, notes: [], problems: [problem],
})

interface Period {
  label: string
  value: unknown
}

/** Without a column of times, only the first row counts. */
function readPeriods(
  { rows, columns, locale }: KpiInput,
  column: Column,
  time: Column | undefined,
): { periods: Period[]; notes: string[] } {
  const [first] = rows
  if (!time) return { periods: first ? [{ label: '', value: column.valueIn(first) ?? null }] : [], notes: [] }
  const byTime = new Map<number, unknown[]>()
  for (const row of rows) {
    const at = timeOf(time.valueIn(row))
    if (at === null) continue
    const values = byTime.get(at)
    if (values) values.push(column.valueIn(row))
    else byTime.set(at, [column.valueIn(row)])
  }
  const labels = formatter(time.field, findSettings(columns, time.field.name), locale, rows.map((row) => time.valueIn(row)))
  const starts = [...byTime.keys()].sort((a, b) => a - b)
  const periods = starts.map((at) => ({ label: labels(timeText(time.field, at)) ?? '', value: added(byTime.get(at)!) }))
  const isAdded = [...byTime.values()].some((values) => values.length > 1)
  return { periods, notes: isAdded ? [`Values with the same ${time.field.name} are added up.`] : [] }
}

function added(values: unknown[]): unknown {
  if (values.length === 1) return values[0] ?? null
  const sum = makeAggregate('sum')
  for (const value of values) sum.add(value)
  return sum.result()
}

/** The column's own percent sign or unit is enough. */
function withUnit(
  field: Field,
  format: CellFormatter,
  { settings, unit }: { settings: ColumnSettings | undefined; unit: string | null },
): CellFormatter {
  const style = settings?.format?.style
  const hasOwnUnit = style ? style !== 'number' && style !== 'plain' : isPercent(field) && unit?.trim() === '%'
  if (!unit || hasOwnUnit) return format
  return (value) => {
    const text = format(value)
    return text === null ? null : `${text}${unit}`
  }
}

interface Printing {
  format: CellFormatter
  locale: string | undefined
}

function compareWith(
  previous: Period,
  now: Period,
  { format, locale, isLowerBetter }: Printing & { isLowerBetter: boolean },
): KpiComparison | null {
  const [from, to] = [readDecimal(previous.value), readDecimal(now.value)]
  if (!from || !to) return null
  const difference = subtract(to, from)
  const sign = signOf(difference)
  const decimals = decimalsOf(previous.value, now.value)
  const before = format(padDecimals(decimalText(from), decimals)) ?? '–'
  const change = signed(difference, format, decimals)
  const isPercentage = percentSign.test(before)
  const percent = isPercentage ? null : percentChange(from, to)
  return {
    period: previous.label,
    direction: sign > 0 ? 'up' : sign < 0 ? 'down' : 'same',
    isGood: sign === 0 ? null : sign > 0 !== isLowerBetter,
    difference: isPercentage ? change.replace(percentSign, ' points') : change,
    percent: percent && signed(percent, percentFormatter(locale)),
    previous: before,
  }
}

const percentSign = /\s?%$/

/** The number before and the difference have as many decimals as the values have. */
const decimalsOf = (...values: unknown[]) => Math.max(...values.map((value) => writtenDecimals(String(value))))

function signed(number: Decimal, format: CellFormatter, decimals = 0): string {
  const size = format(padDecimals(decimalText(absolute(number)), decimals)) ?? ''
  return `${['−', '', '+'][signOf(number) + 1]}${size}`
}

function percentFormatter(locale: string | undefined): CellFormatter {
  return formatter({ name: '', type: 'decimal' }, { format: { style: 'percent', decimals: 1 } }, locale)
}

function readTarget({ target, isLowerBetter }: ShownNumber, value: unknown, { format, locale }: Printing): KpiTarget {
  const [goal, reached] = [readDecimal(target), readDecimal(value)]
  const share = goal && reached ? percentOf(reached, goal) : null
  const order = goal && reached ? compare(reached, goal) : null
  return {
    text: format(target) ?? '',
    share: share && (numberOf(decimalText(share)) ?? 0) / 100,
    shareText: share && percentFormatter(locale)(decimalText(share)),
    isReached: order !== null && (isLowerBetter ? order <= 0 : order >= 0),
  }
}

/** The newest periods, if there are more than can be drawn. */
const sparklineOf = (periods: Period[]) => periods.slice(-maxSparklinePoints).map(({ value }) => numberOf(value))
