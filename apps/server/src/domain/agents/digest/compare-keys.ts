import { absolute, type Column, compare, type Decimal, isAlmostEqual, percentChange, readDecimal, signOf, type Step, subtract } from '@querypost/answers'
import type { Change, KeyedFigure, Point } from './findings.ts'
import type { ObservedRows } from '../../../model/observation.ts'
import type { Picture, PictureRow } from './picture.ts'

export function changeOf(from: Decimal | null | undefined, to: Decimal): Change | null {
  if (!from) return null
  return { from, difference: subtract(to, from), percent: percentChange(from, to) }
}

/** Converts remembered rows to rows of a picture with these value columns; a column that was not remembered has no values. */
export function asRows(observed: ObservedRows, values: Column[]): PictureRow[] {
  const places = values.map(({ name }) => observed.valueColumns.indexOf(name))
  return observed.rows.map((row) => ({
    key: row.key,
    values: places.map((place) => readDecimal(row.values[place]) ?? null),
  }))
}

/**
 * The smallest number of leading key columns that identifies every row, both then and now. Fewer columns make shorter names, and a
 * row whose remaining columns changed is still the same row.
 */
export function keyLength(lists: PictureRow[][], keyCount: number): number {
  for (let length = 1; length < keyCount; length++) {
    if (lists.every((rows) => new Set(rows.map((row) => keyOf(row, length))).size === rows.length)) return length
  }
  return keyCount
}

export const keyOf = (row: PictureRow, length: number) => JSON.stringify(row.key.slice(0, length))

export interface Naming {
  keys: Column[]
  length: number
}

/** "Aurora Sunrise Lamp", "Germany, app", "order 104233". */
export function nameOf(row: PictureRow, { keys, length }: Naming): string {
  return row.key
    .slice(0, length)
    .map((value, at) => {
      const text = value ?? 'none'
      if (!keys[at]?.isIdentifier) return value === null ? `no ${keys[at]?.label ?? 'name'}` : text
      return `${keys[at].label.replace(/ id$/i, '')} ${text}`
    })
    .join(', ')
}

/** Rows whose first value changed by one percent or more, largest change first. */
export function movers(before: PictureRow[], now: PictureRow[], naming: Naming): KeyedFigure[] {
  const earlier = new Map(before.map((row) => [keyOf(row, naming.length), row.values[0]]))
  return now
    .flatMap((row) => {
      const [value, from] = [row.values[0], earlier.get(keyOf(row, naming.length))]
      if (!value || !from || isAlmostEqual(from, value)) return []
      return [{ name: nameOf(row, naming), value, change: changeOf(from, value) }]
    })
    .toSorted(byChange)
}

const byChange = (a: KeyedFigure, b: KeyedFigure) =>
  compare(absolute(b.change!.difference), absolute(a.change!.difference)) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

const maxMovers = 3
const maxNames = 5

export function moversPoint(all: KeyedFigure[], column: Column, since: Step | null): Point[] {
  const towards = (sign: 1 | -1) => all.filter(({ change }) => signOf(change!.difference) === sign).slice(0, maxMovers)
  return all.length > 0 ? [{ kind: 'movers', column, up: towards(1), down: towards(-1), since }] : []
}

/** Movers, new and vanished keys since the last run. */
export function keyPoints(picture: Picture, before: PictureRow[]): Point[] {
  const { keys, rows, main } = picture
  const naming = { keys, length: keyLength([rows, before], keys.length) }
  const missing = (those: PictureRow[], among: PictureRow[]) => {
    const known = new Set(among.map((row) => keyOf(row, naming.length)))
    return those.filter((row) => !known.has(keyOf(row, naming.length)))
  }
  const keysPoint = (kind: 'new_keys' | 'vanished_keys', those: PictureRow[]): Point[] => {
    const names = those.slice(0, maxNames).map((row) => nameOf(row, naming))
    return those.length > 0 ? [{ kind, count: those.length, names }] : []
  }
  return [
    ...(main ? moversPoint(movers(before, rows, naming), main, null) : []),
    ...keysPoint('new_keys', missing(rows, before)),
    ...keysPoint('vanished_keys', missing(before, rows)),
  ]
}
