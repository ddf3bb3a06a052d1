import { endOf, type Step } from '@querypost/answers'
import { asRows, changeOf, keyLength, movers, moversPoint, type Naming, placesByKey, runBefore, runHere } from './compare-keys.ts'
import { isBeyondNoise, otherFigures, totalFigures } from './figures.ts'
import type { Figure, Findings, Headline, KeyedFigure, PeriodName, Point } from './findings.ts'
import { conditionsOf, periodsOperand, type Place, type RunOf } from './operands.ts'
import type { Observation } from '../../../model/observation.ts'
import { beginOf, type Picture, type PictureRow } from './picture.ts'
import { unusualPeriods } from './unusual-points.ts'

/** How many of the latest periods are checked for unusual values. */
const judgedPeriods = 3

/**
 * A series reports its latest complete period compared with the previous one. Compared with the last run, it reports new periods,
 * and periods that were complete then and have been revised.
 */
export function seriesFindings(
  picture: Picture,
  previous: Observation | undefined,
): Pick<Findings, 'headline' | 'points' | 'isNotable'> {
  const { rows } = picture
  const { step, completeCount, parts } = picture.series!
  const complete = rows.slice(0, completeCount)
  const latest = complete.at(-1) ?? rows.at(-1)!
  const before = completeCount > 0 ? complete.at(-2) : rows.at(-2)
  const figures = figuresOf(picture, latest, before)
  const headline = headlineOf({ picture, figures, latest, before })
  const earlier = earlierPeriods(picture, previous)
  const isNews = !earlier || !earlier.complete.has(latest.key[0]!)
  const othersKeyCount = parts?.latest[0]?.key.length ?? 0
  const naming = parts && {
    keys: picture.others,
    length: keyLength([parts.before, parts.latest], othersKeyCount),
  }
  const moved = parts && naming ? moversPoint(partMovers(picture, { before: before!, latest }, naming), picture.main!, step) : []
  const firstNew = complete.findIndex((row) => !earlier?.complete.has(row.key[0]!))
  const judgeFrom = earlier ? Math.max(firstNew < 0 ? Infinity : firstNew, completeCount - judgedPeriods) : completeCount - 1
  const unusual = unusualPeriods(picture, { complete, from: judgeFrom, step })
  const revised = earlier ? revisions(picture, { complete, earlier, step }) : []
  const [total] = totalFigures(picture, previous)
  const running = completeCount > 0 ? rows[completeCount] : undefined
  const newPeriods = earlier ? complete.filter((row) => !earlier.complete.has(row.key[0]!)).length : 0
  const points: Point[] = [
    ...unusual,
    ...figures.slice(1, 1 + otherFigures).map((figure): Point => ({ kind: 'figure', figure, isTotal: false })),
    ...moved,
    ...revised,
    ...(newPeriods > 1 ? [{ kind: 'new_periods' as const, count: newPeriods, step, place: newPeriodsPlace(picture, { complete, earlier: earlier!, count: newPeriods }) }] : []),
    ...(total && total.column === picture.main ? [{ kind: 'figure' as const, figure: total, isTotal: true }] : []),
    ...(running ? soFar(picture, running, step) : []),
    ...(previous && !previous.rows ? [{ kind: 'not_comparable' as const, why: 'too_large_before' as const }] : []),
  ]
  const isChange = isNews && figures.some(({ change }) => isBeyondNoise(change))
  return { headline, points, isNotable: isChange || newPeriods > 1 || unusual.length > 0 || revised.length > 0 }
}

function figuresOf(picture: Picture, latest: PictureRow, before: PictureRow | undefined): Figure[] {
  return picture.values.flatMap((column, at) => {
    const value = latest.values[at]
    if (!value) return []
    const placeOf = placesByKey(column, periodNaming(picture), { run: runHere(picture, column) })
    return [{ column, value, place: placeOf(latest), change: changeOf(before?.values[at], value, before ? placeOf(before) : null) }]
  })
}

/** Periods are identified by their start. */
const periodNaming = ({ keys }: Picture): Naming => ({ keys, length: 1 })

/** The other keys whose main number moved between the two periods of the headline. */
function partMovers(picture: Picture, periods: { before: PictureRow; latest: PictureRow }, naming: Naming): KeyedFigure[] {
  const { keys, main } = picture
  const parts = picture.series!.parts!
  const placed = (rows: PictureRow[], period: PictureRow) => {
    const common = conditionsOf(period.key, keys)
    return { rows, placeOf: placesByKey(main!, naming, { run: runHere(picture, main!), common }) }
  }
  return movers(placed(parts.before, periods.before), placed(parts.latest, periods.latest), naming)
}

/** New periods are usually those after the last one that was complete. */
function newPeriodsPlace(
  { keys }: Picture,
  { complete, earlier, count }: { complete: PictureRow[]; earlier: EarlierPeriods; count: number },
): Place {
  const [after, upTo] = [earlier.rows.at(-1)?.key[0], complete.at(-1)?.key[0]]
  if (!after || !upTo || complete.at(-1 - count)?.key[0] !== after) return null
  return periodsOperand(keys[0]!, { after, upTo })
}

function headlineOf(options: {
  picture: Picture
  figures: Figure[]
  latest: PictureRow
  before: PictureRow | undefined
}): Headline {
  const { picture, latest, before } = options
  const { step, completeCount } = picture.series!
  const nameOf = (row: PictureRow): PeriodName => ({
    begin: row.key[0]!,
    step,
    isAdjacent: endOf(beginOf(row), step) === beginOf(latest),
  })
  const figure = options.figures[0]
  // All of the latest period's numbers are missing.
  if (!figure) return { kind: 'rows', rowCount: picture.rowCount, change: null }
  const isComplete = completeCount > 0
  return { kind: 'period', figure, period: nameOf(latest), before: before ? nameOf(before) : null, isComplete }
}

function soFar(picture: Picture, running: PictureRow, step: Step): Point[] {
  const value = running.values[0]
  if (!value) return []
  const column = picture.main!
  const place = placesByKey(column, periodNaming(picture), { run: runHere(picture, column) })(running)
  const figure = { column, value, place, change: null }
  return [{ kind: 'so_far', figure, period: { begin: running.key[0]!, step, isAdjacent: true } }]
}

interface EarlierPeriods {
  /** Starts of the periods that were complete in the last run. */
  complete: Set<string>
  rows: PictureRow[]
  run: RunOf
}

function earlierPeriods(picture: Picture, previous: Observation | undefined): EarlierPeriods | undefined {
  const observed = previous?.rows
  if (observed?.kind !== 'periods' || observed.keyColumns[0] !== picture.keys[0]?.name) return undefined
  const rows = asRows(observed, picture.values)
  const { incompleteFrom } = observed
  const complete = rows.filter(({ key: [begin] }) => incompleteFrom === null || begin! < incompleteFrom)
  return { rows: complete, run: runBefore(previous), complete: new Set(complete.map(({ key }) => key[0]!)) }
}

function revisions(
  picture: Picture,
  { complete, earlier, step }: { complete: PictureRow[]; earlier: EarlierPeriods; step: Step },
): Point[] {
  const { main } = picture
  if (!main) return []
  const naming = periodNaming(picture)
  const before = { rows: earlier.rows, placeOf: placesByKey(main, naming, { run: earlier.run }) }
  const now = { rows: complete, placeOf: placesByKey(main, naming, { run: runHere(picture, main) }) }
  // A period is named by its start alone.
  const all = movers(before, now, { keys: [], length: 1 })
  const largest = all[0]
  return largest ? [{ kind: 'revised', column: main, count: all.length, step, largest }] : []
}
