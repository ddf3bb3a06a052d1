import { absolute, add, compare, type Decimal, decimalText, subtract } from '@querypost/answers'
import type { ContributionGroups, Contributions, ExactNumber, Sums } from '../../../engines/duckdb/compare/row-comparer.ts'
import { numberOf } from './exact-numbers.ts'
import { denominatorOnly, numeratorOnly, type Quotient, type RatioChange, ratioAfter, ratioBefore, ratioEffect, roundTo } from './ratio.ts'

/** How a measure changed from one result to another. All numbers are exact, as text; the contributions of each list add up to `difference`. */
export interface MeasureChange {
  before: string
  after: string
  difference: string
  /** Only for ratios. They add up to the difference. */
  effects: { numerator: string; denominator: string } | null
  /** What rows that were added, removed and changed contribute. */
  rows: { added: string; removed: string; changed: string }
  breakdowns: Breakdown[]
}

/** The difference by the values of some columns. */
export interface Breakdown {
  columns: string[]
  /** Whether these are the columns that identify a row. */
  isKey: boolean
  contributions: Contribution[]
  /** All other values that contribute. */
  rest: { count: number; difference: string }
}

export interface Contribution {
  /** The values of the columns. */
  values: unknown[]
  /** The sums of the measure; null for ratios, where those of a group do not add up. */
  before: string | null
  after: string | null
  difference: string
}

interface Named {
  columns: string[]
  isKey: boolean
  groups: ContributionGroups[]
}

/** The change of each measure. `names` are those of the key and the dimensions in the order of the contributions. */
export function breakDown(
  found: Contributions,
  { measureCount, isRatio, key, dimensions }: { measureCount: number; isRatio: boolean; key: string[]; dimensions: string[] },
): MeasureChange[] {
  const named: Named[] = found.byKey.length > 0 ? [{ columns: key, isKey: true, groups: found.byKey }] : []
  for (const [index, groups] of found.byDimension.entries()) named.push({ columns: [dimensions[index]!], isKey: false, groups })
  if (isRatio) return [ratioChange(found, named)]
  return Array.from({ length: measureCount }, (_, measure) => additiveChange(found, measure, named))
}

const side = (sums: Sums, name: 'from' | 'to', measure: number) => numberOf(sums[name][measure]!)
const differenceOf = (sums: Sums, measure: number) => subtract(side(sums, 'to', measure), side(sums, 'from', measure))

function additiveChange({ totals, byOperation }: Contributions, measure: number, named: Named[]): MeasureChange {
  const text = (differences: ExactNumber[]) => decimalText(numberOf(differences[measure]!))
  return {
    before: decimalText(side(totals, 'from', measure)),
    after: decimalText(side(totals, 'to', measure)),
    difference: decimalText(differenceOf(totals, measure)),
    effects: null,
    rows: { added: text(byOperation.add), removed: text(byOperation.remove), changed: text(byOperation.change) },
    breakdowns: named.map(({ columns, isKey, groups }) => {
      const { largest, rest } = groups[measure]!
      const contributions = largest.map(({ values, sums }) => ({
        values: values.map((json) => JSON.parse(json) as unknown),
        before: decimalText(side(sums, 'from', measure)),
        after: decimalText(side(sums, 'to', measure)),
        difference: differenceOf(sums, measure),
      }))
      return { columns, isKey, contributions: inOrder(contributions), rest: { count: rest.count, difference: text(rest.differences) } }
    }),
  }
}

interface SumsChange {
  numerator: Decimal
  denominator: Decimal
}

const changeOf = (sums: Sums): SumsChange => ({ numerator: differenceOf(sums, 0), denominator: differenceOf(sums, 1) })
const changeBy = ([numerator, denominator]: ExactNumber[]): SumsChange => ({ numerator: numberOf(numerator!), denominator: numberOf(denominator!) })

const operations = ['add', 'remove', 'change'] as const

/** The measures are the numerator and the denominator, in this order. Neither denominator is zero. */
function ratioChange({ totals, byOperation }: Contributions, named: Named[]): MeasureChange {
  const total: RatioChange = {
    numerator: { from: side(totals, 'from', 0), to: side(totals, 'to', 0) },
    denominator: { from: side(totals, 'from', 1), to: side(totals, 'to', 1) },
  }
  const [before, after] = [ratioBefore(total), ratioAfter(total)]
  const difference = subtract(after, before)
  const effectOf = (change: SumsChange): Quotient => ratioEffect(total, change)
  const whole = changeOf(totals)
  const [ofNumerator, ofDenominator] = roundTo(difference, [ratioEffect(total, numeratorOnly(whole)), ratioEffect(total, denominatorOnly(whole))])
  const [added, removed, changed] = roundTo(difference, operations.map((op) => effectOf(changeBy(byOperation[op]))))
  return {
    before: decimalText(before),
    after: decimalText(after),
    difference: decimalText(difference),
    effects: { numerator: decimalText(ofNumerator!), denominator: decimalText(ofDenominator!) },
    rows: { added: decimalText(added!), removed: decimalText(removed!), changed: decimalText(changed!) },
    breakdowns: named.map(({ columns, isKey, groups }) => {
      const { largest, rest } = groups[0]!
      const effects = roundTo(difference, [...largest.map(({ sums }) => changeOf(sums)), changeBy(rest.differences)].map(effectOf))
      const contributions = largest.map(({ values }, index) => ({
        values: values.map((json) => JSON.parse(json) as unknown),
        before: null,
        after: null,
        difference: effects[index]!,
      }))
      return { columns, isKey, contributions: inOrder(contributions), rest: { count: rest.count, difference: decimalText(effects.at(-1)!) } }
    }),
  }
}

/** The largest first. DuckDB ranks by floating-point numbers, which may be wrong in the last digits. */
const inOrder = (contributions: (Omit<Contribution, 'difference'> & { difference: Decimal })[]): Contribution[] =>
  contributions
    .toSorted((one, other) => compare(absolute(other.difference), absolute(one.difference)))
    .map(({ values, before, after, difference }) => ({ values, before, after, difference: decimalText(difference) }))

/** The sum of exact numbers as texts. */
export const sumTexts = (numbers: Decimal[]): string => decimalText(numbers.reduce(add, { units: 0n, scale: 0 }))
