import type { Comparison } from '../../../model/automation.ts'

/**
 * Numbers are compared as they are written, digit by digit, not as JavaScript would hold them: results have integers beyond 2^53 and
 * decimals with many places, both as texts, and 0.1 written down is meant to be a tenth.
 */
interface Decimal {
  /** The value is `digits` × 10^`exponent`. */
  digits: bigint
  exponent: number
}

const written = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/
const infinities: Record<string, number> = { Infinity: 1, '-Infinity': -1 }

/** Whether it is a number, and compares so with another. NaN and whatever is no number compare with nothing, not even by `!=`. */
export function compares(value: unknown, comparison: Comparison, number: number): boolean {
  const order = orderOf(value, number)
  if (order === undefined) return false
  switch (comparison) {
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '=':
      return order === 0
    case '!=':
      return order !== 0
  }
}

/** Negative, zero or positive; undefined where `value` is no number. */
function orderOf(value: unknown, number: number): number | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  const text = String(value)
  if (text in infinities) return infinities[text]
  const one = read(text)
  const other = read(String(number))
  if (!one || !other) return undefined
  const exponent = Math.min(one.exponent, other.exponent)
  const [left, right] = [one, other].map((each) => each.digits * 10n ** BigInt(each.exponent - exponent)) as [bigint, bigint]
  return left === right ? 0 : left > right ? 1 : -1
}

function read(text: string): Decimal | undefined {
  const [, sign, whole, fraction = '', exponent = '0'] = written.exec(text) ?? []
  if (whole === undefined) return undefined
  const digits = BigInt(whole + fraction)
  return { digits: sign === '-' ? -digits : digits, exponent: Number(exponent) - fraction.length }
}
