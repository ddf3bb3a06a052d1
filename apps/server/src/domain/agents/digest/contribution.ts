import { absolute, type Column, compare, type Decimal, readDecimal, signOf } from '@querypost/answers'
import type { Observation } from '../../../model/observation.ts'
import type { Breakdown, Contribution, MeasureChange } from '../../history/why/break-down.ts'
import { changeOf, nameOf, placesByKey, runBefore, runHere } from './compare-keys.ts'
import { isBeyondNoise } from './figures.ts'
import type { Figure, Findings, Point } from './findings.ts'
import { keyText, type Picture } from './picture.ts'
import { keptValue } from './read-observed-rows.ts'

/** The total in the summary whose change since the last run is worth explaining: the most important one that changed. */
export function totalToExplain({ headline, points, isNotable }: Findings): Figure | undefined {
  // Another query may give other figures for reasons that no row shows.
  if (!isNotable || points.some(({ kind }) => kind === 'query_changed')) return undefined
  const totals = points.flatMap((point) => (point.kind === 'figure' && point.isTotal ? [point.figure] : []))
  return [...(headline.kind === 'total' ? [headline.figure] : []), ...totals].find(({ change }) => isBeyondNoise(change))
}

/** What contributed most to the change of a total; empty if no part of the result stands out. */
export function contributionPoint(
  { column, change: explained }: { column: Column; change: MeasureChange },
  { picture, columns, previous }: { picture: Picture; columns: Column[]; previous: Observation },
): Point[] {
  const candidates = explained.breakdowns.flatMap((breakdown) => {
    const by = breakdown.columns.flatMap((name) => columns.find((each) => each.name === name) ?? [])
    const largest = largestOf(breakdown, explained)
    // Periods explain nothing: a later run has later ones.
    const isNamed = by.length === breakdown.columns.length && by.every(({ role }) => role === 'key')
    return largest && isNamed ? [{ by, ...largest }] : []
  })
  const most = candidates.toSorted((one, other) => compare(absolute(other.difference), absolute(one.difference)))[0]
  if (!most) return []
  const { by, values, before, after } = most
  const row = { key: values.map((value) => keyText(keptValue(value))), values: [] }
  const naming = { keys: by, length: by.length }
  const placeIn = (run: ReturnType<typeof runHere>) => placesByKey(column, naming, { run })(row)
  const change = changeOf(before, after, placeIn(runBefore(previous)))!
  return [{ kind: 'contribution', column, by, item: { name: nameOf(row, naming), value: after, place: placeIn(runHere(picture, column)), change } }]
}

interface Largest {
  values: unknown[]
  before: Decimal
  after: Decimal
  difference: Decimal
}

/** The largest contribution in the direction of the change. */
function largestOf({ contributions }: Breakdown, total: MeasureChange): Largest | undefined {
  // That everything contributed says nothing.
  const isPart = ({ before, after }: Contribution) => before !== total.before || after !== total.after
  const direction = signOf(readDecimal(total.difference)!)
  const isTowards = ({ difference }: Contribution) => signOf(readDecimal(difference)!) === direction
  const largest = contributions.filter(isPart).find(isTowards)
  return largest && { values: largest.values, ...exactly(largest) }
}

const exactly = ({ before, after, difference }: Contribution) => ({
  before: readDecimal(before)!,
  after: readDecimal(after)!,
  difference: readDecimal(difference)!,
})
