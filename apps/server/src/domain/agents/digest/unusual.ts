/**
 * Which values are unusual among others: the modified z-score of Iglewicz and Hoaglin. It measures with the median and
 * the median absolute deviation, which a few extreme values do not move, and calls unusual what lies more than 3.5
 * away.
 */
export const unusualBeyond = 3.5
export const valuesNeeded = 8

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : sorted[middle - 1]! / 2 + sorted[middle]! / 2
}

/** The score of each value; all 0 where there are too few, or where all are alike. */
export function scores(values: number[]): number[] {
  if (values.length < valuesNeeded) return values.map(() => 0)
  const center = median(values)
  const deviations = values.map((value) => Math.abs(value - center))
  const medianDeviation = median(deviations)
  // More than half are the same: then the mean of the deviations measures, as the two authors propose.
  const mean = deviations.reduce((sum, deviation) => sum + deviation / deviations.length, 0)
  const spread = medianDeviation > 0 ? medianDeviation / 0.6745 : mean * 1.253314
  return values.map((value) => {
    const score = (value - center) / spread
    return spread > 0 && Number.isFinite(score) ? score : 0
  })
}

export const isUnusual = (score: number) => Math.abs(score) > unusualBeyond
