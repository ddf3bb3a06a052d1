/**
 * Lines computed from the values of a series. Points without a value are left out of the computation.
 */

/**
 * The least-squares line y = a + b·x, where b = Σ(x − x̄)(y − ȳ) / Σ(x − x̄)² and a = ȳ − b·x̄. On an evenly spaced axis, x is the
 * number of the point. Null for fewer than two values.
 */
export function linearTrend(values: readonly (number | null)[], positions: readonly number[] | null): number[] | null {
  const points = values.flatMap((y, at) => {
    const x = positions ? positions[at]! : at
    return y === null || !Number.isFinite(x) ? [] : [{ x, y }]
  })
  if (points.length < 2) return null
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / points.length
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / points.length
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  if (spread === 0) return null
  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread
  return values.map((_, at) => meanY + slope * ((positions ? positions[at]! : at) - meanX))
}

/** The mean of a point and the `count` − 1 points before it. The first points, which have too few before them, have none. */
export function movingAverage(values: readonly (number | null)[], count: number): (number | null)[] {
  return values.map((_, at) => {
    if (at + 1 < count) return null
    const window = values.slice(at + 1 - count, at + 1).filter((value) => value !== null)
    return window.length === 0 ? null : window.reduce((sum, value) => sum + value, 0) / window.length
  })
}
