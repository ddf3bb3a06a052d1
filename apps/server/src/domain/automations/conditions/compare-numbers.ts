import type { Comparison } from '../../../model/automation.ts'

/**
 * Numbers are compared by their decimal digits, not as JavaScript numbers: results contain integers beyond 2^53 and decimals with
 * many places, both as strings, and a written 0.1 means exactly one tenth.
 */
interface Decimal {
  /** The value is `digits` × 10^`exponent`. */
  digits: bigint
  exponent: number
}

const written = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/
const infinities: Record<string, number> = { Infinity: 1, '-Infinity': -1 }

/** Whether the value is a number that compares this way with `number`. NaN and non-numbers never match, not even with `!=`. */
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

/** Negative, zero or positive; undefined if `value` is not a number. */
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
