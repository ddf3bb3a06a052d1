/**
 * Chooses which of many rows to draw, by their positions, in order. Every chosen row is real: nothing is averaged, so everything a
 * chart shows was in the result.
 */

/** The value that the series draws at a row. */
export type SeriesValues = (row: number) => number | null

/** For values along an axis: the highest and lowest of each series in each section, so that no peak is lost, and both ends. */
export function keepExtremes(input: { rowCount: number; maxRows: number; series: SeriesValues[] }): number[] {
  const { rowCount, maxRows, series } = input
  const kept = new Set<number>([0, rowCount - 1])
  const stretchCount = Math.max(1, Math.floor((maxRows - 2) / (2 * Math.max(1, series.length))))
  for (let stretch = 0; stretch < stretchCount; stretch++) {
    const from = Math.floor((stretch * rowCount) / stretchCount)
    const to = Math.floor(((stretch + 1) * rowCount) / stretchCount)
    for (const valueAt of series) for (const row of extremesOf(valueAt, { from, to })) kept.add(row)
  }
  return [...kept].toSorted((a, b) => a - b)
}

/** For points without an order: evenly spaced rows, and those with the highest and lowest of each number. */
export function keepEvenly(input: { rowCount: number; maxRows: number; series: SeriesValues[] }): number[] {
  const { rowCount, maxRows, series } = input
  const kept = new Set(series.flatMap((valueAt) => extremesOf(valueAt, { from: 0, to: rowCount })))
  const count = Math.max(1, maxRows - kept.size)
  for (let at = 0; at < count; at++) kept.add(Math.floor((at * rowCount) / count))
  return [...kept].toSorted((a, b) => a - b)
}

function extremesOf(valueAt: SeriesValues, { from, to }: { from: number; to: number }): number[] {
  let [leastRow, mostRow] = [-1, -1]
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let row = from; row < to; row++) {
    const value = valueAt(row)
    if (value === null) continue
    if (leastRow === -1 || value < least) [leastRow, least] = [row, value]
    if (mostRow === -1 || value > most) [mostRow, most] = [row, value]
  }
  return leastRow === -1 ? [] : [leastRow, mostRow]
}
