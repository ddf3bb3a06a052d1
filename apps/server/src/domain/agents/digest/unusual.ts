/**
 * Finds outliers with the modified z-score of Iglewicz and Hoaglin. It is based on the median and the median absolute deviation,
 * which a few extreme values do not affect. A score beyond 3.5 is unusual.
 */
export const unusualBeyond = 3.5
export const valuesNeeded = 8

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : sorted[middle - 1]! / 2 + sorted[middle]! / 2
}

/** The score of each value; all 0 if there are too few values or all are the same. */
export function scores(values: number[]): number[] {
  if (values.length < valuesNeeded) return values.map(() => 0)
  const center = median(values)
  const deviations = values.map((value) => Math.abs(value - center))
  const medianDeviation = median(deviations)
  // If more than half the values are the same, use the mean deviation, as the authors propose.
  const mean = deviations.reduce((sum, deviation) => sum + deviation / deviations.length, 0)
  const spread = medianDeviation > 0 ? medianDeviation / 0.6745 : mean * 1.253314
  return values.map((value) => {
    const score = (value - center) / spread
    return spread > 0 && Number.isFinite(score) ? score : 0
  })
}

export const isUnusual = (score: number) => Math.abs(score) > unusualBeyond
