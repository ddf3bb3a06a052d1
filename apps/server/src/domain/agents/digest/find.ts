import { isDeepStrictEqual } from 'node:util'
import { asRows, changeOf, keyLength, keyPoints, nameOf, placesByKey, runBefore, runHere } from './compare-keys.ts'
import { rowsOperand, type RunOf, totalOperand, valueOperand } from './operands.ts'
import { compare, type Decimal } from '@querypost/answers'
import { isBeyondNoise, otherFigures, totalFigures } from './figures.ts'
import type { Figure, Findings, Headline, Point } from './findings.ts'
import { type Observation, rememberedKeys } from '../../../model/observation.ts'
import type { Picture } from './picture.ts'
import { seriesFindings } from './series.ts'
import { unusualKeys } from './unusual-points.ts'

/**
 * Finds what to report about a result, and how it differs from the previous observation. `now` is the observation that will be
 * stored for this result.
 */
export function find(
  picture: Picture,
  { previous, now }: { previous: Observation | undefined; now: Observation },
): Findings {
  const { headline, points, isNotable } =
    picture.kind === 'series' ? seriesFindings(picture, previous) : rowsFindings(picture, previous)
  const isSame =
    previous !== undefined &&
    isDeepStrictEqual([now.rowCount, now.totals, now.rows], [previous.rowCount, previous.totals, previous.rows])
  const first: Point[] = []
  if (!previous) first.push({ kind: 'first_report' })
  else if (previous.sqlHash !== now.sqlHash) first.push({ kind: 'query_changed' })
  return { headline, points: [...first, ...points], isNotable: !previous || (isNotable && !isSame), isSame }
}

const integer = (count: number): Decimal => ({ units: BigInt(count), scale: 0 })

/** Points that appear only when something changed. */
const changePoints = new Set<Point['kind']>(['unusual', 'movers', 'new_keys', 'vanished_keys'])

function rowsFindings(picture: Picture, previous: Observation | undefined) {
  const { kind, rowCount } = picture
  const rowChange = previous ? changeOf(integer(previous.rowCount), integer(rowCount), rowsOperand(runBefore(previous))) : null
  const figures = kind === 'figures' ? figureValues(picture, previous) : totalFigures(picture, previous)
  const [main, ...others] = figures
  const headline: Headline =
    main && kind === 'figures'
      ? { kind: 'figure', figure: main }
      : main && main.column === picture.main
        ? { kind: 'total', figure: main, rowCount }
        : { kind: 'rows', rowCount, change: rowChange }
  const hasRowHeadline = headline.kind === 'rows'
  const secondary = hasRowHeadline ? figures : others
  const isOtherCount = rowChange !== null && compare(rowChange.from, integer(rowCount)) !== 0
  const keyed = kind === 'keyed' ? keyedPoints(picture, previous) : []
  const points: Point[] = [
    ...keyed.filter((point) => point.kind === 'unusual'),
    ...secondary.slice(0, otherFigures).map((figure): Point => ({ kind: 'figure', figure, isTotal: kind !== 'figures' })),
    ...keyed.filter((point) => point.kind !== 'unusual'),
    ...(isOtherCount && !hasRowHeadline ? [{ kind: 'row_count' as const, rowCount, change: rowChange }] : []),
    ...(picture.isTooLarge ? [{ kind: 'not_comparable' as const, why: 'too_large' as const }] : []),
  ]
  const isNotable =
    isOtherCount ||
    figures.some(({ change }) => isBeyondNoise(change)) ||
    points.some((point) => changePoints.has(point.kind))
  return { headline, points, isNotable }
}

function figureValues(picture: Picture, previous: Observation | undefined): Figure[] {
  const values = picture.rows[0]?.values ?? []
  const isComparable = previous?.rows?.kind === 'keys' && previous.rows.keyColumns.length === 0
  const before = isComparable ? asRows(previous.rows!, picture.values)[0]?.values : undefined
  return picture.values.flatMap((column, at) => {
    const value = values[at]
    if (!value) return []
    const placeIn = (run: RunOf) => valueOperand(column, { conditions: [], run })
    return [{ column, value, place: placeIn(runHere(picture, column)), change: changeOf(before?.[at], value, placeIn(runBefore(previous))) }]
  })
}

const maxLargest = 3

function keyedPoints(picture: Picture, previous: Observation | undefined): Point[] {
  const { rows, keys, main } = picture
  if (!previous) {
    const naming = { keys, length: keyLength([rows], keys.length) }
    const placeOf = main ? placesByKey(main, naming, { run: runHere(picture, main) }) : () => null
    const largest = rows
      .flatMap((row) => (row.values[0] ? [{ name: nameOf(row, naming), value: row.values[0], place: placeOf(row), change: null }] : []))
      .toSorted((a, b) => compare(b.value, a.value))
    const total = picture.totals[0]
    const unusual = unusualKeys(picture, [])
    const reported = new Set(unusual.flatMap(({ items }) => items.map(({ name }) => name)))
    const isNew = largest.slice(0, maxLargest).some(({ name }) => !reported.has(name))
    const isInformative = main?.role === 'measure' && total !== undefined && largest.length > 1 && isNew
    if (!isInformative) return unusual
    const totalPlace = totalOperand(main, runHere(picture, main))
    return [...unusual, { kind: 'largest', column: main, rows: largest.slice(0, maxLargest), total: total.total, totalPlace }]
  }
  if (rows.length > rememberedKeys) return [{ kind: 'not_comparable', why: 'too_many_keys' }]
  if (!previous.rows) return [...unusualKeys(picture, []), { kind: 'not_comparable', why: 'too_large_before' }]
  const keyNames = keys.map(({ name }) => name)
  const isComparable = previous.rows.kind === 'keys' && isDeepStrictEqual(previous.rows.keyColumns, keyNames)
  const before = isComparable ? asRows(previous.rows, picture.values) : []
  return [...unusualKeys(picture, before), ...(isComparable ? keyPoints(picture, before, previous) : [])]
}
