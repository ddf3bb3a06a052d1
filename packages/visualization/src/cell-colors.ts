import { approximate, compare, readDecimal } from '@querypost/answers'
import type { ColorRule } from './column-settings.ts'
import { type Field, isNumeric, textOf } from './fields.ts'
import { mixColors } from './hex-color.ts'

/** The color that the first matching rule gives a value; null if none does. Pages show it as a tint behind the text. */
export type CellColors = (value: unknown) => string | null

/** `values` are the column's, which a color scale spans. */
export function cellColors(field: Field, rules: readonly ColorRule[], values: readonly unknown[]): CellColors {
  const matchers = rules.map((rule) => (rule.when === 'scale' ? onScale(rule, values) : matching(field, rule)))
  return (value) => {
    if (value === null || value === undefined) return null
    for (const colorOf of matchers) {
      const color = colorOf(value)
      if (color !== null) return color
    }
    return null
  }
}

function onScale({ from, to }: Extract<ColorRule, { when: 'scale' }>, values: readonly unknown[]): CellColors {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of values) {
    const number = approximateOf(value)
    if (number === null) continue
    lowest = Math.min(lowest, number)
    highest = Math.max(highest, number)
  }
  return (value) => {
    const number = approximateOf(value)
    if (number === null) return null
    const share = highest > lowest ? (number - lowest) / (highest - lowest) : 1
    return mixColors(from, to, Math.min(1, Math.max(0, share)))
  }
}

const approximateOf = (value: unknown): number | null => {
  const number = readDecimal(value)
  return number ? approximate(number) : null
}

type Condition = Exclude<ColorRule, { when: 'scale' }>

function matching(field: Field, rule: Condition): CellColors {
  const matches = rule.when === 'contains' ? containing(field, rule) : comparing(field, rule)
  return (value) => (matches(value) ? rule.color : null)
}

function containing(field: Field, { value: part }: Condition): (value: unknown) => boolean {
  const sought = String(part).toLowerCase()
  return (value) => textOf(field, value)?.toLowerCase().includes(sought) ?? false
}

/** Numbers are compared exactly. Dates compare as text, since they are written from the largest unit to the smallest. */
function comparing(field: Field, rule: Condition): (value: unknown) => boolean {
  const test = comparisons[rule.when as Exclude<Condition['when'], 'contains'>]
  const order = isNumeric(field) || typeof rule.value === 'number' ? compareDecimals : compareTexts
  return (value) => test((limit) => order(value, limit), rule)
}

type CompareTo = (limit: string | number) => number | null

const isAbove = (result: number | null) => result !== null && result > 0
const isBelow = (result: number | null) => result !== null && result < 0
const isFrom = (result: number | null) => result !== null && result >= 0
const isUpTo = (result: number | null) => result !== null && result <= 0

const comparisons = {
  above: (compareTo: CompareTo, { value }: Condition) => isAbove(compareTo(value)),
  below: (compareTo: CompareTo, { value }: Condition) => isBelow(compareTo(value)),
  between: (compareTo: CompareTo, { value, to = Number.NaN }: Condition) => isFrom(compareTo(value)) && isUpTo(compareTo(to)),
  equals: (compareTo: CompareTo, { value }: Condition) => compareTo(value) === 0,
}

function compareDecimals(value: unknown, limit: unknown): number | null {
  const [first, second] = [readDecimal(value), readDecimal(limit)]
  return first && second ? compare(first, second) : null
}

function compareTexts(value: unknown, limit: unknown): number | null {
  const [first, second] = [String(value), String(limit)]
  return first < second ? -1 : first > second ? 1 : 0
}
