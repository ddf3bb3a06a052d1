import { absolute, type Column, compare, type Condition, type Decimal, isAlmostEqual, percentChange, readDecimal, signOf, type Step, subtract } from '@querypost/answers'
import type { Change, KeyedFigure, Point } from './findings.ts'
import type { Observation, ObservedRows } from '../../../model/observation.ts'
import { conditionsOf, otherKeysOperand, type Place, type RunOf, thisRun, valueOperand } from './operands.ts'
import type { Picture, PictureRow } from './picture.ts'

export function changeOf(from: Decimal | null | undefined, to: Decimal, place: Place): Change | null {
  if (!from) return null
  return { from, place, difference: subtract(to, from), percent: percentChange(from, to) }
}

/** The run of a picture's figures from this column. */
export const runHere = ({ unreadable }: Picture, column: Column): RunOf => (unreadable.has(column) ? undefined : null)

/** The run of the figures that an observation has. */
export const runBefore = (previous: Observation | undefined): RunOf => (previous?.source ? previous.runId : undefined)

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

/** Rows with the place of their first value. */
export interface PlacedRows {
  rows: PictureRow[]
  placeOf(row: PictureRow): Place
}

/** Rows whose first value changed by one percent or more, largest change first. */
export function movers(before: PlacedRows, now: PlacedRows, naming: Naming): KeyedFigure[] {
  const earlier = new Map(before.rows.map((row) => [keyOf(row, naming.length), row]))
  return now.rows
    .flatMap((row) => {
      const beforeRow = earlier.get(keyOf(row, naming.length))
      const [value, from] = [row.values[0], beforeRow?.values[0]]
      if (!value || !from || isAlmostEqual(from, value)) return []
      const change = changeOf(from, value, before.placeOf(beforeRow!))
      return [{ name: nameOf(row, naming), value, place: now.placeOf(row), change }]
    })
    .toSorted(byChange)
}

/** Places of rows by their key, and by what they have in common. */
export function placesByKey(
  column: Column,
  { keys, length }: Naming,
  { run, common = [] }: { run: RunOf; common?: Condition[] | null },
): (row: PictureRow) => Place {
  return (row) => {
    const own = conditionsOf(row.key.slice(0, length), keys)
    return valueOperand(column, { conditions: own && common && [...common, ...own], run })
  }
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
export function keyPoints(picture: Picture, before: PictureRow[], previous: Observation): Point[] {
  const { keys, rows, main } = picture
  const naming = { keys, length: keyLength([rows, before], keys.length) }
  const missing = (those: PictureRow[], among: PictureRow[]) => {
    const known = new Set(among.map((row) => keyOf(row, naming.length)))
    return those.filter((row) => !known.has(keyOf(row, naming.length)))
  }
  const keysPoint = (kind: 'new_keys' | 'vanished_keys', those: PictureRow[]): Point[] => {
    const names = those.slice(0, maxNames).map((row) => nameOf(row, naming))
    const morePlace = those.length > names.length ? moreKeysPlace({ kind, those, naming, previous }) : null
    return those.length > 0 ? [{ kind, count: those.length, names, morePlace }] : []
  }
  const placed = (column: Column) => ({
    before: { rows: before, placeOf: placesByKey(column, naming, { run: runBefore(previous) }) },
    now: { rows, placeOf: placesByKey(column, naming, { run: runHere(picture, column) }) },
  })
  return [
    ...(main ? moversPoint(movers(placed(main).before, placed(main).now, naming), main, null) : []),
    ...keysPoint('new_keys', missing(rows, before)),
    ...keysPoint('vanished_keys', missing(before, rows)),
  ]
}

/** Where the number of keys that are not named comes from. Only for rows that one column identifies. */
function moreKeysPlace(options: {
  kind: 'new_keys' | 'vanished_keys'
  those: PictureRow[]
  naming: Naming
  previous: Observation
}): Place {
  const { kind, those, naming, previous } = options
  const [column] = naming.keys
  const run = runBefore(previous)
  const isExact = those.every(({ key: [key] }) => key !== null && key !== undefined && conditionsOf([key], naming.keys) !== null)
  if (!column || naming.length !== 1 || typeof run !== 'string' || !isExact) return null
  const without = those.slice(0, maxNames).map(({ key: [key] }) => key!)
  return kind === 'new_keys'
    ? otherKeysOperand(column, { run: null, isIn: run, without })
    : otherKeysOperand(column, { run, isIn: thisRun, without })
}
