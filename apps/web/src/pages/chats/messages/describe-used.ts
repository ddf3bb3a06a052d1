import type { UsedKnowledge } from '../../../api/knowledge.ts'

/** As many as fit on a line of a phone. */
const namedMax = 3

/** For example “metric Net revenue, verified query Revenue by week and 4 more”. */
export function describeUsed(used: UsedKnowledge[]): string {
  const named = used.slice(0, namedMax).map(({ label, name }) => `${label} ${name}`)
  const more = used.length - named.length
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
}
