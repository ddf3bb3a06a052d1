const dayMs = 86_400_000

/** How long a deleted item can still be restored. */
export function describeTimeLeft(removedAt: string, nowMs: number): string {
  const leftMs = Date.parse(removedAt) - nowMs
  if (leftMs < dayMs) return 'less than a day left'
  const days = Math.round(leftMs / dayMs)
  return `${days} ${days === 1 ? 'day' : 'days'} left`
}
