import type { Unit } from '../classify-columns.ts'
import { compare, type Decimal, divide, percentChange, percentOf, signOf, subtract } from '../decimal.ts'
import type { Evaluated } from './evaluate.ts'
import { type Comparison, ExpressionError } from './expression.ts'
import { quotientPlaces } from './gather.ts'

/** The unit of a value: a column's unit, or one that a comparison has. */
export type ValueUnit = Unit | 'points' | 'times'

export interface NumberValue {
  /** Exact, or rounded to ten places where the exact number has no end. */
  number: Decimal
  /** Rounded for reading, if that is not up to the printing. */
  rounded: Decimal | null
  unit: ValueUnit
}

const hundred: Decimal = { units: 100n, scale: 0 }
const timesHundred = ({ units, scale }: Decimal): Decimal => ({ units: units * hundred.units, scale })

/** Counts have no unit. */
export const unitOf = ({ operand, column }: Evaluated): Unit => (operand.kind === 'count' ? '' : (column?.unit ?? ''))

export function compareValues(kind: Comparison['kind'], base: Evaluated, subject: Evaluated): NumberValue {
  const [from, to] = [numberOf(base, kind), numberOf(subject, kind)]
  const unit = unitOf(subject)
  if (unit !== unitOf(base)) throw new ExpressionError(`${kind}(…) needs two values of the same unit.`)
  return compareNumbers(kind, { from, to, unit })
}

/** `from` is what is compared with; for shares the whole, for ratios the second number. */
export function compareNumbers(kind: Comparison['kind'], { from, to, unit }: { from: Decimal; to: Decimal; unit: Unit }): NumberValue {
  switch (kind) {
    case 'change': {
      // Percentages change in points.
      if (unit === '%') return { number: subtract(to, from), rounded: null, unit: 'points' }
      const rounded = percentChange(from, to)
      if (!rounded) throw new ExpressionError('There is no change in percent from zero or across zero. Use difference(…).')
      const size = from.units < 0n ? { ...from, units: -from.units } : from
      return { number: divide(timesHundred(subtract(to, from)), size, quotientPlaces), rounded, unit: '%' }
    }
    case 'difference':
      return { number: subtract(to, from), rounded: null, unit: unit === '%' ? 'points' : unit }
    case 'share': {
      const rounded = percentOf(to, from)
      if (!rounded) throw new ExpressionError('A share needs a part that is not negative and a whole that is more than zero.')
      if (compare(to, from) > 0) throw new ExpressionError('The part is larger than the whole. share(part, whole) takes the part first.')
      return { number: divide(timesHundred(to), from, quotientPlaces), rounded, unit: '%' }
    }
    case 'ratio':
      if (signOf(from) <= 0 || signOf(to) <= 0) throw new ExpressionError('A ratio needs two numbers that are more than zero.')
      return { number: divide(to, from, quotientPlaces), rounded: null, unit: 'times' }
  }
}

function numberOf({ value, operand, column }: Evaluated, kind: string): Decimal {
  if (value.kind !== 'number' || (column?.role === 'key' && operand.kind !== 'count')) {
    throw new ExpressionError(`${kind}(…) needs numbers; ${operand.column} names rows.`)
  }
  return value.number
}
