import { endOf, stepOf } from '@querypost/answers'
import { type Field, timeOf, timeText } from '../fields.ts'

/** More periods than this are not filled in: a typing error in one date would add thousands. */
const maxPeriods = 2000

/**
 * The values of a time column in order, with one for every hour, day, week, month, quarter or year that has none. The step is the
 * longest that all values are on. Null if they are on none, or too many are missing.
 */
export function withMissingPeriods(field: Field, values: readonly unknown[]): unknown[] | null {
  const known = new Map<number, unknown>()
  for (const value of values) {
    const time = timeOf(value)
    if (time === null) return null
    known.set(time, value)
  }
  const step = stepOf([...known.keys()])
  if (!step) return null
  const last = [...known.keys()].reduce((latest, time) => Math.max(latest, time), Number.NEGATIVE_INFINITY)
  let time = [...known.keys()].reduce((earliest, each) => Math.min(earliest, each), Number.POSITIVE_INFINITY)
  const filled: unknown[] = []
  for (; time <= last; time = endOf(time, step)) {
    if (filled.length > maxPeriods) return null
    filled.push(known.get(time) ?? timeText(field, time))
  }
  return filled
}
