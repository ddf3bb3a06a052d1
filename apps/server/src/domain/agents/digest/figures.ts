import { changeOf, runBefore, runHere } from './compare-keys.ts'
import { totalOperand } from './operands.ts'
import { add, isAlmostEqual, readDecimal } from '@querypost/answers'
import type { Change, Figure } from './findings.ts'
import type { Observation } from '../../../model/observation.ts'
import type { Picture } from './picture.ts'

/** How many figures are reported besides the headline's. */
export const otherFigures = 3

/** Whether a change exceeds noise, which is one percent of the previous value. */
export const isBeyondNoise = (change: Change | null): boolean =>
  change !== null && !isAlmostEqual(change.from, add(change.from, change.difference))

/** The totals over all rows and their change since the last run. */
export function totalFigures(picture: Picture, previous: Observation | undefined): Figure[] {
  const earlier = new Map(previous?.totals)
  return picture.totals.map(({ column, total }) => ({
    column,
    value: total,
    place: totalOperand(column, runHere(picture, column)),
    change: changeOf(readDecimal(earlier.get(column.name)), total, totalOperand(column, runBefore(previous))),
  }))
}
