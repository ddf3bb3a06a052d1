import type { Column } from '../classify-columns.ts'
import { absolute, type Decimal, decimalText, roundToDigits, signOf } from '../decimal.ts'
import { differenceText, numberText, onOneLine, percentText } from '../format.ts'
import type { ResultView } from '../result-view.ts'
import { readTime, type Step } from '../time-steps.ts'
import type { NumberValue, ValueUnit } from './compare-values.ts'
import type { Comparison, Style } from './expression.ts'

export interface PrintedValue {
  text: string
  value: string
  unit: string
}

interface NumberOptions {
  kind: Comparison['kind'] | null
  style: Style | null
  isIdentifier: boolean
}

export function printNumber(value: NumberValue, options: NumberOptions): PrintedValue {
  return { text: numberWords(value, options), value: decimalText(value.number), unit: value.unit }
}

/** Enough to know the size of a typical value. */
const aboutDigits = 3

function numberWords(value: NumberValue, { kind, style, isIdentifier }: NumberOptions): string {
  if (isIdentifier) return decimalText(value.number)
  switch (kind) {
    case 'change':
      return changeWords(value, style)
    case 'difference':
      if (style === 'verb') return verbWords(value, `by ${amountText(value, style)}`)
      return style === 'amount' ? amountText(value, style) : signedText(value, style)
    case 'share':
      return amountText(value, style)
    case 'ratio':
      return `${ratioText(value.number)} times`
    case null:
      if (style === 'about') return `about ${numberText(roundToDigits(value.number, aboutDigits), plainUnit(value.unit))}`
      return style === 'exact' ? exactText(value.number, value.unit) : numberText(value.number, plainUnit(value.unit))
  }
}

/** "up 12.3%", "rose 12.3%", "12.3%"; for percentages "up 2.1 points". */
function changeWords(value: NumberValue, style: Style | null): string {
  const amount = amountText(value, style)
  if (style === 'amount') return amount
  if (style === 'verb') return verbWords(value, amount)
  const sign = signOf(value.number)
  return sign === 0 ? 'unchanged' : `${sign > 0 ? 'up' : 'down'} ${amount}`
}

function verbWords({ number }: NumberValue, amount: string): string {
  const sign = signOf(number)
  return sign === 0 ? 'did not change' : `${sign > 0 ? 'rose' : 'fell'} ${amount}`
}

/** Without its sign. */
function amountText({ number, rounded, unit }: NumberValue, style: Style | null): string {
  const size = absolute(number)
  if (style === 'exact') return exactText(size, unit)
  if (rounded) return percentOrZero(rounded, size)
  return withSuffix(numberText(size, plainUnit(unit), { isPercentage: isPercentage(unit) }), unit)
}

/** "0%" is exactly zero; "less than 0.1%" is not. */
const percentOrZero = (rounded: Decimal, exact: Decimal) => (signOf(exact) === 0 ? '0%' : percentText(rounded))

function signedText({ number, unit }: NumberValue, style: Style | null): string {
  if (style === 'exact') return `${signOf(number) > 0 ? '+' : ''}${exactText(number, unit)}`
  return withSuffix(differenceText(number, plainUnit(unit), { isPercentage: isPercentage(unit) }), unit)
}

const isPercentage = (unit: ValueUnit) => unit === '%' || unit === 'points'
const plainUnit = (unit: ValueUnit) => (unit === 'points' || unit === 'times' ? '' : unit)
const withSuffix = (text: string, unit: ValueUnit) => (unit === 'points' ? `${text} points` : text)

const exactFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 100 })

function exactText(number: Decimal, unit: ValueUnit): string {
  const text = exactFormat.format(decimalText(absolute(number)) as `${number}`)
  const signed = signOf(number) < 0 ? '−' : ''
  if (unit === '%') return `${signed}${text}%`
  if (unit === 'points' || unit === 'times') return `${signed}${text} ${unit}`
  return unit === '' ? `${signed}${text}` : `${signed}${unit} ${text}`
}

const oneplace = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })
const twoDigits = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 })

function ratioText(ratio: Decimal): string {
  const text = decimalText(ratio) as `${number}`
  return ratio.units < 10n ** BigInt(ratio.scale) ? twoDigits.format(text) : oneplace.format(text)
}

interface CellOptions {
  view: ResultView
  column: Column
  style: Style | null
}

/** Longer cells are texts, not labels. */
const maxCellLength = 200

export function printCell(cell: unknown, { view, column, style }: CellOptions): PrintedValue {
  const raw = String(cell)
  const ms = column.role === 'time' && style !== 'exact' ? readTime(cell) : undefined
  const step = view.labelColumns.find((one) => one.column === column)?.step
  const line = onOneLine(raw)
  const text = ms === undefined ? line.slice(0, maxCellLength).replace(/[\uD800-\uDBFF]$/, '') || 'empty' : timeText(ms, step)
  return { text, value: raw, unit: '' }
}

const monthNames = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** "Mar 2025", "Q1 2025", "2025", "2025-03-01", "2025-03-01 07:00". */
export function timeText(ms: number, step: Step | undefined): string {
  const date = new Date(ms)
  const year = date.getUTCFullYear()
  const iso = date.toISOString()
  switch (step) {
    case 'year':
      return date.getUTCMonth() === 0 ? String(year) : iso.slice(0, 10)
    case 'quarter':
      return date.getUTCMonth() % 3 === 0 ? `Q${date.getUTCMonth() / 3 + 1} ${year}` : iso.slice(0, 10)
    case 'month':
      return `${monthNames[date.getUTCMonth()]} ${year}`
    case 'week':
    case 'day':
      return iso.slice(0, 10)
    case 'hour':
      return iso.slice(0, 16).replace('T', ' ')
    case undefined:
      return iso.slice(0, 19).replace('T', ' ')
  }
}
