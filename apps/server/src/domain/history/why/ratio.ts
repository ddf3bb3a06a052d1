import { absolute, add, compare, type Decimal, divide, signOf, subtract, zero } from '@querypost/answers'

/**
 * A ratio N/D of two sums that changed from N₀/D₀ to N₁/D₁. By the midpoint method, a group that adds n to N and d to D contributes
 *
 *     n · (1/D₀ + 1/D₁)/2  −  d · (N₀ + N₁)/(2·D₀·D₁)
 *
 * The first term is the effect of the numerator, at the average of both denominators; the second that of the denominator, at the average of
 * both numerators. Over all groups, the contributions add up to N₁/D₁ − N₀/D₀ without a remainder.
 */
export interface RatioChange {
  numerator: { from: Decimal; to: Decimal }
  denominator: { from: Decimal; to: Decimal }
}

/** Printed places of a ratio. */
const places = 12

/** An exact quotient of two decimals. */
export interface Quotient {
  dividend: Decimal
  divisor: Decimal
}

export const ratioBefore = ({ numerator, denominator }: RatioChange): Decimal => divide(numerator.from, denominator.from, places)
export const ratioAfter = ({ numerator, denominator }: RatioChange): Decimal => divide(numerator.to, denominator.to, places)

/** What a change of the sums contributes. */
export function ratioEffect(total: RatioChange, change: { numerator: Decimal; denominator: Decimal }): Quotient {
  const { numerator, denominator } = total
  return {
    dividend: subtract(
      multiply(change.numerator, add(denominator.from, denominator.to)),
      multiply(change.denominator, add(numerator.from, numerator.to)),
    ),
    divisor: multiply({ units: 2n, scale: 0 }, multiply(denominator.from, denominator.to)),
  }
}

/**
 * Rounds quotients whose exact sum, rounded, is `total`, so that the printed numbers add up to it: the largest one absorbs what rounding
 * loses.
 */
export function roundTo(total: Decimal, quotients: Quotient[]): Decimal[] {
  const rounded = quotients.map(({ dividend, divisor }) => divide(dividend, divisor, places))
  const remainder = subtract(total, rounded.reduce(add, zero))
  if (signOf(remainder) === 0 || rounded.length === 0) return rounded
  const largest = rounded.reduce((best, number, index) => (compare(absolute(number), absolute(rounded[best]!)) > 0 ? index : best), 0)
  return rounded.with(largest, add(rounded[largest]!, remainder))
}

export const numeratorOnly = (change: { numerator: Decimal }) => ({ numerator: change.numerator, denominator: zero })
export const denominatorOnly = (change: { denominator: Decimal }) => ({ numerator: zero, denominator: change.denominator })

function multiply(a: Decimal, b: Decimal): Decimal {
  return { units: a.units * b.units, scale: a.scale + b.scale }
}
