/** How many items of each organization a worker holds. */
export function countHeld(items: readonly { organizationId: string }[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { organizationId } of items) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
  return counts
}
