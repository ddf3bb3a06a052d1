import { changeOf, keyLength, keyOf, nameOf } from './compare-keys.ts'
import { approximate, type Step } from '@querypost/answers'
import type { Point } from './findings.ts'
import type { Picture, PictureRow } from './picture.ts'
import { isUnusual, median, scores } from './unusual.ts'

type UnusualPoint = Extract<Point, { kind: 'unusual' }>

const maxUnusual = 3
/** A period is compared with at most this many periods before it. */
const periodsBefore = 52

/** Keys whose value is unusual among all keys and was not unusual last time. */
export function unusualKeys(picture: Picture, before: PictureRow[]): UnusualPoint[] {
  const { keys, main } = picture
  if (!main) return []
  const length = keyLength([picture.rows, before], keys.length)
  const wereUnusual = new Set(unusualRows(before).map(({ row }) => keyOf(row, length)))
  const found = unusualRows(picture.rows).filter(({ row }) => !wereUnusual.has(keyOf(row, length)))
  const items = found
    .toSorted((a, b) => Math.abs(b.score) - Math.abs(a.score))
    .slice(0, maxUnusual)
    .map(({ row, score }) => ({
      name: nameOf(row, { keys, length }),
      value: row.values[0]!,
      change: null,
      isHigh: score > 0,
    }))
  const values = picture.rows.flatMap(({ values: [value] }) => (value ? [approximate(value)] : []))
  return items.length > 0 ? [{ kind: 'unusual', column: main, items, typical: median(values), step: null }] : []
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
  const judged: { row: PictureRow; score: number; typical: number }[] = []
  for (let at = complete.length - 1; at >= Math.max(from, 0) && judged.length < maxUnusual; at--) {
    const window = complete.slice(Math.max(0, at - periodsBefore), at + 1).filter((row) => row.values[0])
    const row = complete[at]!
    if (!row.values[0]) continue
    const values = window.map(({ values: [value] }) => approximate(value!))
    const score = scores(values).at(-1)!
    if (isUnusual(score)) judged.push({ row, score, typical: median(values) })
  }
  const items = judged.map(({ row, score }) => ({
    name: row.key[0]!,
    value: row.values[0]!,
    change: changeOf(null, row.values[0]!),
    isHigh: score > 0,
  }))
  return items.length > 0 ? [{ kind: 'unusual', column: main, items, typical: judged[0]!.typical, step }] : []
}
