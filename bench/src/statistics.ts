/** The value below which the given share of values lies; of two candidates, the lower. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error('No values.')
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}

export const median = (values: readonly number[]) => quantile(values, 0.5)

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

export const geometricMean = (values: readonly number[]) => Math.exp(sum(values.map(Math.log)) / values.length)

export async function elapsedMs(act: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await act()
  return performance.now() - startedMs
}
