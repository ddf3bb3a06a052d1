const dayMs = 86_400_000

/** How long a deleted item can still be restored. */
export function describeTimeLeft(removedAt: string, nowMs: number): string {
  const days = Math.floor((Date.parse(removedAt) - nowMs) / dayMs)
  if (days < 1) return 'less than a day left'
  return `${days} ${days === 1 ? 'day' : 'days'} left`
}
