import { approximate, type Column, type Condition, medianOf, type Step } from '@querypost/answers'
import { keyLength, keyOf, nameOf, placesByKey, runHere } from './compare-keys.ts'
import { conditionsOf, medianOperand, periodConditions, type Place } from './operands.ts'
import type { Point } from './findings.ts'
import type { Picture, PictureRow } from './picture.ts'
import { isUnusual, scores } from './unusual.ts'

type UnusualPoint = Extract<Point, { kind: 'unusual' }>

const maxUnusual = 3
/** A period is compared with at most this many periods before it. */
const periodsBefore = 52

/** Keys whose value is unusual among all keys and was not unusual last time. */
export function unusualKeys(picture: Picture, before: PictureRow[]): UnusualPoint[] {
  const { keys, main } = picture
  if (!main) return []
  const length = keyLength([picture.rows, before], keys.length)
  const placeOf = placesByKey(main, { keys, length }, { run: runHere(picture, main) })
  const wereUnusual = new Set(unusualRows(before).map(({ row }) => keyOf(row, length)))
  const found = unusualRows(picture.rows).filter(({ row }) => !wereUnusual.has(keyOf(row, length)))
  const items = found
    .toSorted((a, b) => Math.abs(b.score) - Math.abs(a.score))
    .slice(0, maxUnusual)
    .map(({ row, score }) => ({
      name: nameOf(row, { keys, length }),
      value: row.values[0]!,
      place: placeOf(row),
      change: null,
      isHigh: score > 0,
    }))
  const values = picture.rows.flatMap(({ values: [value] }) => value ?? [])
  if (items.length === 0) return []
  const isExact = picture.rows.every(({ key }) => conditionsOf(key, keys) !== null)
  const typicalPlace = isExact ? typicalOf(picture, main, []) : null
  return [{ kind: 'unusual', column: main, items, typical: medianOf(values), typicalPlace, step: null }]
}

/** Where a median comes from: from rows, or from the sums of those that belong together. Levels are not added up. */
function typicalOf(picture: Picture, column: Column, conditions: Condition[] | null): Place {
  const { isMerged, keys } = picture
  if (runHere(picture, column) === undefined || (isMerged && column.role === 'level')) return null
  return medianOperand(column, { conditions, by: isMerged ? keys : [] })
}

function unusualRows(rows: PictureRow[]): { row: PictureRow; score: number }[] {
  const valued = rows.filter((row) => row.values[0])
  const found = scores(valued.map((row) => approximate(row.values[0]!)))
  return valued.map((row, at) => ({ row, score: found[at]! })).filter(({ score }) => isUnusual(score))
}

/** The complete periods from `from` on that are unusual compared with those before them. Latest first. */
export function unusualPeriods(
  picture: Picture,
  { complete, from, step }: { complete: PictureRow[]; from: number; step: Step },
): UnusualPoint[] {
  const { main } = picture
  if (!main) return []
  const judged: { row: PictureRow; score: number; window: PictureRow[] }[] = []
  for (let at = complete.length - 1; at >= Math.max(from, 0) && judged.length < maxUnusual; at--) {
    const window = complete.slice(Math.max(0, at - periodsBefore), at + 1).filter((row) => row.values[0])
    const row = complete[at]!
    if (!row.values[0]) continue
    const values = window.map(({ values: [value] }) => approximate(value!))
    const score = scores(values).at(-1)!
    if (isUnusual(score)) judged.push({ row, score, window })
  }
  if (judged.length === 0) return []
  const placeOf = placesByKey(main, { keys: picture.keys, length: 1 }, { run: runHere(picture, main) })
  const items = judged.map(({ row, score }) => ({
    name: row.key[0]!,
    value: row.values[0]!,
    place: placeOf(row),
    change: null,
    isHigh: score > 0,
  }))
  const { window } = judged[0]!
  const bounds = periodConditions(picture.keys[0]!, { from: window[0]!.key[0]!, to: window.at(-1)!.key[0]! })
  const typical = medianOf(window.map(({ values: [value] }) => value!))
  return [{ kind: 'unusual', column: main, items, typical, typicalPlace: typicalOf(picture, main, bounds), step }]
}
