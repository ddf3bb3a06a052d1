import { add, type Column, type Decimal, mainColumn, readDecimal, readTime, type Step, stepOf } from '@querypost/answers'
import { rememberedKeyColumns, rememberedValueColumns } from '../../../model/observation.ts'
import { isComplete } from './periods.ts'
import type { ReadResult } from './read-observed-rows.ts'

/**
 * A result in a form that can be compared:
 *
 * - *figures*: one row of numbers without a key;
 * - *series*: one figure per period, from rows with one time column;
 * - *keyed*: rows identified by their keys;
 * - *counted*: rows with nothing to compare, or too many of them; only the row count and the totals are kept.
 */
export interface Picture {
  kind: 'figures' | 'series' | 'keyed' | 'counted'
  rowCount: number
  totals: { column: Column; total: Decimal }[]
  /** Columns with NaN or an infinity, from which no figure can be proven. */
  unreadable: Set<Column>
  /** The column that the headline is about. */
  main: Column | undefined
  /** Number columns, the main one first. */
  values: Column[]
  keys: Column[]
  /** For a series: the keys other than the time. */
  others: Column[]
  /** Rows with the same key are merged: their measures are added up and their levels dropped. Periods are in order of time. */
  rows: PictureRow[]
  /** Whether a row stands for several rows of the result. */
  isMerged: boolean
  series: Series | null
  /** Whether rows were left out because there are too many. */
  isTooLarge: boolean
}

export interface PictureRow {
  key: (string | null)[]
  values: (Decimal | null)[]
}

export interface Series {
  step: Step
  /** How many rows, from the first, are complete periods. */
  completeCount: number
  /** The main column in the last two complete periods by the other keys, if any. */
  parts: { before: PictureRow[]; latest: PictureRow[] } | null
}

/** What a picture depends on besides the result. */
export interface World {
  nowMs: number
  /** The query's date parameters. */
  cutDates: number[]
}

export function drawPicture(result: ReadResult, world: World): Picture {
  const { columns, rowCount, rows } = result
  const main = mainColumn(columns)
  const numbers = columns.filter(({ role }) => role === 'measure' || role === 'level')
  const values = numbers.toSorted((a, b) => Number(b === main) - Number(a === main)).slice(0, rememberedValueColumns)
  const totals = columns.flatMap((column) => {
    const total = result.totals.get(column.index)
    return total ? [{ column, total }] : []
  })
  const picture: Picture = {
    kind: 'counted',
    rowCount,
    totals: totals.toSorted((a, b) => Number(b.column === main) - Number(a.column === main)),
    unreadable: new Set(columns.filter(({ index }) => result.unreadable.has(index))),
    main,
    values,
    keys: [],
    others: [],
    rows: [],
    isMerged: false,
    series: null,
    isTooLarge: rows === null,
  }
  if (!rows) return picture
  const keys = keyColumns(columns)
  if (keys.length === 0) {
    if (rowCount !== 1 || numbers.length === 0) return picture
    // Figures in one row are read from left to right.
    return { ...picture, kind: 'figures', values: numbers, main: numbers[0], rows: group(rows, [], numbers) }
  }
  const series = asSeries(picture, { columns, rows, world })
  if (series) return series
  const grouped = group(rows, keys, values)
  return { ...picture, kind: 'keyed', keys, rows: grouped, isMerged: grouped.length < rows.length }
}

/** Identifiers first, because they say the most; times last, because they are usually attributes. */
const keyOrder = (column: Column) => (column.role === 'time' ? 2 : column.isIdentifier ? 0 : 1)

function keyColumns(columns: Column[]): Column[] {
  return columns
    .filter(({ role }) => role === 'key' || role === 'time')
    .toSorted((a, b) => keyOrder(a) - keyOrder(b))
    .slice(0, rememberedKeyColumns)
}

/**
 * A series has one time column, no identifiers, and at least two periods that start on the hour. If there are other keys, each must
 * occur in several periods; otherwise the time is just an attribute of the row.
 */
function asSeries(
  picture: Picture,
  { columns, rows, world }: { columns: Column[]; rows: unknown[][]; world: World },
): Picture | undefined {
  const times = columns.filter(({ role }) => role === 'time')
  const others = columns.filter(({ role }) => role === 'key')
  const time = times[0]
  if (times.length !== 1 || !time || !picture.main || others.some(({ isIdentifier }) => isIdentifier)) return undefined
  const timed = rows.filter((row) => row[time.index] !== null)
  const beginnings = timed.map((row) => readTime(row[time.index]))
  if (!beginnings.every((ms) => ms !== undefined)) return undefined
  const step = stepOf(beginnings)
  if (!step || new Set(beginnings).size < 2) return undefined
  if (others.length > 0 && group(rows, others, []).length * 2 > rows.length) return undefined

  const periods = group(timed, [time], picture.values).toSorted((a, b) => beginOf(a) - beginOf(b))
  const firstIncomplete = periods.findIndex((period) => !isComplete({ beginMs: beginOf(period), step }, world))
  const completeCount = firstIncomplete < 0 ? periods.length : firstIncomplete
  const [before, latest] = [periods[completeCount - 2], periods[completeCount - 1]]
  const partsOf = (period: PictureRow) =>
    group(timed.filter((row) => row[time.index] === period.key[0]), others, picture.values)
  const parts = others.length > 0 && before && latest ? { before: partsOf(before), latest: partsOf(latest) } : null
  const isMerged = periods.length < timed.length
  return { ...picture, kind: 'series', keys: [time], others, rows: periods, isMerged, series: { step, completeCount, parts } }
}

export const beginOf = (period: PictureRow): number => readTime(period.key[0])!

/** One row per key, in order of first occurrence. */
function group(rows: unknown[][], keys: Column[], values: Column[]): PictureRow[] {
  const groups = new Map<string, PictureRow & { isOne: boolean }>()
  for (const row of rows) {
    const key = keys.map(({ index }) => keyText(row[index]))
    const numbers = values.map(({ index }) => readDecimal(row[index]) ?? null)
    const name = JSON.stringify(key)
    const known = groups.get(name)
    if (!known) {
      groups.set(name, { key, values: numbers, isOne: true })
      continue
    }
    known.isOne = false
    known.values = known.values.map((sum, at) => {
      const number = numbers[at]
      return sum && number ? add(sum, number) : (sum ?? number ?? null)
    })
  }
  return [...groups.values()].map(({ key, values: sums, isOne }) => ({
    key,
    values: isOne ? sums : sums.map((sum, at) => (values[at]!.role === 'level' ? null : sum)),
  }))
}

export function keyText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}
